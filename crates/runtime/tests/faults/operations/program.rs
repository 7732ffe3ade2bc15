//! Operations on programs and kernels.

use super::{Operation, from, operation};
use crate::bench::{Bench, SOURCE};
use opencl_runtime::cache::{Cache, build_in};
use opencl_runtime::{Arg, BuildOptions, Error, Program, Result, link, status};

/// What a program is that does not build.
const BROKEN: &str = "kernel void k() {}\n#error STUB_BUILD_ERROR\n";

/// A program that was built.
fn built(bench: &Bench, source: &str) -> Result<Program> {
    let program = Program::with_source(&bench.context, source)?;
    program.build(&BuildOptions::text("-cl-kernel-arg-info"))?;
    Ok(program)
}

/// A program that was compiled.
fn compiled(bench: &Bench, source: &str) -> Result<Program> {
    let program = Program::with_source(&bench.context, source)?;
    program.compile(&BuildOptions::default(), None, &[])?;
    Ok(program)
}

/// Whether a build failed because of the program; any other failure is passed on.
fn expect_failure(outcome: Result<Program>, code: i32, log: &str) -> Result<()> {
    match outcome.map(drop).unwrap_err() {
        Error::Build(error) if error.code == code && error.logs.iter().any(|one| one.log.contains(log)) => {
            Ok(())
        }
        // The log may be what failed; then there is none, and the error is the same.
        Error::Build(error) if error.code == code && error.logs.iter().all(|one| one.log.is_empty()) => {
            Ok(())
        }
        other => Err(other),
    }
}

