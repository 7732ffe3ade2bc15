//! The first questions of a process, by several threads at once, on every driver found. The one test of this
//! file has its process to itself: only the first use counts.

use std::sync::Barrier;

use opencl_runtime::{Context, DeviceType, Platform};

#[test]
fn threads_that_ask_first_together_are_told_the_same() {
    const THREADS: usize = 8;
    let start = Barrier::new(THREADS);
    let ask = || {
        start.wait();
        let platforms = Platform::all().expect("tests of objects need an OpenCL driver");
        platforms
            .iter()
            .map(|platform| {
                let context = Context::from_type(platform, DeviceType::ALL, &[]);
                let devices = platform.devices().unwrap();
                // A context by type has all devices, and there is none where there are no devices.
                assert_eq!(context.map_or(0, |context| context.devices().unwrap().len()), devices.len());
                devices
            })
            .collect::<Vec<_>>()
    };
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert!(answers[0].iter().any(|devices| !devices.is_empty()), "tests of objects need an OpenCL device");
}
