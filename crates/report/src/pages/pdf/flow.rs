//! Galleys laid out on pages: what belongs together stays together, and a table that goes on has its head again.

use std::rc::Rc;

use super::galley::{Galley, Op};

/// A4, in points.
pub const PAPER: (f32, f32) = (595.28, 841.89);
const SIDE: f32 = 53.9;
const TOP: f32 = 51.0;
const BOTTOM: f32 = 56.7;
/// The width of the text.
pub const MEASURE: f32 = PAPER.0 - 2.0 * SIDE;
/// Where the number of the page stands.
pub const FOOT: (f32, f32) = (SIDE, PAPER.1 - 34.0);
const ROOM: f32 = PAPER.1 - TOP - BOTTOM;

/// Something to place.
#[derive(Debug, Clone, Default)]
pub struct Item {
    pub galley: Galley,
    /// Space before it, except at the top of a page.
    pub above: f32,
    /// Stays on the page of what follows.
    pub keep: bool,
    /// Drawn first where this item begins a page.
    pub head: Option<Rc<Galley>>,
    /// The section that begins here.
    pub section: Option<(&'static str, String)>,
}

impl Item {
    pub fn new(galley: Galley, above: f32) -> Self {
        Self { galley, above, ..Self::default() }
    }

    pub fn keep(mut self, keep: bool) -> Self {
        self.keep = keep;
        self
    }
}

/// Where a section begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    pub id: &'static str,
    pub title: String,
    pub page: usize,
    pub y: f32,
}

#[derive(Debug, Default)]
pub struct Pages {
    pub pages: Vec<Vec<Op>>,
    pub places: Vec<Place>,
    used: f32,
}

/// Puts the items on as many pages as they need.
pub fn paginate(items: &[Item]) -> Pages {
    let mut pages = Pages { pages: vec![Vec::new()], ..Pages::default() };
    for group in items.chunk_by(|item, _| item.keep) {
        let height: f32 = group.iter().map(|item| item.above + item.galley.height).sum();
        // A group that fits on no page is taken apart.
        if height <= ROOM && pages.used + height > ROOM {
            pages.turn();
        }
        for item in group {
            pages.put(item);
        }
    }
    pages
}

impl Pages {
    fn turn(&mut self) {
        self.pages.push(Vec::new());
        self.used = 0.0;
    }

    fn put(&mut self, item: &Item) {
        // Space above may hang over the edge, what is drawn may not; a single thing higher than a page is cut off there.
        if self.used > 0.0 && self.used + item.above + item.galley.height > ROOM + 0.01 {
            self.turn();
        }
        if self.used == 0.0 {
            if let Some(head) = &item.head {
                self.draw(head);
            }
        } else {
            self.used += item.above;
        }
        if let Some((id, title)) = &item.section {
            let page = self.pages.len() - 1;
            self.places.push(Place { id, title: title.clone(), page, y: TOP + self.used });
        }
        self.draw(&item.galley);
    }

    fn draw(&mut self, galley: &Galley) {
        let y = TOP + self.used;
        let page = self.pages.last_mut().expect("there is a page from the beginning on");
        page.extend(galley.ops.iter().cloned().map(|op| op.moved(SIDE, y)));
        self.used += galley.height;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(height: f32) -> Item {
        let mut galley = Galley::new(10.0, height);
        galley.fill(0.0, 0.0, 10.0, height, [0; 3]);
        Item::new(galley, 10.0)
    }

    fn counts(items: &[Item]) -> Vec<usize> {
        paginate(items).pages.iter().map(Vec::len).collect()
    }

    #[test]
    fn what_belongs_together_stays_together() {
        assert_eq!(counts(&[item(300.0), item(300.0), item(300.0)]), [2, 1]);
        assert_eq!(counts(&[item(300.0), item(300.0).keep(true), item(300.0)]), [1, 2]);
        let long: Vec<Item> = (0..4).map(|at| item(300.0).keep(at < 3)).collect();
        assert_eq!(counts(&long), [2, 2]);
    }

    #[test]
    fn a_table_that_goes_on_has_its_head_again() {
        let head = Rc::new(item(20.0).galley);
        let row = |_| Item { head: Some(Rc::clone(&head)), ..item(300.0) };
        let pages = paginate(&(0..3).map(row).collect::<Vec<_>>());
        assert_eq!(pages.pages.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2]);
    }

    #[test]
    fn sections_are_found_again() {
        let section = Item { section: Some(("verdict", "Verdict".to_owned())), ..item(100.0) };
        let pages = paginate(&[item(700.0), section]);
        assert_eq!(pages.places, [Place { id: "verdict", title: "Verdict".to_owned(), page: 1, y: TOP }]);
    }
}
