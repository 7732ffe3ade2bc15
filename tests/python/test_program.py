"""Programs: building, options, includes, logs, compiling and linking."""

import numpy as np
import pytest

import pyopencl as cl

ANSWER = "kernel void answer(global int *out) { out[0] = ANSWER; }"


def run(queue, kernel, dtype=np.int32):
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, np.dtype(dtype).itemsize)
    kernel(queue, (1,), None, buffer)
    result = np.empty(1, dtype)
    cl.enqueue_copy(queue, result, buffer)
    return result[0]


@pytest.mark.parametrize("options", ["-DANSWER=42", ["-D", "ANSWER=42"], ["-DANSWER=42", "-w"]])
def test_options_are_text_or_a_list(ctx, queue, options):
    program = cl.Program(ctx, ANSWER).build(options)
    assert run(queue, program.answer) == 42


def test_build_gives_the_program_itself(ctx):
    program = cl.Program(ctx, ANSWER)
    assert program.build(options="-DANSWER=1") is program


def test_include_folder_with_blanks(ctx, queue, tmp_path):
    folder = tmp_path / "my headers"
    folder.mkdir()
    (folder / "answer.h").write_text("#define ANSWER 43\n")
    source = '#include "answer.h"\n' + ANSWER
    for number, options in enumerate((["-I", str(folder)], ["-I" + str(folder)], ["-w", "-I", str(folder)])):
        program = cl.Program(ctx, f"{source} // {number}").build(options)
        assert run(queue, program.answer) == 43


def test_a_changed_header_counts(ctx, queue, tmp_path):
    for answer in (44, 45):
        (tmp_path / "answer.h").write_text(f"#define ANSWER {answer}\n")
        program = cl.Program(ctx, '#include "answer.h"\n' + ANSWER).build(["-I", str(tmp_path)])
        assert run(queue, program.answer) == answer


def test_options_from_the_environment(run_python):
    result = run_python(
        "import numpy as np, pyopencl as cl\n"
        "ctx = cl.create_some_context(interactive=False)\n"
        f"program = cl.Program(ctx, {ANSWER!r}).build()\n"
        "print(program.get_build_info(ctx.devices[0], cl.program_build_info.STATUS) == 0)\n",
        PYOPENCL_BUILD_OPTIONS="-DANSWER=46",
    )
    assert result.stdout == "True\n", result.stderr


def test_what_a_program_answers(ctx, device):
    program = cl.Program(ctx, ANSWER).build("-DANSWER=1")
    assert program.source == ANSWER
    assert program.context == ctx
    assert program.devices == ctx.devices
    assert program.num_devices == len(ctx.devices)
    assert program.kernel_names == "answer"
    assert program.num_kernels == 1
    assert [kernel.function_name for kernel in program.all_kernels()] == ["answer"]
    assert "-DANSWER=1" in program.get_build_info(device, cl.program_build_info.OPTIONS)
    assert isinstance(program.get_build_info(device, cl.program_build_info.LOG), str)
    assert program.binary_sizes[0] == len(program.binaries[0]) > 0
    assert isinstance(program.binaries[0], bytes)


def test_programs_from_binaries(ctx, queue):
    binaries = cl.Program(ctx, ANSWER).build("-DANSWER=47").binaries
    program = cl.Program(ctx, ctx.devices, binaries).build()
    assert run(queue, program.answer) == 47


def test_native_programs_name_their_devices(ctx, queue):
    binaries = cl.Program(ctx, ANSWER).build("-DANSWER=48").binaries
    native = cl._Program(context=ctx, devices=ctx.devices, binaries=binaries)
    assert native.kind() == cl.program_kind.BINARY
    assert run(queue, cl.Kernel(native.build(""), "answer")) == 48
    for arguments in ({}, {"src": ANSWER, "devices": ctx.devices}):
        with pytest.raises(TypeError, match="source text, or devices and binaries"):
            cl._Program(ctx, **arguments)


@pytest.mark.parametrize("no_cache", ["0", "1"])
def test_build_error_tells_what_is_wrong(run_python, no_cache):
    result = run_python(
        "import pyopencl as cl\n"
        "ctx = cl.create_some_context(interactive=False)\n"
        "source = 'kernel void good() {}\\nkernel void bad(global int *o) {\\n  o[0] = undeclared;\\n}\\n'\n"
        "try:\n"
        "    cl.Program(ctx, source).build('-DSOMETHING=3')\n"
        "except cl.RuntimeError as error:\n"
        "    text = str(error)\n"
        "    print(error.code == cl.status_code.BUILD_PROGRAM_FAILURE, error.routine)\n"
        "    for word in ('undeclared', ctx.devices[0].name, '-DSOMETHING=3', 'o[0] = undeclared;'):\n"
        "        print(word in text)\n",
        PYOPENCL_NO_CACHE=no_cache,
    )
    assert result.stdout.split() == ["True", "clBuildProgram", "True", "True", "True", "True"], result.stderr


