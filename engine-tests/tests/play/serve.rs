//! `chuhe serve` over HTTP and WebSocket: access control, answers to messages, and the end of searches with their page.

use chuhe::board::Position;
use chuhe::book::Book;
use engine_tests::{chuhe, repository};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

/// A running server.
struct Server {
    child: Child,
    /// The printed address, such as `http://127.0.0.1:40001/`.
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        Server::of(&mut Command::new(chuhe()), arguments)
    }

    /// A server started by a command.
    fn of(command: &mut Command, arguments: &[&str]) -> Server {
        let mut child = command
            .args(["serve", "--port", "0", "--threads", "1", "--hash", "1"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("stdout is a pipe")).read_line(&mut address).expect("an address is printed");
        Server { child, address: address.trim().to_string() }
    }

    /// Host and port.
    fn host(&self) -> &str {
        self.address.trim_start_matches("http://").split('/').next().unwrap_or_default()
    }

    /// The path of the page.
    fn base(&self) -> &str {
        self.address.trim_start_matches("http://").trim_start_matches(self.host())
    }

    /// The complete answer to a request.
    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str, headers: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"))
    }

    /// A request of a browser on this machine.
    fn own(&self, path: &str) -> String {
        self.get(path, &format!("Host: {}\r\n", self.host()))
    }

    fn page(&self) -> Page {
        let (mut socket, _) = connect(format!("ws://{}{}ws", self.host(), self.base())).expect("the server takes messages");
        if let MaybeTlsStream::Plain(stream) = socket.get_mut() {
            stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        }
        let mut page = Page { socket, number: 0, hello: Value::Null };
        let (id, hello) = page.next();
        assert_eq!(id, Value::Null);
        page.hello = hello["hello"].clone();
        page
    }

    /// Processor time so far, in ticks of 10 ms.
    #[cfg(target_os = "linux")]
    fn processor_time(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("the server runs");
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        fields[11].parse::<u64>().unwrap_or(0) + fields[12].parse::<u64>().unwrap_or(0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page of the server.
struct Page {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    number: u64,
    hello: Value,
}

impl Page {
    fn send(&mut self, ask: Value) -> u64 {
        self.number += 1;
        let text = json!({"id": self.number, "ask": ask}).to_string();
        self.socket.send(Message::text(text)).expect("the server reads");
        self.number
    }

    /// The next message: id and answer.
    fn next(&mut self) -> (Value, Value) {
        loop {
            match self.socket.read().expect("an answer") {
                Message::Text(text) => {
                    let value: Value = serde_json::from_str(text.as_str()).expect("JSON");
                    return (value["id"].clone(), value["answer"].clone());
                }
                Message::Close(_) => panic!("the server has closed the connection"),
                _ => {}
            }
        }
    }

    /// The only answer to a request.
    fn ask(&mut self, ask: Value) -> Value {
        let id = self.send(ask);
        let (answered, answer) = self.next();
        assert_eq!(answered, id);
        answer
    }

    /// All answers up to the first of this kind.
    fn until(&mut self, id: u64, kind: &str) -> Vec<Value> {
        let mut answers = Vec::new();
        loop {
            let (answered, answer) = self.next();
            if answered == id {
                let is_last = answer.get(kind).is_some();
                assert!(answer.get("error").is_none() || kind == "error", "{answer}");
                answers.push(answer);
                if is_last {
                    return answers;
                }
            }
        }
    }
}

const GAME: &str = "[Red \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. C2=5 {one} (1. P7+1 P7+1) H8+7 2. H2+3 1-0\n\n\
    [Red \"C\"]\n[Black \"D\"]\n[Result \"*\"]\n\n1. H2+3 *\n";

#[test]
fn only_the_page_is_served_and_only_for_its_own_host() {
    let server = Server::start(&[]);
    let page = server.own("/");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<!doctype html>"), "{page}");
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(page.contains(header), "{header}");
    }
    assert!(!page.contains("access-control-allow"), "{page}");
    assert!(server.own("/app.js").contains("content-type: text/javascript"));
    for path in [
        "/../Cargo.toml",
        "/etc/passwd",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/page/app.js",
        "/app.js/",
        "/index.html%00",
        "/APP.JS",
    ] {
        assert!(server.own(path).starts_with("HTTP/1.1 404"), "{path}");
    }
    let port = server.host().split(':').nth(1).unwrap();
    assert!(server.get("/", &format!("Host: localhost:{port}\r\n")).starts_with("HTTP/1.1 200"));
    for host in [format!("evil.example:{port}"), "127.0.0.1".into(), format!("10.0.0.1:{port}"), String::new()] {
        let answer = server.get("/", &format!("Host: {host}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 4"), "{host}: {answer}");
    }
    let from_elsewhere = format!("Host: {}\r\nOrigin: http://evil.example\r\n", server.host());
    assert!(server.get("/", &from_elsewhere).starts_with("HTTP/1.1 403"));
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let answer = server.ask(&format!("GET /ws HTTP/1.1\r\n{from_elsewhere}{upgrade}\r\n"));
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    let post =
        server.ask(&format!("POST / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", server.host()));
    assert!(post.starts_with("HTTP/1.1 405"), "{post}");
    // Garbage, and a header without an end, do no harm.
    assert!(!server.ask("\u{0}\u{1}\r\n\r\n").starts_with("HTTP/1.1 200"));
    assert!(server.ask(&format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(500_000))).starts_with("HTTP/1.1 4"));
    assert!(server.own("/").starts_with("HTTP/1.1 200"));
}

