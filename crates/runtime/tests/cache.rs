//! The program cache on every driver found.

mod common;

use common::on_each_device;
use opencl_runtime::cache::{
    Cache, binaries_of, build, build_in, directory, included_files, key_of, set_directory,
};
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

#[test]
fn an_entry_is_found_by_its_name() {
    on_each_device(|context, _| {
        let dir = tempfile::tempdir().unwrap();
        let devices = context.devices().unwrap();
        let source = "kernel void k(global int *o) { o[0] = 6; }";
        let options = BuildOptions::text("-DX=1");
        let key = key_of(source, &options, &devices).unwrap();
        assert_eq!(binaries_of(dir.path(), &key), None);
        let cache = Cache::Directory(dir.path().to_owned());
        build_in(&cache, context, source, &options, Some(&devices)).unwrap();
        let binaries = binaries_of(dir.path(), &key).unwrap();
        assert_eq!(binaries.len(), devices.len());
        assert!(binaries.iter().all(|binary| !binary.is_empty()));
        assert_ne!(key_of(source, &BuildOptions::text("-DX=2"), &devices), Some(key));
        assert_eq!(key_of("#include HEADER", &options, &devices), None);
        assert_eq!(binaries_of(dir.path(), "no key"), None);
    });
}

#[test]
fn a_context_has_a_directory_of_its_own() {
    on_each_device(|context, _| {
        let dir = tempfile::tempdir().unwrap();
        let context = Context::new(&context.devices().unwrap()).unwrap();
        assert_eq!(directory(&context), None);
        assert_eq!(Cache::of_context(&context), Cache::of_user());
        set_directory(&context, Some(dir.path().to_owned()));
        assert_eq!(directory(&context).as_deref(), Some(dir.path()));
        build(&context, "kernel void k() {}", &BuildOptions::default()).unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    });
}

#[test]
fn included_files_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let [outer, inner] = ["outer.h", "inner.h"].map(|name| dir.path().join(name));
    std::fs::write(&outer, "#include \"inner.h\"\n").unwrap();
    std::fs::write(&inner, "").unwrap();
    let folders = [dir.path().to_owned()];
    assert_eq!(included_files("#include <outer.h>\n", &folders), Some(vec![inner, outer]));
    assert_eq!(included_files("#include <gone.h>\n", &folders), Some(Vec::new()));
    assert_eq!(included_files("#include NAME\n", &folders), None);
}
