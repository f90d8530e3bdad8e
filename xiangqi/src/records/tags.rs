//! Values of tags: names of players and dates.

/// The name of a player in a tag, without surrounding blanks, or `None` for a placeholder such as `?` or `NN`.
///
/// ```
/// use xiangqi::records::player_name;
///
/// assert_eq!((player_name(" Hu Ronghua "), player_name("?")), (Some("Hu Ronghua"), None));
/// ```
pub fn player_name(tag: &str) -> Option<&str> {
    let name = tag.trim();
    (!["", "?", "NN", "N.N."].contains(&name)).then_some(name)
}

/// Parses a date in common forms into one decimal number such as 20060113, with 0 for missing parts; none without a year, 0 for a date with
/// an unknown (`?`) year.
///
/// ```
/// use xiangqi::records::read_date;
///
/// assert_eq!((read_date("2006-1-13"), read_date("13/1/2006"), read_date("1989.??.??")), (Some(20060113), Some(20060113), Some(19890000)));
/// ```
pub fn read_date(text: &str) -> Option<u32> {
    let mut numbers = [0u32; 3];
    let mut parts = text.split(|letter: char| !letter.is_ascii_digit() && letter != '?').filter(|part| !part.is_empty());
    let first = parts.next()?;
    if first.len() == 8 && parts.clone().next().is_none() {
        numbers = [first.get(..4)?.parse().ok()?, first[4..6].parse().ok()?, first[6..].parse().ok()?];
    } else {
        for (number, part) in numbers.iter_mut().zip(std::iter::once(first).chain(parts)) {
            *number = part.parse().unwrap_or(0);
        }
        if first.contains('?') {
            return Some(0).filter(|_| first.chars().all(|letter| letter == '?'));
        }
        // Day first, as in 13/1/2006.
        if numbers[0] <= 31 && numbers[2] > 31 {
            numbers.swap(0, 2);
        }
    }
    let [year, month, day] = numbers;
    let is_date = (1000..=9999).contains(&year) && month <= 12 && day <= 31;
    is_date.then(|| year * 10_000 + month * 100 + day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_common_forms() {
        for (text, date) in [
            ("2006.01.13", Some(20060113)),
            ("2006-1-13", Some(20060113)),
            ("2006年1月13日", Some(20060113)),
            ("13/1/2006", Some(20060113)),
            ("20060113", Some(20060113)),
            ("1989", Some(19890000)),
            ("1989.??.??", Some(19890000)),
            ("????.??.??", Some(0)),
            ("unknown", None),
            ("", None),
            ("99-12-09", None),
            ("2006.13.01", None),
            ("888888888.1.1", None),
            ("1.1.4294967295", None),
        ] {
            assert_eq!(read_date(text), date, "{text}");
        }
    }
}