#[test]
fn the_network_needs_the_token() {
    let server = Server::start(&["--lan"]);
    assert_eq!(server.base().len(), 34, "{}", server.address);
    assert!(server.own(server.base()).starts_with("HTTP/1.1 200"));
    for path in ["/", "/app.js", "/ws", "/00000000000000000000000000000000/"] {
        assert!(server.own(path).starts_with("HTTP/1.1 404"), "{path}");
    }
    assert!(server.page().hello["program"].as_str().is_some_and(|name| name.starts_with("chuhe ")));
    let other = Server::start(&["--lan"]);
    assert_ne!(server.base(), other.base());
}

#[test]
fn questions_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("given.pgn");
    std::fs::write(&path, GAME).unwrap();
    let server = Server::start(&[path.to_str().unwrap()]);
    let mut page = server.page();
    assert_eq!(page.hello["files"], json!(["given.pgn"]));
    assert!(page.hello["levels"].as_array().is_some_and(|levels| levels.len() >= 10));

    let told = page.ask(json!({"position": {"line": {"moves": ["h2e2"]}, "notation": "wxf"}}))["position"].clone();
    assert_eq!((&told["side"], told["legal"].as_array().map(Vec::len)), (&json!("black"), Some(45)));
    assert!(told["book"][0]["text"].is_string() && told["ruling"]["verdict"] == "undecided", "{told}");
    assert_eq!(page.ask(json!({"read": {"line": {}, "text": "炮二平五"}}))["read"]["moves"][0]["move"], "h2e2");

    let opened = page.ask(json!({"open": {"source": {"given": 0}}}))["opened"].clone();
    assert_eq!(
        (opened["games"].as_array().map(Vec::len), &opened["names"]),
        (Some(2), &json!(["C2=5", "H8+7", "H2+3", "P7+1", "P7+1"]))
    );
    let tree = opened["tree"].clone();
    assert_eq!(tree["nodes"][0]["comment"], "one");
    assert_eq!(page.ask(json!({"names": {"tree": tree, "notation": "uci"}}))["names"][3], "c3c4");

    let saved = page.ask(json!({"save": {"tree": tree, "format": "xqf"}}))["saved"].clone();
    let source = json!({"file": {"name": "again.xqf", "bytes": saved["bytes"]}});
    let again = page.ask(json!({"open": {"source": source}}))["opened"]["tree"].clone();
    assert_eq!((&again["nodes"], &again["result"]), (&tree["nodes"], &tree["result"]));
    let faults = page.ask(json!({"setup": {"fen": "9/9/9/9/9/9/9/9/9/9 w"}}))["setup"].clone();
    assert_eq!((&faults["playable"], faults["faults"].as_array().map(Vec::len)), (&json!(false), Some(2)));
    let drawing = page.ask(json!({"draw": {"line": {}, "format": "png"}}))["saved"].clone();
    assert!(drawing["bytes"].as_str().is_some_and(|bytes| bytes.starts_with("iVBOR")), "{drawing}");
}

