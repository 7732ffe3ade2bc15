"""Facts about devices, and measurements on them."""

import warnings
from types import SimpleNamespace

import pytest

import pyopencl as cl
from pyopencl import characterize
from pyopencl.characterize import performance

GPU, CPU, ACCELERATOR = cl.device_type.GPU, cl.device_type.CPU, cl.device_type.ACCELERATOR
LOCAL, GLOBAL = cl.device_local_mem_type.LOCAL, cl.device_local_mem_type.GLOBAL
SVM = cl.device_svm_capabilities
AMD = "AMD Accelerated Parallel Processing"
POCL = "Portable Computing Language"


def platform(name="Some Platform", version="OpenCL 3.0 ", vendor="Somebody"):
    major, minor = map(int, version.split()[1].split("."))
    return SimpleNamespace(name=name, version=version, vendor=vendor, _get_cl_version=lambda: (major, minor))


def device(**attributes):
    """A device as its driver describes it: there is no device of each kind to test with."""
    known = {
        "platform": platform(),
        "type": GPU,
        "vendor": "Somebody",
        "extensions": "",
        "local_mem_type": LOCAL,
        "local_mem_size": 49152,
        "svm_capabilities": 0,
    }
    return SimpleNamespace(**{**known, **attributes})


def nvidia(major, minor=0, **attributes):
    return device(
        platform=platform("NVIDIA CUDA", "OpenCL 3.0 CUDA 12.4", "NVIDIA Corporation"),
        vendor="NVIDIA Corporation",
        compute_capability_major_nv=major,
        compute_capability_minor_nv=minor,
        warp_size_nv=32,
        **attributes,
    )


def amd(**attributes):
    vendor = "Advanced Micro Devices, Inc."
    return device(platform=platform(AMD, vendor=vendor), vendor=vendor, local_mem_banks_amd=32, **attributes)


def cpu(local_mem_type=GLOBAL):
    return device(type=CPU, local_mem_type=local_mem_type)


@pytest.fixture
def real(ctx):
    return ctx.devices[0]


# --- arithmetic and versions


def test_doubles_are_an_extension(real):
    both = [characterize.has_double_support, characterize.has_amd_double_support]
    for extensions, expected in {
        "cl_khr_fp64": [True, False],
        "cl_khr_fp16 cl_amd_fp64": [False, True],
        "cl_khr_fp64_of_a_kind": [False, False],
    }.items():
        assert [ask(device(extensions=extensions)) for ask in both] == expected
    assert characterize.has_double_support(real) == bool(real.double_fp_config)


def test_compute_capability_is_nvidias(real):
    assert characterize.nv_compute_capability(nvidia(9)) == (9, 0)
    assert characterize.nv_compute_capability(amd()) is None
    is_nvidia = "NVIDIA" in real.platform.name
    assert (characterize.nv_compute_capability(real) is not None) == is_nvidia


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("OpenCL 3.0 PoCL 5.0+debian  Linux, RELOC", (5, 0)),
        ("OpenCL 2.0 pocl 1.8  None+Asserts", (1, 8)),
        ("OpenCL 3.0  PoCL 7.10-rc1", (7, 10)),
        ("OpenCL 1.2 pocl 0.14", (0, 14)),
    ],
)
def test_version_of_pocl_is_read(text, version):
    assert characterize.get_pocl_version(platform(POCL, text)) == version
    assert characterize.get_pocl_version(platform("Another", text), version) is None


def test_unreadable_version_of_pocl_is_warned_of():
    with pytest.warns(UserWarning, match="holds no version"):
        assert characterize.get_pocl_version(platform(POCL, "OpenCL 3.0 PoCL")) is None
    with pytest.warns(UserWarning, match="holds no version"):
        assert characterize.get_pocl_version(platform(POCL, "OpenCL 3.0 PoCL 5"), (1, 0)) == (1, 0)


def test_fast_options_build(ctx, real):
    options = characterize.get_fast_inaccurate_build_options(real)
    assert {"-cl-mad-enable", "-cl-fast-relaxed-math", "-cl-no-signed-zeros"} <= set(options)
    cl.Program(ctx, "kernel void f(global float *a) { a[0] = sin(a[0]); }").build(options)
    for known in (nvidia(9), amd()):
        assert "-cl-strict-aliasing" in characterize.get_fast_inaccurate_build_options(known)


def test_drivers_that_keep_programs_are_known(real):
    assert characterize.has_src_build_cache(nvidia(9)) is True
    assert characterize.has_src_build_cache(device(platform=platform(POCL))) is True
    assert characterize.has_src_build_cache(amd()) is False
    assert characterize.has_src_build_cache(device()) is None
    assert characterize.has_src_build_cache(real) in (True, False, None)


# --- work-groups


