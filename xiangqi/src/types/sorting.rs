//! Sorting with little code.

use std::cmp::Ordering;

/// Sorts a list, keeping the order of equal elements. The standard sorts are compiled again for every type and comparison, some 5 kB each,
/// which a browser has to load before it shows a board; of this one little more than the comparison is. It is slower, so the inner nodes of
/// the search do not use it.
///
/// ```
/// let mut words = ["pawn", "rook", "king"];
/// xiangqi::types::sort_by(&mut words, |a, b| a.cmp(b));
/// assert_eq!(words, ["king", "pawn", "rook"]);
/// ```
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order = order_of(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    // Swaps along each cycle of the permutation.
    for start in 0..order.len() {
        let mut at = start;
        while order[at] != start {
            let from = std::mem::replace(&mut order[at], at);
            items.swap(at, from);
            at = from;
        }
        order[at] = at;
    }
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
        sort_by(&mut [], |a: &String, b| a.cmp(b));
        let mut numbers: Vec<u32> = (0..1000).map(|n| n * 7919 % 1009).collect();
        let mut expected = numbers.clone();
        expected.sort_by_key(|n| n % 10);
        sort_by(&mut numbers, |a, b| (a % 10).cmp(&(b % 10)));
        assert_eq!(numbers, expected);
    }
}