def test_a_failed_program_can_be_told_apart_from_one_never_built(ctx):
    program = cl.Program(ctx, "kernel void broken(")
    with pytest.raises(cl.RuntimeError):
        program.build()
    with pytest.raises(cl.Error):
        cl.Kernel(program, "broken")


def test_unknown_names_are_attribute_errors(ctx):
    program = cl.Program(ctx, ANSWER).build("-DANSWER=1")
    with pytest.raises(AttributeError, match="no_such_kernel"):
        program.no_such_kernel
    assert not hasattr(program, "no_such_kernel")
    with pytest.raises(cl.LogicError):
        cl.Kernel(program, "no_such_kernel")


def test_fetching_a_kernel_twice_by_attribute_warns_once(ctx, recwarn):
    program = cl.Program(ctx, ANSWER).build("-DANSWER=1")
    recwarn.clear()
    program.answer
    assert len(recwarn) == 0
    with pytest.warns(cl.RepeatedKernelRetrieval):
        program.answer
    recwarn.clear()
    program.answer
    cl.Kernel(program, "answer")
    cl.Kernel(program, "answer")
    assert len(recwarn) == 0


def test_subclasses_find_kernels_in_their_own_way(ctx, queue):
    class Prefixed(cl.Program):
        def __getattr__(self, attr):
            return super().__getattr__(attr.removeprefix("the_"))

    class Plain(cl.Program):
        pass

    for kind, name in ((Prefixed, "the_answer"), (Plain, "answer")):
        program = kind(ctx, ANSWER).build("-DANSWER=48")
        assert run(queue, getattr(program, name)) == 48
        with pytest.raises(AttributeError, match="'nothing' was not found"):
            program.nothing
    assert cl.Program(ctx, ANSWER).build("-DANSWER=49").__getattr__("answer").function_name == "answer"


def test_compiling_with_headers_and_linking(ctx, queue):
    header = cl.Program(ctx, "#define FACTOR 5\nint twice(int x);")
    library = cl.Program(ctx, "int twice(int x) { return 2 * x; }").compile()
    main = cl.Program(ctx, '#include "twice.h"\nkernel void k(global int *out) { out[0] = twice(FACTOR); }')
    main = main.compile(headers=[("twice.h", header)])
    for options in (None, "", []):
        program = cl.link_program(ctx, [main, library], options)
        assert isinstance(program, cl.Program)
        assert run(queue, program.k) == 10


def test_compile_error_has_a_log(ctx):
    with pytest.raises(cl.RuntimeError, match="undeclared_there"):
        cl.Program(ctx, "int f() { return undeclared_there; }").compile()


def test_built_in_kernels_that_do_not_exist_are_refused(ctx):
    for names in ("no_such_kernel", ["no_such_kernel", "nor_this"]):
        with pytest.raises(cl.Error):
            cl.create_program_with_built_in_kernels(ctx, ctx.devices, names)


def test_equal_programs(ctx):
    program = cl.Program(ctx, ANSWER).build("-DANSWER=1")
    again = cl.Program.from_int_ptr(program.int_ptr)
    assert again == program
    assert hash(again) == hash(program)
    assert program != cl.Program(ctx, ANSWER).build("-DANSWER=2")


def test_compiler_output_is_a_warning(monkeypatch):
    monkeypatch.delenv("PYOPENCL_COMPILER_OUTPUT", raising=False)
    with pytest.warns(cl.CompilerWarning, match="PYOPENCL_COMPILER_OUTPUT=1"):
        cl.compiler_output("the log")
    monkeypatch.setenv("PYOPENCL_COMPILER_OUTPUT", "Yes")
    with pytest.warns(cl.CompilerWarning, match="the log"):
        cl.compiler_output("the log")
    monkeypatch.setenv("PYOPENCL_COMPILER_OUTPUT", "perhaps")
    with pytest.raises(ValueError, match="perhaps"):
        cl.compiler_output("the log")


def test_debugging_on_other_platforms_only_warns(ctx, device):
    if "AMD Accelerated" in device.platform.name:
        pytest.skip("on this platform debugging would be enabled for the whole test run")
    before = {name: list(options) for name, options in cl._PLAT_BUILD_OPTIONS.items()}
    for argument in (ctx, device.platform):
        with pytest.warns(UserWarning, match="enable debugging"):
            cl.enable_debugging(argument)
    assert before == cl._PLAT_BUILD_OPTIONS
