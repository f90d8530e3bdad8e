//! Layer 9: the board page: its files, its message protocol and the handling of requests, independent of sockets, files and threads.
//! `chuhe serve` uses it over the network, the WebAssembly build inside the browser.
//!
//! The page holds the game; the program provides rules, notations, formats and the engine. Each answer depends only on its request, so a
//! client can reconnect, open a second page or survive a restart of the program without losing anything.
//!
//! | module | does |
//! | --- | --- |
//! | [`message`], [`document`] | the protocol: types of requests and answers; positions and records in them |
//! | [`questions`], `reader`, `saving`, `explorer` | requests answered without a search |
//! | `host` | the resources of the host program |
//! | [`engine`] | searches, on the calling thread |
//! | [`assets`] | the files of the page |
//! | [`limits`] | limits on messages and answers |
//!
//! A caller without sockets and threads needs only four functions: [`greeting`], [`answer`], [`search`] and, to open many games of a file,
//! [`games`].

pub mod assets;
pub mod document;
pub mod engine;
mod error;
mod explorer;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod host;
pub mod limits;
pub mod message;
pub mod questions;
mod reader;
mod saving;

pub use engine::{Engine, Step, Task};
pub use error::RequestError;
pub use host::{EmptyHost, Host, NamedFile};

use crate::notation::System;
use crate::records::Format;
use crate::rules::RuleSet;
use crate::threads::LEVELS;
use message::{Answer, Ask, Choice, FormatChoice, Hello, Reply, Request, Source};
use web_time::Instant;

/// The first message to a page. `files` are the names of the files it may open by index, `library` and `book` the names of the library and of
/// the editable book.
pub fn hello(files: Vec<String>, library: Option<String>, book: Option<String>) -> Hello {
    Hello {
        program: format!("chuhe {}", env!("CARGO_PKG_VERSION")),
        levels: LEVELS.iter().map(|level| level.description).collect(),
        levels_chinese: LEVELS.iter().map(|level| level.chinese).collect(),
        notations: System::ALL
            .map(|system| Choice {
                id: system.id(),
                title: system.title(),
                example: system.example(),
                historical: system.is_historical(),
            })
            .into(),
        rules: RuleSet::ALL.map(|set| Choice { id: set.id(), title: set.title(), example: "", historical: false }).into(),
        formats: Format::ALL
            .map(|format| FormatChoice {
                id: format.id(),
                title: format.title(),
                extensions: format.extensions(),
                written: format.is_written(),
                holds_many: format.holds_many(),
            })
            .into(),
        files,
        library,
        book,
        png: cfg!(feature = "png"),
        longest_message: limits::LONGEST_MESSAGE,
        largest_tree: limits::LARGEST_TREE,
    }
}

/// The first message to a page, as text.
pub fn greeting() -> String {
    Reply { id: None, answer: Answer::Hello(hello(Vec::new(), None, None)) }.text()
}

/// Answers a question given as JSON text. Any other input is answered with an error.
pub fn answer(request: &str) -> String {
    match Request::read(request) {
        Ok(Request { id, ask: Ask::Question(question) }) => {
            Reply { id: Some(id), answer: questions::answer(question, &EmptyHost).into() }
        }
        Ok(Request { id, ask: Ask::Stop }) => Reply { id: Some(id), answer: Answer::Done { stopped: true } },
        Ok(Request { id, ask: Ask::Search(_) }) => {
            Reply { id: Some(id), answer: Answer::error("a search, expected a question", false) }
        }
        Err((id, error)) => Reply { id, answer: Answer::request_error(&error) },
    }
    .text()
}

/// Reads all games of a source, given as JSON text as in a request, and passes each to `give` as JSON text: an array of its tree and its
/// warnings, or a string with the error. Faster than a request for each game, since every request reads the entire source.
///
/// # Errors
/// When the source is invalid, or has no format that is known.
pub fn games(source: &str, give: &mut dyn FnMut(String)) -> Result<(), RequestError> {
    reader::games(&serde_json::from_str::<Source>(source)?, &EmptyHost, give)
}

