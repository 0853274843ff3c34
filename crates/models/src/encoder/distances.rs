//! Attention scores that depend on the distance between query and key: the disentangled attention of DeBERTa (He et al.
//! 2021) and the relative attention of XLNet (Yang et al. 2019).
//!
//! To the product of query and key are added, for a query at row i and a key at row j: the product of the query with a
//! learned row for the distance i - j, that of the key with another (DeBERTa), and that of the query with a row that
//! says whether both are of one text of a pair (XLNet).

use crate::kernels::{Accumulate, View, ViewMut, axpy, dot, matmul};

/// The rows of one layer, one for each class of distances.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Distances {
    /// The width of a row, all heads side by side.
    width: usize,
    /// The class of each distance from `1 - longest` to `longest - 1`; classes rise with the distance.
    classes: Vec<usize>,
    /// What queries are multiplied with; empty if there are none.
    pub for_queries: Vec<f32>,
    /// What is added to that product, for each head and class; empty if nothing is.
    pub added: Vec<f32>,
    /// What keys are multiplied with; empty if there are none.
    pub for_keys: Vec<f32>,
    /// What queries are multiplied with for keys of the same text, and of the other; empty if there are none.
    pub texts: Vec<f32>,
    /// What is added to that product: two numbers for each head.
    pub texts_added: Vec<f32>,
}

/// One head of one text.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub head: usize,
    /// The width of the head.
    pub size: usize,
    pub queries: View<'a>,
    pub keys: View<'a>,
    pub asking: usize,
    pub asked: usize,
    /// The type of every row of the text.
    pub types: &'a [u8],
    pub scale: f32,
}

impl Distances {
    /// Rows of `width` numbers; `class` gives the class of a distance, and rises with it.
    pub fn new(width: usize, longest: usize, class: impl Fn(isize) -> usize) -> Self {
        let farthest = longest as isize - 1;
        Self { width, classes: (-farthest..=farthest).map(class).collect(), ..Self::default() }
    }

    /// How many classes of distances a text has, from the first on.
    fn reach(&self, asking: usize, asked: usize) -> (usize, usize) {
        let first = self.class(0, asked - 1);
        (first, self.class(asking - 1, 0) + 1 - first)
    }

    fn class(&self, query: usize, key: usize) -> usize {
        self.classes[self.classes.len() / 2 + query - key]
    }

    /// The rows of a table that a text needs, one head of them.
    fn rows<'a>(&self, table: &'a [f32], place: &Place<'_>, first: usize, count: usize) -> View<'a> {
        View::strided(&table[first * self.width + place.head * place.size..], count, place.size, self.width)
    }

    /// Adds to the scores of one head, which are then multiplied by the scale.
    pub fn add_scores(&self, place: &Place<'_>, scores: &mut [f32]) {
        let (first, count) = self.reach(place.asking, place.asked);
        let classes = self.for_queries.len() / self.width;
        if !self.for_queries.is_empty() {
            let mut products = vec![0.0; place.asking * count];
            let rows = self.rows(&self.for_queries, place, first, count).transposed();
            let out = ViewMut::new(&mut products, place.asking, count);
            matmul(out, Accumulate::Overwrite, place.queries, rows, place.scale);
            let added = self.added.get(place.head * classes..).unwrap_or_default();
            for (query, (row, products)) in
                scores.chunks_exact_mut(place.asked).zip(products.chunks_exact(count)).enumerate()
            {
                for (key, score) in row.iter_mut().enumerate() {
                    let class = self.class(query, key);
                    *score += products[class - first] + place.scale * added.get(class).unwrap_or(&0.0);
                }
            }
        }
        if !self.for_keys.is_empty() {
            let mut products = vec![0.0; place.asked * count];
            let rows = self.rows(&self.for_keys, place, first, count).transposed();
            let out = ViewMut::new(&mut products, place.asked, count);
            matmul(out, Accumulate::Overwrite, place.keys, rows, place.scale);
            for (query, row) in scores.chunks_exact_mut(place.asked).enumerate() {
                for (key, score) in row.iter_mut().enumerate() {
                    *score += products[key * count + self.class(query, key) - first];
                }
            }
        }
        if !self.texts.is_empty() {
            for (query, row) in scores.chunks_exact_mut(place.asked).enumerate() {
                let products = [0, 1].map(|text| {
                    let product = dot(place.queries.row(query), self.text_row(place, text));
                    place.scale * (product + self.texts_added[2 * place.head + text])
                });
                for (key, score) in row.iter_mut().enumerate() {
                    *score += products[usize::from(place.types[query] != place.types[key])];
                }
            }
        }
    }