def test_work_group_multiple_is_that_of_a_kernel(ctx, real):
    multiple = characterize.reasonable_work_group_size_multiple(real)
    assert 1 <= multiple <= real.max_work_group_size
    assert characterize.reasonable_work_group_size_multiple(real, ctx) == multiple
    assert characterize.reasonable_work_group_size_multiple(nvidia(9)) == 32


def test_lockstep_is_of_gpus(real, monkeypatch):
    monkeypatch.setattr(characterize, "reasonable_work_group_size_multiple", lambda dev: 64)
    for known, expected in [
        (nvidia(9), 32),
        (amd(), 64),
        (amd(type=CPU), 1),
        (device(platform=platform(vendor="Intel(R) Corporation")), 64),
        (device(vendor="ATI Technologies"), 64),
        (device(vendor="NVIDIA Corporation"), 32),
        (device(vendor="Corporation"), None),
        (device(type=ACCELERATOR), None),
        (cpu(), 1),
    ]:
        assert characterize.get_simd_group_size(known, 4) == expected
    if real.type & CPU:
        assert characterize.get_simd_group_size(real, 4) == 1


# --- local memory


def test_banks_of_local_memory():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for known, banks, at_once in [
            (nvidia(1, 3), 16, 16),
            (nvidia(2, 1), 32, 32),
            (nvidia(9), 32, 32),
            (amd(), 32, 32),
        ]:
            assert characterize.local_memory_access_granularity(known) == 4
            assert characterize.local_memory_bank_count(known) == banks
            assert characterize.simultaneous_work_items_on_local_access(known) == at_once
        assert characterize.simultaneous_work_items_on_local_access(cpu()) == 1


def test_guesses_are_warned_of():
    for unknown in (device(), device(type=ACCELERATOR)):
        with pytest.warns(characterize.CLCharacterizationWarning, match="16 is a guess"):
            assert characterize.local_memory_bank_count(unknown) == 16
        with pytest.warns(characterize.CLCharacterizationWarning, match="16 is a guess"):
            assert characterize.simultaneous_work_items_on_local_access(unknown) == 16
    with pytest.warns(characterize.CLCharacterizationWarning):
        assert characterize.local_memory_bank_count(cpu(LOCAL)) == 16


def test_ordinary_memory_has_no_banks(real):
    candidates = [cpu()]
    if real.type & (CPU | GPU) == CPU and real.local_mem_type == GLOBAL:
        candidates.append(real)
    for candidate in candidates:
        with pytest.raises(RuntimeError, match="it has no banks"):
            characterize.local_memory_bank_count(candidate)
        with pytest.raises(RuntimeError, match="it has no banks"):
            characterize.why_not_local_access_conflict_free(candidate, 4, (16, 16))


def test_arguments_take_local_memory_of_old_devices(real):
    old, size = nvidia(1, 3), characterize.usable_local_mem_size
    assert [size(old, nargs) for nargs in (None, 0, 3)] == [49152 - 256, 49152, 49152 - 12]
    assert size(nvidia(2), 3) == 49152
    if characterize.nv_compute_capability(real) is None:
        assert size(real, 3) == size(real) == real.local_mem_size


@pytest.mark.parametrize(
    ("known", "shape", "stored", "conflicts", "text"),
    [
        (nvidia(9), (32, 32), None, 32, "32 work-items along axis 0 meet in bank 0"),
        (nvidia(9), (32, 32), (32, 33), 1, None),
        (nvidia(9), (64,), None, 1, None),
        (nvidia(9), (8, 64), (8, 64), 8, "8 work-items along axis 0 meet in bank 0"),
        (nvidia(1, 3), (16, 16), None, 16, "16 work-items along axis 0"),
        (
            nvidia(1, 3),
            (3, 5, 7),
            (3, 5, 8),
            8,
            "axis 1 meet in bank 0: those at (0, 0, 0), (0, 2, 0), (0, 4, 0)",
        ),
        (nvidia(9), (2, 3), [2, 33], 2, "axis 1 meet in bank 1: those at (0, 1), (1, 0)"),
        (nvidia(9), (2, 3), [2, 35], 1, None),
        (nvidia(9), (), None, 1, None),
        (nvidia(9), (0, 4), None, 1, None),
    ],
)
def test_conflicts_in_local_memory(known, shape, stored, conflicts, text):
    count, why = characterize.why_not_local_access_conflict_free(known, 4, shape, stored)
    assert count == conflicts
    assert why is None if text is None else text in why


def test_conflicts_of_wide_elements_are_warned_of():
    ask = characterize.why_not_local_access_conflict_free
    with pytest.warns(characterize.CLCharacterizationWarning, match="four bytes"):
        assert ask(nvidia(9), 8, (32,))[0] == 2
    with pytest.raises(ValueError, match="one length"):
        ask(nvidia(9), 4, (32, 32), (32,))


# --- structs, shared virtual memory