#[test]
fn a_page_that_outlives_its_server_finds_files_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.pgn", "two.pgn"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    std::fs::write(&one, GAME).unwrap();
    std::fs::write(&two, "1. P7+1 *\n").unwrap();
    let opened = |files: &[&str]| {
        let server = Server::start(files);
        server.page().ask(json!({"open": {"source": {"given_file": {"name": "one.pgn", "number": 0}}}}))
    };
    for files in [[one.as_str(), two.as_str()], [two.as_str(), one.as_str()]] {
        assert_eq!(opened(&files)["opened"]["names"][0], "C2=5", "{files:?}");
    }
    let answer = opened(&[two.as_str()]);
    assert!(error_of(&answer).contains("no file 'one.pgn' among"), "{answer}");
}

#[test]
fn a_library_is_explored_and_its_games_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().expect("paths of tests are UTF-8").to_string();
    std::fs::write(file("games.pgn"), GAME).unwrap();
    let added =
        Command::new(chuhe()).args(["library", "add", &file("games.pgn"), "--library", &file("own.chuhe")]).output().unwrap();
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let server = Server::start(&["--library", &file("own.chuhe")]);
    let mut page = server.page();
    assert_eq!(page.hello["library"], "own.chuhe");
    let found = page.ask(json!({"explore": {"line": {"moves": ["b2e2"]}, "notation": "wxf"}}))["explored"].clone();
    assert!(found["games"].as_u64() >= Some(1) && found["moves"][0]["text"] == "H2+3", "{found}");
    // The same games, sent by the page, give the same answer.
    let lines = page.ask(json!({"lines": {"source": {"text": GAME}}}))["lines"].clone();
    let ask = json!({"explore": {"line": {"moves": ["b2e2"]}, "notation": "wxf", "games": lines}});
    assert_eq!(page.ask(ask)["explored"]["moves"], found["moves"]);
    let game = &found["latest"][0]["game"];
    let opened = page.ask(json!({"open": {"source": {"library": game}}}))["opened"].clone();
    assert_eq!((&opened["tree"]["nodes"][0]["move"], &opened["tree"]["nodes"][0]["comment"]), (&json!("h2e2"), &json!("one")));
    let answer = page.ask(json!({"open": {"source": {"library": 99}}}));
    assert!(error_of(&answer).contains("no game 99"), "{answer}");
    let missing = Command::new(chuhe()).args(["serve", "--library", &file("none.chuhe")]).output().unwrap();
    let told = String::from_utf8_lossy(&missing.stderr);
    assert!(!missing.status.success() && told.contains("none.chuhe: no such library"), "{told}");
    // Without a library this is reported.
    let server = Server::start(&[]);
    let mut page = server.page();
    assert!(page.hello["library"].is_null());
    let answer = page.ask(json!({"explore": {"line": {}}}));
    assert!(error_of(&answer).contains("--library"), "{answer}");
}