/// Searches on this thread and passes the text of every answer, including the final one, to `reply`. Lines of an analysis are sent at most once
/// per [`limits::QUIET`], except the last ones, which are always sent.
pub fn search(engine: &mut Engine, request: &str, reply: &mut dyn FnMut(String)) {
    let (id, search) = match Request::read(request) {
        Ok(Request { id, ask: Ask::Search(search) }) => (id, search),
        // A request that is not a search gets its ordinary answer.
        Ok(_) | Err(_) => return reply(answer(request)),
    };
    let mut send = |answer: Answer| reply(Reply { id: Some(id), answer }.text());
    let task = match Task::new(&search, &EmptyHost) {
        Ok(task) => task,
        Err(error) => return send(Answer::request_error(&error)),
    };
    let (mut shown, mut held) = (None::<Instant>, None);
    let interrupt = engine.interrupt();
    let last = engine.run(task, &|| interrupt.is_some_and(|asks_to_stop| asks_to_stop()), &mut |step| match step {
        Step::Lines(lines) if shown.is_some_and(|shown| shown.elapsed() < limits::QUIET) => held = Some(lines),
        Step::Lines(lines) => {
            shown = Some(Instant::now());
            held = None;
            send(lines.answer());
        }
        Step::Answer(answer) => send(answer),
    });
    held.into_iter().for_each(|lines| send(lines.answer()));
    send(last);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn searched(ask: Value) -> Vec<Value> {
        let mut engine = Engine::new(1, 1);
        let mut answers = Vec::new();
        search(&mut engine, &json!({"id": 3, "ask": ask}).to_string(), &mut |text| {
            answers.push(serde_json::from_str::<Value>(&text).unwrap());
        });
        assert!(answers.iter().all(|reply| reply["id"] == 3), "{answers:?}");
        answers.into_iter().map(|mut reply| reply["answer"].take()).collect()
    }

    #[test]
    fn questions_are_answered_as_text() {
        assert!(greeting().starts_with(r#"{"id":null,"answer":{"hello":{"program":"chuhe "#));
        let answer = |text: &str| serde_json::from_str::<Value>(&answer(text)).unwrap();
        assert_eq!(answer(r#"{"id":1,"ask":{"read":{"line":{},"text":"C2=5"}}}"#)["answer"]["read"]["moves"][0]["move"], "h2e2");
        for (text, id, part) in [
            ("", Value::Null, "not a message"),
            (r#"{"id":2,"ask":{"names":{"tree":{"start":"x"}}}}"#, 2.into(), "start: FEN"),
            (r#"{"id":4,"ask":{"analyse":{"line":{}}}}"#, 4.into(), "expected a question"),
            (r#"{"id":5,"ask":{"open":{"source":{"given":0}}}}"#, 5.into(), "there is no file 0"),
        ] {
            let reply = answer(text);
            assert_eq!(reply["id"], id, "{reply}");
            assert!(reply["answer"]["error"]["message"].as_str().unwrap().contains(part), "{reply}");
        }
    }

    #[test]
    fn all_games_of_a_source_are_read_at_once() {
        let text = "[Red \"A\"]\n\n1. H2-E2 *\n\n[FEN \"9/9 w\"]\n\n1. H2-E2 *\n\n[Red \"C\"]\n\n1. H2-E2 H9-G7 1-0\n";
        let mut read = Vec::new();
        games(&json!({"text": text}).to_string(), &mut |game| read.push(serde_json::from_str::<Value>(&game).unwrap())).unwrap();
        assert_eq!((read.len(), &read[0][0]["tags"][0][1], &read[2][0]["result"]), (3, &"A".into(), &"1-0".into()), "{read:?}");
        assert!(read[1].is_string() && read[2][1] == json!([]), "{read:?}");
        assert!(games(&json!({"text": ""}).to_string(), &mut |_| ()).is_err() && games("x", &mut |_| ()).is_err());
    }

    #[test]
    fn searches_are_answered_on_the_calling_thread() {
        let lines = searched(json!({"analyse": {"line": {}, "depth": 4, "lines": 2}}));
        let last = &lines[lines.len() - 2]["analysis"];
        assert_eq!((&last["result"]["depth"], last["texts"].as_array().unwrap().len()), (&4.into(), 2), "{lines:?}");
        assert_eq!(lines.last().unwrap()["done"]["stopped"], false);
        let moved = searched(json!({"move": {"line": {}, "level": 1}}));
        assert!(moved[0]["move"]["move"]["move"].is_string() && moved.len() == 1, "{moved:?}");
        let start = crate::board::START_FEN;
        let tree = json!({"start": start, "nodes": [{"parent": 0, "move": "h2e2"}]});
        let review = searched(json!({"review": {"tree": tree, "nodes": 500}}));
        assert_eq!((review.len(), &review[1]["progress"]["ply"]), (3, &1.into()));
        assert_eq!(review[2]["review"]["plies"], 1);
        let drawn = "2bak4/4a4/4b4/9/9/9/9/9/R8/4K4 w";
        for (line, reply) in [
            (json!({}), json!({"accepts": false, "reason": "too-early"})),
            (json!({"start": drawn}), json!({"accepts": true, "reason": "drawn"})),
        ] {
            assert_eq!(searched(json!({"draw_offer": {"line": line}})), [json!({"draw_reply": reply})]);
        }
        for wrong in [json!({"move": {"line": {}, "level": 99}}), json!({"analyse": {"line": {"start": "9"}}})] {
            let answers = searched(wrong);
            assert!(answers.len() == 1 && answers[0]["error"]["busy"] == false, "{answers:?}");
        }
    }
}