def test_structs_confuse_some_drivers(ctx, real, monkeypatch):
    ask = characterize.has_struct_arg_count_bug
    assert ask(device(platform=platform("Apple"), type=CPU)) == "apple"
    assert ask(device(platform=platform("Apple"))) is False
    assert ask(device(platform=platform(POCL, "OpenCL 1.2 pocl 0.13"))) == "pocl"
    assert ask(device(platform=platform(POCL, "OpenCL 2.0 pocl 1.0"))) is False
    assert ask(nvidia(9)) is False
    assert ask(real) is ask(real, ctx) is False
    if characterize.has_double_support(real):
        # As of the version that has to be tried.
        monkeypatch.setattr(characterize, "_POCL", real.platform.name)
        monkeypatch.setattr(characterize, "get_pocl_version", lambda *_: (0, 14))
        assert ask(real) is ask(real, ctx) is False


def test_shared_virtual_memory(real):
    asked = {
        characterize.has_coarse_grain_buffer_svm: SVM.COARSE_GRAIN_BUFFER,
        characterize.has_fine_grain_buffer_svm: SVM.FINE_GRAIN_BUFFER,
        characterize.has_fine_grain_system_svm: SVM.FINE_GRAIN_SYSTEM,
        characterize.has_fine_grain_buffer_svm_atomics: SVM.FINE_GRAIN_BUFFER | SVM.ATOMICS,
        characterize.has_fine_grain_system_svm_atomics: SVM.FINE_GRAIN_SYSTEM | SVM.ATOMICS,
    }
    for ask, needed in asked.items():
        for capabilities in range(16):
            assert ask(device(svm_capabilities=capabilities)) == (capabilities & needed == needed)
        assert ask(device(platform=platform(version="OpenCL 1.2 "), svm_capabilities=15)) is False
        if real.platform._get_cl_version() >= (2, 0):
            assert ask(real) == (real.svm_capabilities & needed == needed)


# --- measurements


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(performance, "_LONG_ENOUGH", 2e-3)
    monkeypatch.setattr(performance, "_TOO_LONG", 0.5)


TRANSFERS = [
    performance.HostToDeviceTransfer,
    performance.DeviceToHostTransfer,
    performance.DeviceToDeviceTransfer,
]


@pytest.mark.parametrize("transfer", TRANSFERS)
@pytest.mark.parametrize("timer", [None, performance.WallTimer, performance.Timer])
def test_transfers_are_measured(profiling_queue, transfer, timer):
    latency = performance.transfer_latency(profiling_queue, transfer, timer)
    assert 0 < latency < 0.1
    size = 1 << 22
    bandwidth = performance.transfer_bandwidth(profiling_queue, transfer, size, timer)
    # In bytes per second; nothing that is out there moves ten terabytes.
    assert 1e7 < bandwidth < 1e13


def test_transfers_copy(queue):
    there = performance.HostToDeviceTransfer(queue, 1000)
    there.host_buf[:] = 7
    there.do().wait()
    back = performance.DeviceToHostTransfer(queue, 1000)
    back.dev_buf = there.dev_buf
    back.do().wait()
    assert (back.host_buf == 7).all()
    across = performance.DeviceToDeviceTransfer(queue, 1000)
    across.dev_buf_1 = there.dev_buf
    across.do().wait()
    back.dev_buf, back.host_buf[:] = across.dev_buf_2, 0
    back.do().wait()
    assert (back.host_buf == 7).all()


def test_launches_are_measured(ctx, profiling_queue):
    assert 0 < performance.get_empty_kernel_time(profiling_queue) < 0.1
    assert 0 < performance.get_empty_kernel_time(profiling_queue, performance.Timer) < 0.1
    overhead, without = performance.get_profiling_overhead(ctx)
    assert 0 < without < 0.1
    assert overhead > -without


@pytest.mark.needs("compiled kernels")
@pytest.mark.parametrize("kind", ["float", "int", "uint"])
def test_additions_are_measured(queue, kind):
    rate = performance.get_add_rate(queue, kind)
    # No unit does more than a few hundred in a cycle, and none less than one in some hundred.
    cycles = queue.device.max_compute_units * max(queue.device.max_clock_frequency, 1000) * 1e6
    assert cycles / 500 < rate < cycles * 1000


def test_additions_of_an_unknown_type_are_refused(queue):
    with pytest.raises(cl.RuntimeError):
        performance.get_add_rate(queue, "nonsense")


def test_timers_add_up(profiling_queue):
    buffer = cl.Buffer(profiling_queue.context, cl.mem_flags.READ_WRITE, 1 << 20)
    timer = performance.Timer(profiling_queue)
    for count in (2, 1):
        timer.start()
        events = [cl.enqueue_fill_buffer(profiling_queue, buffer, bytes(4), 0, 1 << 20) for _ in range(count)]
        for event in events:
            timer.add_event(event)
        timer.stop()
        durations = [event.profile.end - event.profile.start for event in events]
        assert timer.get_elapsed() == pytest.approx(sum(durations) * 1e-9)