#[test]
fn a_user_book_is_shown_edited_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("own.wxf");
    std::fs::write(&source, "C2.5*60\n").unwrap();
    for name in ["copy.wxf", "own.book", "own.obk", "own.xqb", "BOOK.DAT"] {
        let path = folder.path().join(name);
        let made = Command::new(chuhe()).args(["book", "convert"]).arg(&source).arg("-o").arg(&path).output().unwrap();
        assert!(made.status.success(), "{name}: {}", String::from_utf8_lossy(&made.stderr));
        let server = Server::start(&["--book", path.to_str().unwrap()]);
        let mut page = server.page();
        assert_eq!(page.hello["book"], name);
        let weights = |book: &Value| -> Vec<(String, u64)> {
            let moves = book.as_array().expect("a list").iter();
            moves.map(|known| (known["text"].as_str().unwrap().to_string(), known["weight"].as_u64().unwrap())).collect()
        };
        let shown = page.ask(json!({"position": {"line": {}}}))["position"]["book"].clone();
        assert_eq!(weights(&shown), [("C2=5".to_string(), 60)], "{name}");
        for (mv, weight) in [("a3a4", Some(7)), ("h2e2", Some(5)), ("h2e2", None)] {
            let ask = json!({"book": {"line": {}, "move": mv, "weight": weight}});
            assert!(page.ask(ask.clone()).get("book").is_some(), "{name}: {ask}");
        }
        // Another process reads the change, and the engine plays the only remaining move.
        assert_eq!(Book::open(&path).unwrap().moves(Position::startpos().board()).unwrap().len(), 1, "{name}");
        // The position is symmetric, and some formats store the mirror image of a move.
        let played = page.ask(json!({"move": {"line": {}, "level": 12}}))["move"].clone();
        assert!(
            played["book"] == true && ["a3a4", "i3i4"].contains(&played["move"]["move"].as_str().unwrap()),
            "{name}: {played}"
        );
        let answer = page.ask(json!({"book": {"line": {}, "move": "h2e2"}}));
        assert!(error_of(&answer).contains("h2e2 is not in the book"), "{name}: {answer}");
    }
    let server = Server::start(&[]);
    let mut page = server.page();
    assert!(page.hello["book"].is_null());
    let answer = page.ask(json!({"book": {"line": {}, "move": "h2e2", "weight": 5}}));
    assert!(error_of(&answer).contains("--book"), "{answer}");
}

#[test]
fn searches_stream_and_stop() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let id = page.send(json!({"analyse": {"line": {"moves": ["h2e2"]}, "lines": 2, "depth": 6}}));
    let answers = page.until(id, "done");
    let last = &answers[answers.len() - 2]["analysis"];
    assert_eq!(
        (&answers[answers.len() - 1]["done"]["stopped"], last["result"]["lines"].as_array().map(Vec::len)),
        (&json!(false), Some(2))
    );
    assert_eq!(last["texts"][0].as_array().map(Vec::len), last["result"]["lines"][0]["pv"].as_array().map(Vec::len));

    // Without a limit the search runs until it is stopped; a new search ends the previous one.
    let first = page.send(json!({"analyse": {"line": {}}}));
    page.until(first, "analysis");
    let second = page.send(json!({"move": {"line": {}, "level": 3, "movetime": 50}}));
    page.until(first, "done");
    let answers = page.until(second, "move");
    assert!(answers[0]["move"]["move"]["move"].is_string(), "{answers:?}");
    let third = page.send(json!({"analyse": {"line": {}}}));
    page.until(third, "analysis");
    page.send(json!({"stop": {}}));
    assert_eq!(page.until(third, "done").last().unwrap()["done"]["stopped"], true);

    let tree = page.ask(json!({"open": {"source": {"text": GAME}}}))["opened"]["tree"].clone();
    let id = page.send(json!({"review": {"tree": tree, "nodes": 500}}));
    let answers = page.until(id, "review");
    let results: Vec<Value> =
        answers.iter().filter_map(|answer| answer.get("progress")).map(|progress| progress["result"].clone()).collect();
    assert_eq!((results.len(), answers[4]["review"]["moves"].as_array().map(Vec::len)), (4, Some(3)));
    let report = page.ask(json!({"report": {"tree": tree, "results": results}}))["saved"].clone();
    assert!(report["name"] == "A-B.html" && report["bytes"].as_str().is_some_and(|bytes| bytes.len() > 10_000), "{report}");
    let annotated = page.ask(json!({"save": {"tree": tree, "format": "pgn", "results": results}}))["saved"].clone();
    let again =
        page.ask(json!({"open": {"source": {"file": {"name": "a.pgn", "bytes": annotated["bytes"]}}}}))["opened"]["tree"].clone();
    let scored = |node: &&Value| node["comment"].as_str().is_some_and(|comment| comment.starts_with("[%eval "));
    assert_eq!(again["nodes"].as_array().unwrap().iter().filter(scored).count(), results.len() - 1, "{again}");
    let wrong = page.ask(json!({"report": {"tree": tree, "results": results[1..]}}));
    assert_eq!(wrong["error"]["message"], "3 results, expected 4, one for each position of the game");
}