    /// From the gradient of the scores of one head, adds that of its queries and keys.
    pub fn backward(&self, place: &Place<'_>, d_scores: &[f32], mut d_queries: ViewMut<'_>, d_keys: ViewMut<'_>) {
        let (first, count) = self.reach(place.asking, place.asked);
        if !self.texts.is_empty() {
            for (query, row) in d_scores.chunks_exact(place.asked).enumerate() {
                let mut sums = [0.0; 2];
                for (key, d) in row.iter().enumerate() {
                    sums[usize::from(place.types[query] != place.types[key])] += d;
                }
                for (text, sum) in sums.into_iter().enumerate() {
                    axpy(place.scale * sum, self.text_row(place, text), d_queries.row_mut(query));
                }
            }
        }
        if !self.for_queries.is_empty() {
            let mut d_products = vec![0.0; place.asking * count];
            for (query, row) in d_scores.chunks_exact(place.asked).enumerate() {
                for (key, d) in row.iter().enumerate() {
                    d_products[query * count + self.class(query, key) - first] += d;
                }
            }
            let rows = self.rows(&self.for_queries, place, first, count);
            let d_products = View::new(&d_products, place.asking, count);
            matmul(d_queries, Accumulate::Add, d_products, rows, place.scale);
        }
        if !self.for_keys.is_empty() {
            let mut d_products = vec![0.0; place.asked * count];
            for (query, row) in d_scores.chunks_exact(place.asked).enumerate() {
                for (key, d) in row.iter().enumerate() {
                    d_products[key * count + self.class(query, key) - first] += d;
                }
            }
            let rows = self.rows(&self.for_keys, place, first, count);
            matmul(d_keys, Accumulate::Add, View::new(&d_products, place.asked, count), rows, place.scale);
        }
    }

    fn text_row(&self, place: &Place<'_>, text: usize) -> &[f32] {
        &self.texts[text * self.width + place.head * place.size..][..place.size]
    }
}

/// The class of a distance in DeBERTa: each distance up to half of the `buckets` has its own, farther ones share them on a
/// logarithmic scale up to `farthest`. From `-buckets` to `buckets`.
pub(crate) fn log_bucket(distance: isize, buckets: usize, farthest: usize) -> isize {
    let middle = (buckets / 2) as isize;
    if distance.abs() <= middle {
        return distance;
    }
    let (far, middle) = (distance.unsigned_abs() as f32, middle as f32);
    let steps = ((far / middle).ln() / ((farthest as f32 - 1.0) / middle).ln() * (middle - 1.0)).ceil();
    (steps + middle) as isize * distance.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_by_hand() {
        // Half of 6 is 3; ln(4 / 3) / ln(23 / 3) * 2 = 0.28, up to 1; ln(23 / 3) / ln(23 / 3) * 2 = 2.
        let found = [0, 3, -3, 4, -4, 23, -23].map(|distance| log_bucket(distance, 6, 24));
        assert_eq!(found, [0, 3, -3, 4, -4, 5, -5]);
    }

    /// Queries and keys of one head against the sums written out.
    #[test]
    fn scores_and_gradients_by_hand() {
        let mut distances = Distances::new(2, 3, |distance| (distance + 2) as usize);
        distances.for_queries = (0..10).map(|x| x as f32).collect();
        distances.for_keys = (0..10).map(|x| 0.5 - x as f32).collect();
        distances.added = vec![0.0, 1.0, 2.0, 3.0, 4.0];
        distances.texts = vec![1.0, 0.0, 0.0, 1.0];
        distances.texts_added = vec![0.25, 0.5];
        let (queries, keys) = ([1.0, 2.0, -1.0, 0.5], [3.0, -1.0, 2.0, 2.0]);
        let place = Place {
            head: 0,
            size: 2,
            queries: View::new(&queries, 2, 2),
            keys: View::new(&keys, 2, 2),
            asking: 2,
            asked: 2,
            types: &[0, 1],
            scale: 0.5,
        };
        let mut scores = [0.0; 4];
        distances.add_scores(&place, &mut scores);
        let score = |query: usize, key: usize| -> f32 {
            let class = 2 + query - key;
            let (q, k) = (&queries[2 * query..][..2], &keys[2 * key..][..2]);
            let by = |table: &[f32], row: &[f32]| table[2 * class] * row[0] + table[2 * class + 1] * row[1];
            let text = if query == key { q[0] + 0.25 } else { q[1] + 0.5 };
            0.5 * (by(&distances.for_queries, q) + distances.added[class] + by(&distances.for_keys, k) + text)
        };
        assert_eq!(scores, [score(0, 0), score(0, 1), score(1, 0), score(1, 1)]);

        let (mut d_queries, mut d_keys) = ([0.0; 4], [0.0; 4]);
        let d = [1.0, -2.0, 0.5, 3.0];
        distances.backward(&place, &d, ViewMut::new(&mut d_queries, 2, 2), ViewMut::new(&mut d_keys, 2, 2));
        // The first number of the first query: rows of classes 2 and 1 (4 and 2), and the row of its own text.
        assert_eq!(d_queries[0], 0.5 * (4.0 - 2.0 * 2.0 + 1.0));
        // The first number of the first key: rows of classes 2 and 3.
        assert_eq!(d_keys[0], 0.5 * (-3.5 + 0.5 * -5.5));
    }
}
