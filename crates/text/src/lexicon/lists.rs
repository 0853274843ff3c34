//! A list of items for each of many keys, in two flat arrays.

/// For each key from 0 up, a slice of items.
#[derive(Debug, Clone)]
pub struct Lists<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists { ends: Vec::new(), items: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// Adds an item to the list of the key that is being filled.
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// Ends the list of this key; what follows belongs to the next.
    pub fn close(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The items of a key; none if there is no such key.
    #[inline]
    pub fn get(&self, key: u32) -> &[T] {
        let key = key as usize;
        let start = if key == 0 { 0 } else { self.ends.get(key - 1).copied().unwrap_or(0) };
        match self.ends.get(key) {
            Some(end) => &self.items[start as usize..*end as usize],
            None => &[],
        }
    }

    /// From (key, item) pairs in any order, for `keys` keys; items of one key keep the order of the pairs. Pairs with a
    /// key that is too large are left out.
    pub fn from_pairs(keys: usize, pairs: &[(u32, T)]) -> Lists<T>
    where
        T: Copy + Default,
    {
        let mut ends = vec![0_u32; keys];
        let known = || pairs.iter().filter(|(key, _)| (*key as usize) < keys);
        for (key, _) in known() {
            ends[*key as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // The start of each list for now; filling moves it to the end.
            sum += std::mem::replace(end, sum);
        }
        let mut items = vec![T::default(); sum as usize];
        for (key, item) in known() {
            let place = &mut ends[*key as usize];
            items[*place as usize] = *item;
            *place += 1;
        }
        Lists { ends, items }
    }
}