#[test]
fn invalid_messages_are_reported_and_do_no_harm() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, part) in [
        ("", "EOF"),
        ("{}", "missing field `id`"),
        (r#"{"id":1}"#, "missing field `ask`"),
        (r#"{"id":1,"ask":{"position":{"line":{}}},"more":1}"#, "unknown field `more`"),
        (r#"{"id":1,"ask":{"shutdown":{}}}"#, "unknown variant `shutdown`"),
        (r#"{"id":-1,"ask":{"stop":{}}}"#, "invalid value"),
        (deep.as_str(), "invalid type"),
    ] {
        page.socket.send(Message::text(text)).unwrap();
        let (_, answer) = page.next();
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains(part)), "{part}: {answer}");
    }
    page.socket.send(Message::binary(vec![0, 1, 2])).unwrap();
    assert!(page.next().1["error"]["message"].as_str().unwrap().contains("binary"));
    for (ask, part) in [
        (json!({"position": {"line": {"start": "x"}}}), "FEN has 1 row,"),
        (json!({"position": {"line": {"moves": ["a0a9"]}}}), "move 1: 'a0a9' is not legal"),
        (json!({"position": {"line": {"moves": vec!["h2e2"; 20_000]}}}), "20000 moves, expected at most 10000"),
        (json!({"open": {"source": {"given": 0}}}), "there is no file 0"),
        (json!({"open": {"source": {"file": {"name": "../../etc/passwd", "bytes": ""}}}}), "empty"),
        (json!({"open": {"source": {"file": {"name": "a.xqf", "bytes": "?"}}}}), "not Base64"),
        (json!({"open": {"source": {"text": GAME}, "game": 9}}), "there is no game 9, the file has 2"),
        (json!({"move": {"line": {}, "level": 99}}), "level 99, expected 1 to"),
        (json!({"save": {"tree": {"start": ""}, "format": "cbr"}}), "FEN is empty"),
        (json!({"analyse": {"line": {"start": "3k5/9/9/9/9/9/9/9/9/P3K4 w"}}}), "does not search"),
    ] {
        let answer = page.ask(ask);
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains(part)), "{part}: {answer}");
    }
    // The page still works, also with a larger message.
    let text = format!("1. C2=5 {{{}}} *", "x".repeat(3_000_000));
    assert_eq!(page.ask(json!({"open": {"source": {"text": text}}}))["opened"]["names"], json!(["C2=5"]));
}

