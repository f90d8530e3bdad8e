//! Parallel processing of items with results in input order.

use super::Failure;
use crate::threads::STACK;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, select};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Items per thread that are being processed or waiting for an earlier result: enough that one slow item does not idle the other threads,
/// few enough to bound memory use.
const WINDOW: usize = 16;

/// Processes items on `jobs` threads and passes the results to `consume` in item order. `produce` calls its argument once per item and stops
/// when that returns false. Each worker is created in its own thread; it returns `None` for an item it did not finish, and no result after
/// that is consumed. Returns true if all results were consumed. Once `stop` is true, `produce` is not joined, because it may block on
/// standard input.
///
/// # Errors
/// The first error of `consume`; no further items are started after it.
pub fn in_order<T: Send + 'static, R: Send, W: FnMut(T) -> Option<R>>(
    jobs: usize,
    stop: &Arc<AtomicBool>,
    produce: impl FnOnce(&mut dyn FnMut(T) -> bool) + Send + 'static,
    worker: impl Fn() -> W + Sync,
    mut consume: impl FnMut(R) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let (task_sender, tasks) = bounded::<(usize, T)>(jobs);
    let (result_sender, results) = bounded::<(usize, Option<R>)>(jobs);
    // One token per item in flight: taken before the item is sent to a worker, returned when its result is consumed.
    let (token_sender, tokens) = bounded::<()>(jobs * WINDOW);
    // Closed to make the workers exit.
    let (open, end) = bounded::<()>(0);
    for _ in 0..jobs * WINDOW {
        let _ = token_sender.send(());
    }
    let begun = Arc::new(AtomicUsize::new(0));
    let (is_stopped, sent) = (Arc::clone(stop), Arc::clone(&begun));
    let no_thread = |error| format!("cannot start a thread: {error}");
    let produce = move || produce(&mut |item| tokens.recv().is_ok() && send_item(item, &task_sender, &sent, &is_stopped));
    std::thread::Builder::new().spawn(produce).map_err(no_thread)?;
    std::thread::scope(|scope| {
        for number in 0..jobs {
            let (tasks, end, results, worker) = (tasks.clone(), end.clone(), result_sender.clone(), &worker);
            let run = move || work(worker(), &tasks, &end, &results);
            // The work may be a search.
            match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run) {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(no_thread(error).into()),
                // Those that have started do the work.
                Err(_) => break,
            }
        }
        drop((tasks, result_sender, end));
        let mut outcome = Ok(());
        let (mut received, mut next, mut waiting, mut is_complete) = (0, 0, BTreeMap::new(), true);
        loop {
            // The timeout lets an interrupt be noticed while waiting for input.
            match results.recv_timeout(Duration::from_millis(50)) {
                Ok((number, result)) => {
                    received += 1;
                    waiting.insert(number, result);
                    while let Some(result) = waiting.remove(&next) {
                        next += 1;
                        let _ = token_sender.send(());
                        match result {
                            Some(result) if is_complete && outcome.is_ok() => outcome = consume(result),
                            Some(_) => {}
                            None => is_complete = false,
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
        outcome.map(|()| is_complete && !stop.load(Ordering::SeqCst))
    })
}

/// Sends an item to the workers; false if no more items are needed. Only items that were actually sent count as begun.
fn send_item<T>(item: T, tasks: &Sender<(usize, T)>, begun: &AtomicUsize, stop: &AtomicBool) -> bool {
    let number = begun.fetch_add(1, Ordering::SeqCst);
    let is_wanted = !stop.load(Ordering::SeqCst) && tasks.send((number, item)).is_ok();
    if !is_wanted {
        begun.fetch_sub(1, Ordering::SeqCst);
    }
    is_wanted
}

/// Processes items until there are no more or `end` is closed.
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
    fn results_are_ordered_and_stop_at_an_unfinished_item() {
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
            let is_complete = in_order(jobs, &stop, produce, work, |item| {
                got.push(item);
                Ok(())
            });
            assert!(!is_complete.unwrap());
            assert_eq!(got, (0..60).map(|item| 2 * item).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_stops_the_pipeline() {
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
    fn a_blocked_producer_is_not_joined_after_a_stop() {
        let stop = Arc::new(AtomicBool::new(false));
        let (_open, never) = bounded::<()>(0);
        let produce = move |give: &mut dyn FnMut(usize) -> bool| {
            let _ = (0..3).all(&mut *give);
            let _ = never.recv();
        };
        let mut seen = 0;
        let is_complete = in_order(
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
        assert_eq!((is_complete.unwrap(), seen), (false, 3));
    }
}
