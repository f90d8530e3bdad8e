//! Work shared out to threads whose results come back in the order of the input.

use super::Failure;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, select};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Items in work or waiting for an earlier one, for each thread: enough that a slow item does not idle the others, little enough that memory
/// stays small.
const WINDOW: usize = 16;

/// Has `jobs` threads work on what `produce` gives to its argument, which returns false when no more is wanted, and hands the results to
/// `consume` in the order of the items. A worker is made in its thread and gives none for an item that it did not finish; nothing after
/// that is consumed. Returns whether everything was. Once `stop` is true, `produce` is not waited for: it may hang on standard input.
///
/// # Errors
/// That of `consume`, after which nothing is begun.
pub fn in_order<T: Send + 'static, R: Send, W: FnMut(T) -> Option<R>>(
    jobs: usize,
    stop: &Arc<AtomicBool>,
    produce: impl FnOnce(&mut dyn FnMut(T) -> bool) + Send + 'static,
    worker: impl Fn() -> W + Sync,
    mut consume: impl FnMut(R) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let (task_sender, tasks) = bounded::<(usize, T)>(jobs);
    let (result_sender, results) = bounded::<(usize, Option<R>)>(jobs);
    // A token for every item in work: taken before it is handed out, given back when its result is consumed.
    let (token_sender, tokens) = bounded::<()>(jobs * WINDOW);
    // Closed when nothing more is to be worked on.
    let (open, end) = bounded::<()>(0);
    for _ in 0..jobs * WINDOW {
        let _ = token_sender.send(());
    }
    let begun = Arc::new(AtomicUsize::new(0));
    let (is_stopped, handed_out) = (Arc::clone(stop), Arc::clone(&begun));
    std::thread::spawn(move || {
        produce(&mut |item| tokens.recv().is_ok() && hand_out(item, &task_sender, &handed_out, &is_stopped));
    });
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (tasks, end, results, worker) = (tasks.clone(), end.clone(), result_sender.clone(), &worker);
            scope.spawn(move || work(worker(), &tasks, &end, &results));
        }
        drop((tasks, result_sender, end));
        let mut outcome = Ok(());
        let (mut received, mut next, mut waiting, mut is_whole) = (0, 0, BTreeMap::new(), true);
        loop {
            // Waking now and then notices an interrupt while the input is waited for.
            match results.recv_timeout(Duration::from_millis(50)) {
                Ok((number, result)) => {
                    received += 1;
                    waiting.insert(number, result);
                    while let Some(result) = waiting.remove(&next) {
                        next += 1;
                        let _ = token_sender.send(());
                        match result {
                            Some(result) if is_whole && outcome.is_ok() => outcome = consume(result),
                            Some(_) => {}
                            None => is_whole = false,
                        }
                        if outcome.is_err() {
                            stop.store(true, Ordering::SeqCst);
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::SeqCst) && begun.load(Ordering::SeqCst) == received => {
                    break;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        drop(open);
        outcome.map(|()| is_whole && !stop.load(Ordering::SeqCst))
    })
}

/// Hands out an item; false when no more is wanted. Only an item that a worker will get counts as begun.
fn hand_out<T>(item: T, tasks: &Sender<(usize, T)>, begun: &AtomicUsize, stop: &AtomicBool) -> bool {
    let number = begun.fetch_add(1, Ordering::SeqCst);
    let is_wanted = !stop.load(Ordering::SeqCst) && tasks.send((number, item)).is_ok();
    if !is_wanted {
        begun.fetch_sub(1, Ordering::SeqCst);
    }
    is_wanted
}

/// Works on items until there are none, or `end` is closed.
fn work<T, R>(
    mut worker: impl FnMut(T) -> Option<R>,
    tasks: &Receiver<(usize, T)>,
    end: &Receiver<()>,
    results: &Sender<(usize, Option<R>)>,
) {
    loop {
        let task = select! { recv(tasks) -> task => task, recv(end) -> _ => return };
        let Ok((number, item)) = task else { return };
        if results.send((number, worker(item))).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_end_at_what_was_not_finished() {
        for jobs in [1, 3] {
            let stop = Arc::new(AtomicBool::new(false));
            let mut got = Vec::new();
            let produce = |give: &mut dyn FnMut(u64) -> bool| {
                let _ = (0..100).all(&mut *give);
            };
            let work = || {
                |item: u64| {
                    std::thread::sleep(Duration::from_micros(item * 7919 % 300));
                    (item != 60).then_some(2 * item)
                }
            };
            let is_whole = in_order(jobs, &stop, produce, work, |item| {
                got.push(item);
                Ok(())
            });
            assert!(!is_whole.unwrap());
            assert_eq!(got, (0..60).map(|item| 2 * item).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let stop = Arc::new(AtomicBool::new(false));
        let produce = |give: &mut dyn FnMut(usize) -> bool| {
            let _ = (0..1000).all(&mut *give);
        };
        let mut seen = 0;
        let outcome = in_order(
            2,
            &stop,
            produce,
            || Some,
            |item| {
                seen = item;
                if item == 5 { Err("full".into()) } else { Ok(()) }
            },
        );
        assert!(outcome.is_err() && seen == 5);
    }

    #[test]
    fn an_input_that_hangs_is_not_waited_for_after_a_stop() {
        let stop = Arc::new(AtomicBool::new(false));
        let (_open, never) = bounded::<()>(0);
        let produce = move |give: &mut dyn FnMut(usize) -> bool| {
            let _ = (0..3).all(&mut *give);
            let _ = never.recv();
        };
        let mut seen = 0;
        let is_whole = in_order(
            2,
            &Arc::clone(&stop),
            produce,
            || Some,
            |_| {
                seen += 1;
                stop.store(seen == 3, Ordering::SeqCst);
                Ok(())
            },
        );
        assert_eq!((is_whole.unwrap(), seen), (false, 3));
    }
}