#[test]
fn the_numbers_of_pages_and_searches_are_limited() {
    let server = Server::start(&[]);
    let mut pages: Vec<Page> = (0..16).map(|_| server.page()).collect();
    let address = format!("ws://{}/ws", server.host());
    // The code and the reason with which a page too many is closed.
    let turned_away = || match connect(address.clone()).expect("the server answers").0.read() {
        Ok(Message::Close(Some(frame))) => Some((u16::from(frame.code), frame.reason.to_string())),
        _ => None,
    };
    assert_eq!(turned_away(), Some((1013, "16 pages are connected, the maximum".into())));
    let mut refused = 0;
    for page in pages.iter_mut().take(5) {
        let id = page.send(json!({"analyse": {"line": {}}}));
        let (answered, answer) = page.next();
        assert_eq!(answered, id);
        refused += (answer["error"]["busy"] == true) as usize;
    }
    assert_eq!(refused, 1);
    // Closing a page frees its slot.
    pages.drain(..5);
    let deadline = Instant::now() + Duration::from_secs(20);
    while turned_away().is_some() {
        assert!(Instant::now() < deadline, "no room for another page");
        std::thread::sleep(Duration::from_millis(20));
    }
    // The searches of closed pages end soon afterwards.
    let mut page = pages.pop().unwrap();
    loop {
        let id = page.send(json!({"analyse": {"line": {}, "depth": 2}}));
        let (_, answer) = page.next();
        if answer["error"]["busy"] != true {
            break drop(page.until(id, "done"));
        }
        assert!(Instant::now() < deadline, "no room for another search");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// More connections that send nothing, or half a request, than the server may have open files: they are closed in favour of active ones, and
/// pages are not affected.
#[cfg(unix)]
#[test]
fn silent_connections_block_nobody() {
    let server = Server::of(Command::new("sh").args(["-c", "ulimit -n 128 && exec \"$0\" \"$@\""]).arg(chuhe()), &[]);
    let mut page = server.page();
    let silent: Vec<TcpStream> = (0..150)
        .map(|number| {
            let mut stream = TcpStream::connect(server.host()).expect("the server listens");
            if number % 2 == 1 {
                stream.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("the connection is new");
            }
            stream
        })
        .collect();
    assert!(server.own("/").starts_with("HTTP/1.1 200 OK"));
    let question = json!({"read": {"line": {}, "text": "C2=5"}});
    for page in [&mut server.page(), &mut page] {
        assert_eq!(page.ask(question.clone())["read"]["moves"][0]["move"], "h2e2");
    }
    drop(silent);
}

#[cfg(target_os = "linux")]
#[test]
fn a_search_ends_with_its_page_and_idleness_costs_nothing() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let id = page.send(json!({"analyse": {"line": {}}}));
    page.until(id, "analysis");
    // Without closing the connection, like a phone that leaves the network.
    drop(page);
    let _idle = server.page();
    std::thread::sleep(Duration::from_millis(300));
    let before = server.processor_time();
    std::thread::sleep(Duration::from_millis(1500));
    let used = server.processor_time() - before;
    assert!(used <= 2, "{used} ticks in 1.5 s");
}

#[cfg(unix)]
#[test]
fn it_ends_on_request_and_reports_why_it_cannot_start() {
    let mut server = Server::start(&[]);
    let mut page = server.page();
    let id = page.send(json!({"analyse": {"line": {}}}));
    page.until(id, "analysis");
    engine_tests::signal(&server.child, "INT");
    let status = server.child.wait().unwrap();
    assert!(status.success(), "{status}");

    let taken = Server::start(&[]);
    let port = taken.host().split(':').nth(1).unwrap();
    for (arguments, part) in [
        (vec!["serve", "--port", port], format!("127.0.0.1:{port}")),
        (vec!["serve", "no/such/file.pgn"], "no/such/file.pgn: No such file".into()),
        (vec!["serve", "."], ".: is a folder".into()),
    ] {
        let output = Command::new(chuhe()).args(&arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.lines().count() == 1 && error.contains(&part), "{error}");
    }
}

/// The rows of the table that begins with this header: the code words of each cell.
fn table(page: &str, header: &str) -> Vec<Vec<Vec<String>>> {
    let words = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_string).collect::<Vec<_>>();
    let rows = page.lines().skip_while(|line| !line.starts_with(header)).skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split('|').map(words).collect()).collect()
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words
}

fn error_of(answer: &Value) -> &str {
    answer["error"]["message"].as_str().unwrap_or_default()
}

