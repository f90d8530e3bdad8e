//! What happens when nobody reads the output to its end, as in `chuhe perft 4 --divide | head -1`.

use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn commands_that_print_end_quietly() {
    for arguments in [&["perft", "4", "--divide"][..], &["bench", "3"], &["notation", "--from", "uci", "--to", "wxr", "h2e2"]] {
        let mut child = Command::new(engine_tests::chuhe())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let mut errors = String::new();
        let stderr = child.stderr.take().expect("stderr is a pipe");
        stderr.take(10_000).read_to_string(&mut errors).expect("stderr is text");
        child.wait().expect("the program ends");
        assert_eq!(errors, "", "{arguments:?}");
    }
}
