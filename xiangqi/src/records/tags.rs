//! Values of tags: names of players and dates.

use crate::board::narrow;

/// The name of a player in a tag, without surrounding blanks and those between Chinese characters ([`unpadded`]), or `None` for a placeholder
/// such as `?` or `NN`.
///
/// ```
/// use xiangqi::records::player_name;
///
/// assert_eq!((player_name(" Hu Ronghua ").as_deref(), player_name("?")), (Some("Hu Ronghua"), None));
/// assert_eq!(player_name("吕　钦"), player_name("吕钦"));
/// ```
pub fn player_name(tag: &str) -> Option<String> {
    let name = tag.trim();
    (!["", "?", "-", "NN", "N.N."].contains(&name)).then(|| unpadded(name))
}

/// A text without blanks between Chinese characters: lists and bulletins pad names of two characters (吕　钦), which are the same names.
///
/// ```
/// use xiangqi::records::unpadded;
///
/// assert_eq!(["胡 荣 华 (上海)", "Hu Ronghua", " 甲 "].map(unpadded), ["胡荣华 (上海)", "Hu Ronghua", " 甲 "]);
/// ```
pub fn unpadded(text: &str) -> String {
    let is_han = |letter: char| ('\u{3400}'..='\u{9fff}').contains(&letter);
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_han(letter) {
            let end = out.trim_end().len();
            if out[..end].ends_with(is_han) {
                out.truncate(end);
            }
        }
        out.push(letter);
    }
    out
}

/// Parses a date in common forms into one decimal number such as 20060113, with 0 for missing parts; none without a year, 0 for a date with
/// an unknown (`?`) year.
///
/// A year of two digits counts if the date has three parts: up to 29 it is of this century, from 30 of the last one. A number that is too large
/// for a day and stands last is the year; then the day comes first, unless the second number is too large for a month. The first date of a range
/// counts.
///
/// ```
/// use xiangqi::records::read_date;
///
/// assert_eq!((read_date("2006-1-13"), read_date("13/1/2006"), read_date("1989.??.??")), (Some(20060113), Some(20060113), Some(19890000)));
/// assert_eq!((read_date("05-07-04"), read_date("92-7-1"), read_date("7/31/1999")), (Some(20050704), Some(19920701), Some(19990731)));
/// ```
pub fn read_date(text: &str) -> Option<u32> {
    let text: String = text.trim().replace("元月", "1月").chars().map(narrow).collect();
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '?';
    let mut parts: Vec<(&str, &str)> = Vec::with_capacity(3);
    let mut rest = text.trim_start_matches(|letter| !is_part(letter));
    while !rest.is_empty() && parts.len() < 3 {
        let behind = rest.trim_start_matches(is_part);
        parts.push((&rest[..rest.len() - behind.len()], behind));
        rest = behind.trim_start_matches(|letter| !is_part(letter));
    }
    let (first, _) = *parts.first()?;
    if first.len() == 8 && first.bytes().all(|byte| byte.is_ascii_digit()) {
        return date(first[..4].parse().ok()?, first[4..6].parse().ok()?, first[6..].parse().ok()?);
    }
    if first.contains('?') {
        return Some(0).filter(|_| first.chars().all(|letter| letter == '?'));
    }
    // The end of a range of years or months, as in 2001年3月至4月, is neither month nor day.
    let ends_with =
        |index: usize, units: &[char]| parts.get(index).is_some_and(|(_, behind)| behind.trim_start().starts_with(units));
    let is_year = |index: usize| first.len() == 4 && parts.get(index).is_some_and(|(part, _)| part.len() == 4);
    let own = match (ends_with(1, &['年']) || is_year(1), ends_with(2, &['年', '月']) || is_year(2)) {
        (true, _) => 1,
        (false, true) => 2,
        (false, false) => 3,
    };
    let part = |index: usize| parts.get(index).filter(|_| index < own).map_or("", |(part, _)| part);
    let number = |index: usize| part(index).parse::<u32>().unwrap_or(0);
    let (mut numbers, is_short) = ([number(0), number(1), number(2)], first.len() == 2);
    let is_last = numbers[2] > 31;
    if is_last && numbers[0] <= 31 {
        numbers.swap(0, 2);
        if numbers[1] > 12 {
            numbers.swap(1, 2);
        }
    }
    let [year, month, day] = numbers;
    match year {
        0..=99 if month > 0 && (is_short && parts.len() == 3 || is_last) => {
            date(if year < 30 { 2000 } else { 1900 } + year, month, day)
        }
        _ => date(year, month, day),
    }
}

fn date(year: u32, month: u32, day: u32) -> Option<u32> {
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
            ("99-12-09", Some(19991209)),
            ("１９９９年１２月９日", Some(19991209)),
            ("１９８９．？？．？？", Some(19890000)),
            ("05-07-04", Some(20050704)),
            ("29.1.1", Some(20290101)),
            ("30.1.1", Some(19300101)),
            ("56。12。26", Some(19561226)),
            ("13-1-99", Some(19990113)),
            ("09", None),
            ("09-10", None),
            ("1.1.05", None),
            ("00-00-00", None),
            ("05-13-04", None),
            ("7/31/1999", Some(19990731)),
            ("09、02、2000", Some(20000209)),
            ("13/31/1999", None),
            ("1987年元月20日", Some(19870120)),
            ("2001年3月至4月", Some(20010300)),
            ("2001年3月4日至5日", Some(20010304)),
            ("1999年至2001年3月", Some(19990000)),
            ("1999-2000", Some(19990000)),
            ("1999/2000 season", Some(19990000)),
            ("1999.10-2000.1", Some(19991000)),
            ("2003年6月21日 15点21分", Some(20030621)),
            ("20100417-8：30", Some(20100417)),
            ("1996年12月??日", Some(19961200)),
            ("2006.13.01", None),
            ("888888888.1.1", None),
            ("1.1.4294967295", None),
        ] {
            assert_eq!(read_date(text), date, "{text}");
        }
    }
}