/// The valid words listed in the error for an unknown one.
fn expected(page: &mut Page, ask: Value) -> Vec<String> {
    let id = page.send(ask);
    let answers = page.until(id, "error");
    let message = error_of(&answers[0]);
    let (_, list) = message.split_once("expected").unwrap_or_else(|| panic!("{message}"));
    list.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

/// A value that a field may have.
fn value_of(field: &str) -> Value {
    match field {
        "line" => json!({}),
        "tree" => json!({"start": "4k4/9/9/9/9/9/9/9/9/3K5 w"}),
        "source" => json!({"text": "C2=5"}),
        "results" => json!([]),
        "format" => json!("pgn"),
        "move" => json!("h2e2"),
        "level" | "game" => json!(1),
        "parent" | "remaining" => json!(0),
        "bytes" => json!(""),
        _ => json!("x"),
    }
}

/// The required fields of an object. `within` wraps it in a request.
fn needed(page: &mut Page, within: &dyn Fn(Value) -> Value) -> Vec<String> {
    let mut fields = Vec::new();
    loop {
        let object: serde_json::Map<String, Value> =
            fields.iter().map(|field: &String| (field.clone(), value_of(field))).collect();
        let id = page.send(within(Value::Object(object)));
        // A stopped search may still report its end.
        let answer = loop {
            if let (answered, answer) = page.next()
                && answered == id
            {
                break answer;
            }
        };
        let Some((_, field)) = error_of(&answer).split_once("missing field `") else {
            if answer.get("analysis").is_some() || answer.get("progress").is_some() {
                let id = page.send(json!({"stop": {}}));
                page.until(id, "done");
            }
            return fields;
        };
        let field = field.split('`').next().unwrap_or_default();
        fields.push(field.to_string());
    }
}

/// The document of the protocol lists every message with its required and optional fields, and no others.
#[test]
fn the_documented_requests_are_those_of_the_server() {
    let text = std::fs::read_to_string(repository().join("docs/src/developers/serve.md")).expect("the document");
    let server = Server::start(&[]);
    let mut page = server.page();
    let documented = table(&text, "| ask |");
    assert_eq!(documented.iter().map(|row| row[0].concat()).collect::<Vec<_>>(), expected(&mut page, json!({"none": {}})));
    type Within = Box<dyn Fn(Value) -> Value>;
    let mut rows: Vec<(Vec<Vec<String>>, Within)> = Vec::new();
    for row in documented.into_iter().filter(|row| row[0][0] != "stop") {
        let name = row[0].concat();
        rows.push((row, Box::new(move |object| json!({&name: object}))));
    }
    for row in table(&text, "| object of a request |") {
        let within: Within = match row[0].concat().as_str() {
            "line" => Box::new(|object| json!({"position": {"line": object}})),
            "tree" => Box::new(|object| json!({"names": {"tree": object}})),
            "node" => Box::new(|object| json!({"names": {"tree": {"start": "", "nodes": [object]}}})),
            "file" => Box::new(|object| json!({"open": {"source": {"file": object}}})),
            "among" => Box::new(|object| json!({"save": {"tree": {"start": ""}, "format": "pgn", "among": object}})),
            "played" => Box::new(|object| json!({"explore": {"line": {}, "games": [object]}})),
            "clock" => Box::new(|object| json!({"move": {"line": {}, "level": 1, "clock": object}})),
            other => panic!("no message with {other}"),
        };
        rows.push((row, within));
    }
    assert_eq!(rows.len(), 23);
    for (row, within) in &rows {
        let all = expected(&mut page, within(json!({"none": 1})));
        assert_eq!(sorted([&row[1][..], &row[2][..]].concat()), sorted(all), "{:?}", row[0]);
        assert_eq!(sorted(row[1].clone()), sorted(needed(&mut page, within)), "{:?}", row[0]);
    }
}

/// The name of a variant in messages.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// The documented answers have the fields that the server sends.
#[test]
fn the_documented_answers_are_those_of_the_server() {
    let text = std::fs::read_to_string(repository().join("docs/src/developers/serve.md")).expect("the document");
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("own.wxf");
    std::fs::write(&book, "C2.5*60\n").unwrap();
    let server = Server::start(&["--book", book.to_str().unwrap()]);
    let mut page = server.page();
    let mut answers: Vec<Value> = vec![json!({"hello": page.hello})];
    let tree = json!({"start": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "nodes": [{"parent": 0, "move": "h2e2"}]});
    let rounds: Vec<&str> = "h0g2 h9g7 g2h0 g7h9".split(' ').cycle().take(8).collect();
    for (ask, last) in [
        (json!({"position": {"line": {}}}), "position"),
        (json!({"read": {"line": {}, "text": "C2=5"}}), "read"),
        (json!({"open": {"source": {"text": GAME}}}), "opened"),
        (json!({"names": {"tree": tree}}), "names"),
        (json!({"lines": {"source": {"text": GAME}}}), "lines"),
        (json!({"explore": {"line": {}, "games": [{"moves": "h2e2", "red": "A"}]}}), "explored"),
        (json!({"puzzles": {"source": {"text": "{}"}}}), "puzzles"),
        (json!({"book": {"line": {}, "move": "h2e2", "weight": 50}}), "book"),
        (json!({"save": {"tree": tree, "format": "pgn"}}), "saved"),
        (json!({"setup": {"fen": "3kk4/9/9/9/9/9/9/9/9/A2K5 w"}}), "setup"),
        (json!({"analyse": {"line": {}, "depth": 2}}), "done"),
        (json!({"move": {"line": {}, "level": 1}}), "move"),
        (json!({"review": {"tree": tree, "nodes": 1000}}), "review"),
        (json!({"draw_offer": {"line": {}}}), "draw_reply"),
        (json!({"none": {}}), "error"),
    ] {
        let id = page.send(ask);
        answers.extend(page.until(id, last));
    }
    let keys = |value: &Value| value.as_object().map(|object| object.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let find = |kind: &str| answers.iter().find_map(|answer| answer.get(kind)).unwrap_or_else(|| panic!("no answer {kind}"));
    let documented = table(&text, "| answer |");
    for row in documented.iter().filter(|row| !row[2].is_empty()) {
        assert_eq!(sorted(row[2].clone()), sorted(keys(find(&row[0].concat()))), "{:?}", row[0]);
    }
    // Answers without fields are lists, or have a form described on another page.
    let without: Vec<String> = documented.iter().filter(|row| row[2].is_empty()).map(|row| row[0].concat()).collect();
    assert_eq!(without, ["names", "lines", "book", "review"]);
    // Every kind of answer is documented, in the order of the source.
    let source = std::fs::read_to_string(repository().join("src/board_page/message/answer.rs")).expect("the types");
    let variants = source.split("pub enum Answer {").nth(1).and_then(|rest| rest.split("\n}\n").next()).expect("the answers");
    let names: Vec<String> = variants
        .lines()
        .filter_map(|line| line.strip_prefix("    ").filter(|rest| rest.starts_with(char::is_uppercase)))
        .map(|line| snake_case(line.split(['(', ' ', ',']).next().unwrap_or_default()))
        .collect();
    assert_eq!(documented.iter().map(|row| row[0].concat()).collect::<Vec<_>>(), names);
    let told = page.ask(json!({"position": {"line": {"moves": rounds}}}));
    let objects = table(&text, "| object of an answer |");
    let exact = page.ask(json!({"position": {"line": {"start": "3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w"}}}));
    assert_eq!(objects.len(), 13);
    for row in objects {
        let object = match row[0].concat().as_str() {
            "choice" => &find("hello")["notations"][0],
            "format" => &find("hello")["formats"][0],
            "move" => &find("position")["legal"][0],
            "book" => &find("position")["book"][0],
            "endgame" => &exact["position"]["endgame"],
            "opening" => &find("position")["book"][0]["opening"],
            "ruling" => &find("position")["ruling"],
            "loop_move" => &told["position"]["ruling"]["moves"][0],
            "game" => &find("opened")["games"][0],
            "explored_move" => &find("explored")["moves"][0],
            "player" => &find("explored")["moves"][0]["players"][0],
            "explored_game" => &find("explored")["latest"][0],
            "fault" => &find("setup")["faults"][0],
            other => panic!("no answer with {other}"),
        };
        assert_eq!(sorted(row[1].clone()), sorted(keys(object)), "{:?}: {object}", row[0]);
    }
    assert_eq!(find("read")["moves"][0], json!({"move": "h2e2", "text": "C2=5"}));
}
