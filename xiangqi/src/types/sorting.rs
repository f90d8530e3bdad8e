//! Sorting with little code.

use std::cmp::Ordering;

/// Sorts a list, keeping the order of equal elements. The standard sorts are compiled again for every type and comparison, some 5 kB each,
/// which a browser has to load before it shows a board; of this one only the comparison is. It is slower, so the search does not use it.
///
/// ```
/// let mut words = vec!["pawn", "rook", "king"];
/// xiangqi::types::sort_by(&mut words, |a, b| a.cmp(b));
/// assert_eq!(words, ["king", "pawn", "rook"]);
/// ```
pub fn sort_by<T>(items: &mut Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = order_of(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    let mut places: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.into_iter().filter_map(|at| places[at].take()));
}

/// The numbers from 0 to below `count`, sorted by a comparison.
fn order_of(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_stably() {
        let mut words: Vec<String> = ["d", "bb", "a", "ccc", "c", "aa", ""].map(String::from).into();
        sort_by(&mut words, |a, b| a.len().cmp(&b.len()));
        assert_eq!(words, ["", "d", "a", "c", "bb", "aa", "ccc"]);
        sort_by(&mut words, |a, b| b.cmp(a));
        assert_eq!(words, ["d", "ccc", "c", "bb", "aa", "a", ""]);
        sort_by(&mut Vec::<String>::new(), |a, b| a.cmp(b));
    }
}
