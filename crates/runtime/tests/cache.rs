//! The program cache on every driver found.

mod common;

use common::on_each_device;
use opencl_runtime::cache::{Cache, build_in};
use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, Context, MemFlags, NdRange, Program, WaitList,
};

fn value_of(context: &Context, queue: &CommandQueue, program: &Program) -> i32 {
    let buffer = Buffer::new(context, MemFlags::READ_WRITE, 4).unwrap();
    let kernel = program.kernel("k").unwrap();
    // SAFETY: one work-item writes one number.
    unsafe { kernel.launch(queue, &NdRange::new(&[1]), &[Arg::Mem(&buffer)], &WaitList::default()) }.unwrap();
    let mut result = [0];
    queue.read(&buffer, 0, &mut result).unwrap();
    result[0]
}

#[test]
fn programs_are_found_again_in_memory_and_on_disk() {
    on_each_device(|context, queue| {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::Directory(dir.path().to_owned());
        let source = "kernel void k(global int *o) { o[0] = VALUE; }";
        let build = |context: &Context, value: i32| {
            let options = BuildOptions::text(format!("-DVALUE={value}"));
            build_in(&cache, context, source, &options, None).unwrap()
        };
        let first = build(context, 1);
        assert!(!first.found);
        assert_eq!(value_of(context, queue, &first.program), 1);
        let again = build(context, 1);
        assert!(again.found);
        assert_eq!(value_of(context, queue, &again.program), 1);
        assert_eq!(again.program.source_text().map(AsRef::as_ref), Some(source));
        assert!(!build(context, 2).found);

        // Another context has another memory, so this comes from disk.
        let other = Context::new(&context.devices().unwrap()).unwrap();
        let other_queue = CommandQueue::new(&other).unwrap();
        let found = build(&other, 1);
        assert!(found.found);
        assert_eq!(value_of(&other, &other_queue, &found.program), 1);
    });
}

#[test]
fn a_damaged_or_unwritable_cache_costs_a_build() {
    on_each_device(|context, _| {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::Directory(dir.path().to_owned());
        let source = "kernel void k(global int *o) { o[0] = 5; }";
        let options = BuildOptions::default();
        build_in(&cache, context, source, &options, None).unwrap();
        for entry in std::fs::read_dir(dir.path()).unwrap() {
            std::fs::write(entry.unwrap().path(), b"damaged").unwrap();
        }
        let other = Context::new(&context.devices().unwrap()).unwrap();
        assert!(!build_in(&cache, &other, source, &options, None).unwrap().found);
        let file = tempfile::NamedTempFile::new().unwrap();
        let nowhere = Cache::Directory(file.path().join("below"));
        assert!(!build_in(&nowhere, &other, source, &options, None).unwrap().found);
        assert!(!build_in(&Cache::Off, &other, source, &options, None).unwrap().found);
    });
}
