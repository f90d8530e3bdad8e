//! Checks that a line of an earlier run matches the present input.

use crate::report::ReadBackError;
use serde::Serialize;
use serde_json::Value;

/// The reason a line does not match.
#[derive(Debug, thiserror::Error)]
pub enum Mismatch {
    /// It is not a result line.
    #[error("not a result of this program")]
    Form,
    /// It is a result of another position.
    #[error(transparent)]
    Position(#[from] ReadBackError),
    /// It is of another kind or has other members than the present input gives.
    #[error("is {then}, and the input now gives {now}: the input has changed")]
    Changed {
        /// Description of the line.
        then: String,
        /// Description of what the input gives.
        now: String,
    },
}

/// Explains why a line is not the result of a position. If it is an error or a review, saying so is more helpful than naming a missing member.
pub fn no_result(earlier: &str, fen: &str, error: ReadBackError) -> Mismatch {
    match serde_json::from_str::<Value>(earlier).ok().and_then(|line| describe(&line)) {
        Some(then) if !then.starts_with(RESULT) => Mismatch::Changed { then, now: format!("the position {fen}") },
        _ => error.into(),
    }
}

/// Checks that a line is the error or the review that this run would write. Wording and scores, which may differ between versions of the
/// program, are not compared, nor is the path by which the file was named.
///
/// # Errors
/// The difference.
pub fn check(earlier: &str, now: &impl Serialize) -> Result<(), Mismatch> {
    let earlier: Value = serde_json::from_str(earlier).map_err(|_| Mismatch::Form)?;
    let now = serde_json::to_value(now).unwrap_or_default();
    let (Some(then), Some(is_now)) = (describe(&earlier), describe(&now)) else { return Err(Mismatch::Form) };
    // The members determined by the input.
    let mut members = vec!["/game", "/ply", "/line", "/input", "/review/plies", "/review/result", "/review/tags"];
    if now.get("input").is_none() {
        members.push("/error");
    }
    if now.get("game").is_none() && now.get("line").is_none() {
        members.push("/file");
    }
    let is_same_kind = ["error", "review"].iter().all(|kind| earlier.get(kind).is_some() == now.get(kind).is_some());
    let differing = members.into_iter().find(|member| earlier.pointer(member) != now.pointer(member));
    match differing {
        None if is_same_kind => Ok(()),
        Some(member) if then == is_now => {
            let shown = |line: &Value| line.pointer(member).map_or("nothing".into(), Value::to_string);
            let name = member.rsplit('/').next().unwrap_or_default();
            let [then, now] =
                [(then, shown(&earlier)), (is_now, shown(&now))].map(|(kind, value)| format!("{kind}, {name} {value}"));
            Err(Mismatch::Changed { then, now })
        }
        _ => Err(Mismatch::Changed { then, now: is_now }),
    }
}

const RESULT: &str = "the result of";

/// Describes a line; none if it was not written by this program.
fn describe(line: &Value) -> Option<String> {
    let text = |name: &str| line.get(name).and_then(Value::as_str);
    if let Some(error) = text("error") {
        return Some(format!("the error '{error}'"));
    }
    if line.get("review").is_some_and(Value::is_object) {
        return Some(format!("the end of game {}", line.get("game").and_then(Value::as_u64).unwrap_or(1)));
    }
    text("fen").map(|fen| format!("{RESULT} {fen}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn mismatch(earlier: &Value, now: &Value) -> String {
        check(&earlier.to_string(), now).map_or_else(|mismatch| mismatch.to_string(), |()| String::new())
    }

    #[test]
    fn matching_errors_and_reviews_are_accepted_and_others_rejected() {
        let error = json!({"file": "a.fen", "line": 3, "input": "x", "error": "a FEN has ten ranks"});
        let reworded = json!({"file": "./a.fen", "line": 3, "input": "x", "error": "ten ranks, expected"});
        assert_eq!(mismatch(&error, &reworded), "");
        let other = json!({"file": "a.fen", "line": 3, "input": "y", "error": "a FEN has ten ranks"});
        assert!(mismatch(&error, &other).contains("input \"x\", and the input now gives"), "{}", mismatch(&error, &other));
        let review =
            |tags: &str| json!({"file": "a.pgn", "game": 2, "review": {"plies": 5, "result": "*", "tags": [["Red", tags]]}});
        assert_eq!(mismatch(&review("A"), &review("A")), "");
        assert!(mismatch(&review("A"), &review("B")).contains("tags [[\"Red\",\"B\"]]"));
        assert!(mismatch(&review("A"), &error).contains("is the end of game 2, and the input now gives the error"));
        let result = json!({"file": "a.fen", "line": 3, "input": "x", "fen": "9/9"});
        assert!(mismatch(&result, &error).contains("is the result of 9/9, and the input now gives the error"));
        for foreign in [json!({}), json!([1]), json!({"review": 1})] {
            assert_eq!(mismatch(&foreign, &error), "not a result of this program");
        }
        let unread = |name: &str, reason: &str| json!({"file": name, "error": reason});
        assert_eq!(mismatch(&unread("a", "is missing"), &unread("a", "is missing")), "");
        assert!(mismatch(&unread("a", "is missing"), &unread("b", "is missing")).contains("file \"b\""));
        assert!(mismatch(&unread("a", "is missing"), &unread("a", "may not be read")).contains("may not be read"));
    }
}