pub(super) const OPERATIONS: &[Operation] = &[
    operation!("make a program", |bench| Program::with_source(&bench.context, SOURCE).map(drop)),
    operation!("make a program from IL", |bench| Program::with_il(&bench.context, b"module").map(drop)),
    operation!("build", |bench| built(bench, SOURCE).map(drop)),
    operation!("build for a device", |bench| {
        let program = Program::with_source(&bench.context, SOURCE)?;
        program.build_for(&BuildOptions::default(), Some(std::slice::from_ref(&bench.device)))
    }),
    operation!("build with a warning", |bench| {
        let log = built(bench, "// STUB_BUILD_WARNING\n")?.build_log(&bench.device)?;
        assert_eq!(log, "stub:1: STUB_BUILD_WARNING\n");
        Ok(())
    }),
    operation!(
        "build what is broken",
        |bench| expect_failure(built(bench, BROKEN), status::BUILD_PROGRAM_FAILURE, "STUB_BUILD_ERROR"),
        provokes BUILD_PROGRAM_FAILURE,
        absorbs clGetProgramInfo in from(1), clGetProgramBuildInfo in from(1), clGetDeviceInfo in from(1),
        clGetPlatformInfo in from(1), clRetainDevice in from(1)
    ),
    operation!(
        "build with wrong options",
        |bench| {
            let program = Program::with_source(&bench.context, SOURCE)?;
            let error = program.build(&BuildOptions::text("-DSTUB_INVALID_OPTION")).unwrap_err();
            if error.code() != status::INVALID_BUILD_OPTIONS {
                return Err(error);
            }
            assert!(error.to_string().contains("-DSTUB_INVALID_OPTION"), "{error}");
            Ok(())
        },
        absorbs clGetProgramInfo in from(1), clGetProgramBuildInfo in from(1), clGetDeviceInfo in from(1),
        clGetPlatformInfo in from(1), clRetainDevice in from(1)
    ),
    operation!("compile and link", |bench| {
        let header = Program::with_source(&bench.context, "#define N 7\n")?;
        let main = Program::with_source(&bench.context, "#include \"n.h\"\nkernel void k() {}")?;
        main.compile(&BuildOptions::default(), None, &[("n.h", &header)])?;
        let parts = [main, compiled(bench, SOURCE)?];
        let program = link(&bench.context, &parts, &BuildOptions::default(), None)?;
        assert_eq!(program.kernel_names()?, "k;fill;empty");
        Ok(())
    }),
    operation!(
        "compile what is broken",
        |bench| {
            expect_failure(compiled(bench, BROKEN), status::COMPILE_PROGRAM_FAILURE, "STUB_BUILD_ERROR")
        },
        provokes COMPILE_PROGRAM_FAILURE,
        absorbs clGetProgramInfo in from(1), clGetProgramBuildInfo in from(1), clGetDeviceInfo in from(1),
        clGetPlatformInfo in from(1), clRetainDevice in from(1)
    ),
    operation!(
        "link what is broken",
        |bench| {
            let part = compiled(bench, "// STUB_LINK_ERROR\n")?;
            let linked = link(&bench.context, &[part], &BuildOptions::default(), None);
            expect_failure(linked, status::LINK_PROGRAM_FAILURE, "STUB_LINK_ERROR")
        },
        provokes LINK_PROGRAM_FAILURE,
        absorbs clGetProgramInfo in from(1), clGetProgramBuildInfo in from(1), clGetDeviceInfo in from(1),
        clGetPlatformInfo in from(1), clRetainDevice in from(1)
    ),
    operation!("binaries there and back", |bench| {
        let binaries = bench.program.binaries()?.0;
        let views: Vec<&[u8]> = binaries.iter().map(Vec::as_slice).collect();
        let devices = std::slice::from_ref(&bench.device);
        let program = Program::with_binaries(&bench.context, devices, &views)?;
        program.build(&BuildOptions::default())?;
        assert_eq!(program.num_kernels()?, 2);
        Ok(())
    }),
    operation!(
        "a binary that is refused",
        |bench| {
            let devices = std::slice::from_ref(&bench.device);
            let made = Program::with_binaries(&bench.context, devices, &[b"STUB_INVALID_BINARY"]);
            let error = made.unwrap_err();
            if error.code() != status::INVALID_BINARY || error.detail().is_empty() {
                return Err(error);
            }
            assert!(error.to_string().contains("the binary was refused by: "), "{error}");
            Ok(())
        },
        provokes INVALID_BINARY,
        absorbs clGetDeviceInfo in from(1)
    ),
    operation!(
        "build with a cache",
        |bench| {
            let folder = tempfile::tempdir().unwrap();
            let cache = Cache::Directory(folder.path().to_owned());
            for _ in 0..2 {
                let built = build_in(&cache, &bench.context, SOURCE, &BuildOptions::default(), None)?;
                assert_eq!(built.program.kernel("fill")?.arity(), 3);
            }
            Ok(())
        },
        // What names the devices, and the binaries; a binary that does not build is replaced by its source.
        absorbs clGetDeviceInfo in from(1), clGetPlatformInfo in from(1), clGetProgramInfo in from(1),
        clCreateProgramWithBinary in from(1), clBuildProgram in 2..=2, clRetainDevice in 2..=2
    ),
    operation!("get a kernel", |bench| bench.program.kernel("empty").map(drop)),
    operation!("get all kernels", |bench| {
        assert_eq!(bench.program.all_kernels()?.len(), 2);
        Ok(())
    }),
    operation!(
        "get a kernel that is not there",
        |bench| {
            let error = bench.program.kernel("absent").unwrap_err();
            if error.code() != status::INVALID_KERNEL_NAME {
                return Err(error);
            }
            assert!(error.to_string().contains("no kernel \"absent\""), "{error}");
            Ok(())
        },
        absorbs clGetProgramInfo in from(1)
    ),
    // The source of a program that is found by its kernel is a help, not a need.
    operation!(
        "get a kernel anew",
        |bench| {
            assert_eq!(bench.kernel.fresh()?.name(), "fill");
            Ok(())
        },
        absorbs clGetProgramInfo in from(2)
    ),
    operation!("duplicate a kernel", |bench| {
        assert_eq!(bench.kernel.duplicate()?.name(), "fill");
        Ok(())
    }),
    operation!(
        "parameters of a kernel",
        |bench| {
            // Where the driver does not tell, the source does.
            let list = bench.kernel.parameters();
            let types: Vec<_> = list.iter().map(|parameter| parameter.type_name.as_str()).collect();
            assert_eq!(types, ["int*", "int", "float*"]);
            Ok(())
        },
        absorbs clGetKernelArgInfo in from(1)
    ),
    operation!("work-group questions", |bench| {
        assert_eq!(bench.kernel.work_group_info(0x11B0, &bench.device)?, [256]);
        assert_eq!(bench.kernel.work_group_info(0x11B1, &bench.device)?, [0; 3]);
        assert_eq!(bench.kernel.work_group_info(0x11B4, &bench.device)?, [0]);
        Ok(())
    }),
    operation!("argument questions", |bench| {
        assert_eq!(bench.kernel.arg_info_text(0, 0x119A)?, "out");
        assert_eq!(bench.kernel.arg_info_number(0, 0x1196)?, 0x119B);
        Ok(())
    }),
    operation!("build questions", |bench| {
        assert_eq!(bench.program.build_info_text(&bench.device, 0x1182)?, "");
        assert_eq!(bench.program.build_info_number(&bench.device, 0x1181)?, 0);
        assert_eq!(bench.program.build_info_number(&bench.device, 0x1184)?, 4);
        assert_eq!(bench.program.build_info_number(&bench.device, 0x1185)?, 0);
        Ok(())
    }),
    operation!("set an argument", |bench| {
        bench.kernel.set_arg(0, &Arg::Mem(&bench.buffer))?;
        bench.kernel.set_arg(1, &Arg::Bytes(&5_i32.to_ne_bytes()))?;
        bench.kernel.set_arg(2, &Arg::Local(64))
    }, absorbs clGetKernelArgInfo in from(1)),
    operation!(
        "set a wrong argument",
        |bench| {
            let error = bench.kernel.set_arg(1, &Arg::Bytes(&[0; 3])).unwrap_err();
            if error.code() != status::INVALID_ARG_SIZE {
                return Err(error);
            }
            assert!(error.to_string().contains("`int` (4 bytes), got a value of 3 bytes"), "{error}");
            Ok(())
        },
        absorbs clGetKernelArgInfo in from(1)
    ),
];
