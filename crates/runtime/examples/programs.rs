//! Programs: sources with options, errors of the compiler, binaries, separate compilation, the cache.
//!
//! ```text
//! cargo run -p opencl-runtime --example programs
//! ```

use opencl_runtime::{
    Arg, Buffer, BuildOptions, CommandQueue, Context, Error, MemFlags, NdRange, Program, Result, WaitList,
    cache, link,
};

const SOURCE: &str = "kernel void add(global int *a) { a[get_global_id(0)] += STEP; }";

fn main() -> Result<()> {
    let context = Context::from_environment()?; // the device that PYOPENCL_CTX names, else the first one
    println!("on {}", context.devices()?[0].name()?);
    let queue = CommandQueue::new(&context)?;
    let program = sources(&queue)?;
    mistakes(&context)?;
    binaries(&queue, &program)?;
    parts(&queue)?;
    cached(&queue)
}

/// What the kernel `add` of a program makes of 1, 2, 3.
fn run(queue: &CommandQueue, program: &Program) -> Result<[i32; 3]> {
    let buffer = Buffer::from_slice(queue.context(), MemFlags::READ_WRITE, &[1, 2, 3])?;
    let kernel = program.kernel("add")?;
    // SAFETY: the kernel touches one int a work-item, the buffer holds three, and nothing else uses it.
    unsafe { kernel.launch(queue, &NdRange::new(&[3]), &[Arg::Mem(&buffer)], &WaitList::default())? };
    let mut result = [0; 3];
    queue.read(&buffer, 0, &mut result)?;
    Ok(result)
}

/// Source text, built with options. The words of a list may have spaces in them.
fn sources(queue: &CommandQueue) -> Result<Program> {
    let program = Program::with_source(queue.context(), SOURCE)?;
    program.build(&BuildOptions::words(&["-D", "STEP=(5 + 5)"]))?;
    assert_eq!(program.kernel_names()?, "add");
    let result = run(queue, &program)?;
    assert_eq!(result, [11, 12, 13]);
    println!("source    {result:?}");
    Ok(program)
}

/// An error of the compiler comes with its log, the options and the lines concerned.
fn mistakes(context: &Context) -> Result<()> {
    let wrong = Program::with_source(context, "kernel void add(global int *a)\n{\n    a[0] = STEP;\n}\n")?;
    let error = wrong.build(&BuildOptions::text("-DOTHER=1")).expect_err("STEP is not defined");
    let text = error.to_string();
    assert!(matches!(error, Error::Build(_)));
    assert!(text.contains("STEP") && text.contains("-DOTHER=1"), "{text}");
    println!("refused   {}", text.lines().find(|line| line.contains("STEP")).unwrap_or_default());
    Ok(())
}

/// What the compiler made can be kept, and becomes a program again without its source.
fn binaries(queue: &CommandQueue, program: &Program) -> Result<()> {
    let (context, devices) = (queue.context(), program.devices()?);
    let made = program.binaries()?.0;
    let parts: Vec<&[u8]> = made.iter().map(Vec::as_slice).collect();
    let again = Program::with_binaries(context, &devices, &parts)?;
    again.build(&BuildOptions::default())?;
    assert_eq!((again.source()?.as_str(), run(queue, &again)?), ("", [11, 12, 13]));
    println!("binary    of {} bytes does the same", made[0].len());
    let error = Program::with_binaries(context, &devices, &vec![&b"nonsense"[..]; devices.len()])
        .and_then(|wrong| wrong.build(&BuildOptions::default()))
        .expect_err("no compiler writes this");
    println!("refused   {}", error.to_string().lines().next().unwrap_or_default());
    Ok(())
}

/// Parts that are compiled each on its own, one with a header that is a program too, and linked.
fn parts(queue: &CommandQueue) -> Result<()> {
    let context = queue.context();
    let header = Program::with_source(context, "int step(int);\n")?;
    let user = Program::with_source(
        context,
        "#include \"step.h\"\nkernel void add(global int *a) { a[get_global_id(0)] += step(a[0]); }",
    )?;
    let body = Program::with_source(context, "int step(int a) { return a < 0 ? 0 : 100; }")?;
    let none = BuildOptions::default();
    user.compile(&none, None, &[("step.h", &header)])?;
    body.compile(&none, None, &[])?;
    let program = link(context, &[user, body], &none, None)?;
    let result = run(queue, &program)?;
    assert_eq!(result, [101, 102, 103]);
    println!("linked    {result:?}");
    Ok(())
}

/// The cache builds a program once: later calls, of later processes too, get the binary.
fn cached(queue: &CommandQueue) -> Result<()> {
    let options = BuildOptions::text("-DSTEP=7");
    for _ in 0..2 {
        let program = cache::build(queue.context(), SOURCE, &options)?;
        assert_eq!(program.source()?, SOURCE);
        assert_eq!(run(queue, &program)?, [8, 9, 10]);
    }
    println!("cached    the second time without the compiler");
    Ok(())
}
