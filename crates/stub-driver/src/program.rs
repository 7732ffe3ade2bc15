//! Programs: creation, build, compile, link, binaries.
//!
//! Nothing is compiled. A binary is the source text itself. Words in the source (or options) make things fail:
//! `STUB_BUILD_ERROR`, `STUB_LINK_ERROR`, `STUB_INVALID_BINARY`, `STUB_INVALID_OPTION`; `STUB_BUILD_WARNING` leaves a line in the log of a build
//! that succeeds.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::border::{check, items, lock, text};
use crate::context::{self, Context};
use crate::device::Device;
use crate::info::Answer;
use crate::object::{self, Kind, Object, Shared};
use crate::source::{self, Declaration};
use crate::sys::*;

type Notify = Option<unsafe extern "C" fn(cl_program, *mut c_void)>;
type ReleaseNotify = unsafe extern "C" fn(cl_program, *mut c_void);

/// Where a program came from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Source,
    Binary,
    Il,
    Linked,
}

/// A program's state for one device.
#[derive(Clone)]
struct Build {
    status: cl_build_status,
    kind: cl_program_binary_type,
    options: String,
    log: String,
    /// Source, or what a binary held.
    text: String,
}

/// A program.
pub(crate) struct Program {
    pub(crate) context: Shared<Context>,
    pub(crate) devices: Vec<Shared<Device>>,
    origin: Origin,
    /// What it was created from.
    given: Vec<u8>,
    builds: Mutex<Vec<Build>>,
    /// Specialisation constants: kept, since no kernel here can use them.
    constants: Mutex<HashMap<cl_uint, Vec<u8>>>,
    /// How many kernels exist.
    pub(crate) kernels: AtomicUsize,
    callbacks: Mutex<Vec<(ReleaseNotify, usize)>>,
}

impl Kind for Program {
    const NAME: &'static str = "program";
    const INVALID: cl_int = CL_INVALID_PROGRAM;

    fn destroyed(&mut self, handle: *mut c_void) {
        context::run_destructors(&self.callbacks, handle);
    }
}

impl Program {
    /// The kernels, if it is built for a device.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` if it is not.
    pub(crate) fn declarations(&self) -> Result<Arc<Vec<Declaration>>> {
        let builds = lock(&self.builds);
        let built = builds.iter().find(|build| build.kind == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        built.map(|build| Arc::new(source::kernels(&build.text))).ok_or(CL_INVALID_PROGRAM_EXECUTABLE)
    }

    /// Whether the arguments' declarations can be asked for.
    pub(crate) fn knows_arguments(&self) -> bool {
        let asked = lock(&self.builds).iter().any(|build| build.options.contains("-cl-kernel-arg-info"));
        asked || self.origin != Origin::Binary
    }

    /// Whether it is built for the device.
    pub(crate) fn runs_on(&self, device: &Object<Device>) -> bool {
        self.index(device.handle())
            .is_ok_and(|index| lock(&self.builds)[index].kind == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    }

    fn index(&self, device: cl_device_id) -> Result<usize> {
        let found = self.devices.iter().position(|member| member.handle() == device);
        found.ok_or(CL_INVALID_DEVICE)
    }

    /// The devices of a list, or all for none.
    ///
    /// # Safety
    /// - `list` is null or valid for reading `count` handles.
    unsafe fn chosen(&self, count: cl_uint, list: *const cl_device_id) -> Result<Vec<usize>> {
        check((count > 0) != list.is_null(), CL_INVALID_VALUE)?;
        if list.is_null() {
            return Ok((0..self.devices.len()).collect());
        }
        // SAFETY: passed on.
        let handles = unsafe { items(list, count as usize) };
        handles.into_iter().map(|handle| self.index(handle)).collect()
    }

    fn has_compiler(&self) -> bool {
        self.devices.iter().all(|device| device.shape().compiler)
    }
}

/// The line of a log about a word in a text, if the word is there.
fn complaint(text: &str, word: &str) -> Option<String> {
    let line = text.lines().position(|line| line.contains(word))? + 1;
    Some(format!("stub:{line}: {word}\n"))
}

fn create(
    context: Shared<Context>,
    devices: Vec<Shared<Device>>,
    origin: Origin,
    given: Vec<u8>,
    builds: Vec<Build>,
) -> cl_program {
    let dispatch = context.dispatch();
    let program = Program {
        context,
        devices,
        origin,
        given,
        builds: Mutex::new(builds),
        constants: Mutex::default(),
        kernels: AtomicUsize::new(0),
        callbacks: Mutex::default(),
    };
    Object::create(dispatch, 1, program).handle()
}

fn unbuilt(text: &str) -> Build {
    Build {
        status: CL_BUILD_NONE,
        kind: CL_PROGRAM_BINARY_TYPE_NONE,
        options: String::new(),
        log: String::new(),
        text: text.to_owned(),
    }
}

entry! {
    object fn clCreateProgramWithSource(
        context: cl_context, count: cl_uint, strings: *mut *const c_char, lengths: *const size_t,
    ) {
        let context = object::get::<Context>(context)?;
        check(count > 0 && !strings.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: the pointers are as the specification demands.
        let strings = unsafe { items(strings, count as usize) };
        // SAFETY: as above.
        let lengths = unsafe { items(lengths, count as usize) };
        let mut source = String::new();
        for (index, string) in strings.into_iter().enumerate() {
            check(!string.is_null(), CL_INVALID_VALUE)?;
            match lengths.get(index) {
                None | Some(0) => {
                    // SAFETY: without a length it is a C string.
                    source.push_str(&unsafe { text(string) });
                }
                Some(length) => {
                    // SAFETY: with a length it has so many bytes.
                    let bytes = unsafe { items(string.cast::<u8>(), *length) };
                    source.push_str(&String::from_utf8_lossy(&bytes));
                }
            }
        }
        let devices = context.devices.clone();
        let builds = vec![unbuilt(&source); devices.len()];
        Ok(create(context, devices, Origin::Source, source.into_bytes(), builds))
    }
}

entry! {
    object fn clCreateProgramWithIL(context: cl_context, il: *const c_void, length: size_t) {
        let context = object::get::<Context>(context)?;
        check(!il.is_null() && length > 0, CL_INVALID_VALUE)?;
        // SAFETY: the pointer is as the specification demands.
        let il = unsafe { items(il.cast::<u8>(), length) };
        let devices = context.devices.clone();
        let builds = vec![unbuilt(&String::from_utf8_lossy(&il)); devices.len()];
        Ok(create(context, devices, Origin::Il, il, builds))
    }
}

entry! {
    object fn clCreateProgramWithBinary(
        context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id,
        lengths: *const size_t, binaries: *mut *const c_uchar, binary_status: *mut cl_int,
    ) {
        let context = object::get::<Context>(context)?;
        let count = num_devices as usize;
        check(count > 0 && !device_list.is_null() && !lengths.is_null() && !binaries.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: the pointers are as the specification demands.
        let handles = unsafe { items(device_list, count) };
        let devices: Vec<_> = handles.iter().map(|handle| context.device(*handle)).collect::<Result<_>>()?;
        // SAFETY: as above.
        let lengths = unsafe { items(lengths, count) };
        // SAFETY: as above.
        let pointers = unsafe { items(binaries, count) };
        let mut builds = Vec::new();
        let mut outcome = Ok(());
        for (index, (length, pointer)) in lengths.into_iter().zip(pointers).enumerate() {
            // SAFETY: each binary has its length.
            let bytes = unsafe { items(pointer, length) };
            let status = match String::from_utf8(bytes) {
                _ if pointer.is_null() || length == 0 => CL_INVALID_VALUE,
                Ok(text) if !text.contains("STUB_INVALID_BINARY") => {
                    let kind = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
                    builds.push(Build { kind, ..unbuilt(&text) });
                    CL_SUCCESS
                }
                _ => CL_INVALID_BINARY,
            };
            if !binary_status.is_null() {
                // SAFETY: `index` is less than the number of devices.
                unsafe { binary_status.add(index).write(status) };
            }
            if status != CL_SUCCESS {
                outcome = Err(status);
            }
        }
        outcome?;
        Ok(create(context, devices, Origin::Binary, Vec::new(), builds))
    }
}

entry! {
    object fn clCreateProgramWithBuiltInKernels(
        context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id,
        kernel_names: *const c_char,
    ) {
        let context = object::get::<Context>(context)?;
        // SAFETY: the pointer is as the specification demands.
        let handles = unsafe { items(device_list, num_devices as usize) };
        check(!handles.is_empty() && !kernel_names.is_null(), CL_INVALID_VALUE)?;
        for handle in handles {
            context.device(handle)?;
        }
        // No device has built-in kernels, so no name is right.
        Err::<cl_program, _>(CL_INVALID_VALUE)
    }
}

/// Calls back when a build has ended.
fn tell(notify: Notify, program: cl_program, data: *mut c_void) {
    if let Some(notify) = notify {
        // SAFETY: the application gave the function and its data for this call.
        unsafe { notify(program, data) };
    }
}

/// Ends a build for some devices.
fn finish(
    program: &Program,
    chosen: &[usize],
    options: &str,
    kind: cl_program_binary_type,
    failure: cl_int,
    prefix: &str,
) -> Result {
    let mut outcome = Ok(());
    let mut builds = lock(&program.builds);
    for index in chosen {
        let build = &mut builds[*index];
        options.clone_into(&mut build.options);
        let error = complaint(&build.text, "STUB_BUILD_ERROR");
        build.log = complaint(&build.text, "STUB_BUILD_WARNING").unwrap_or_default();
        if let Some(error) = error {
            build.log.push_str(&error);
            build.status = CL_BUILD_ERROR;
            build.kind = CL_PROGRAM_BINARY_TYPE_NONE;
            outcome = Err(failure);
        } else {
            build.text.insert_str(0, prefix);
            build.status = CL_BUILD_SUCCESS;
            build.kind = kind;
        }
    }
    outcome
}

entry! {
    status fn clBuildProgram(
        program: cl_program, num_devices: cl_uint, device_list: *const cl_device_id,
        options: *const c_char, pfn_notify: Notify, user_data: *mut c_void,
    ) {
        let handle = program;
        let program = object::get::<Program>(program)?;
        check(pfn_notify.is_some() || user_data.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: the pointers are as the specification demands.
        let chosen = unsafe { program.chosen(num_devices, device_list)? };
        // SAFETY: as above.
        let options = unsafe { text(options) };
        check(!options.contains("STUB_INVALID_OPTION"), CL_INVALID_BUILD_OPTIONS)?;
        check(program.kernels.load(Ordering::Relaxed) == 0, CL_INVALID_OPERATION)?;
        check(program.origin == Origin::Binary || program.has_compiler(), CL_COMPILER_NOT_AVAILABLE)?;
        check(program.origin != Origin::Linked, CL_INVALID_OPERATION)?;
        let kind = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
        let outcome = finish(&program, &chosen, &options, kind, CL_BUILD_PROGRAM_FAILURE, "");
        tell(pfn_notify, handle, user_data);
        outcome
    }
}

entry! {
    status fn clCompileProgram(
        program: cl_program, num_devices: cl_uint, device_list: *const cl_device_id,
        options: *const c_char, num_input_headers: cl_uint, input_headers: *const cl_program,
        header_include_names: *mut *const c_char, pfn_notify: Notify, user_data: *mut c_void,
    ) {
        let handle = program;
        let program = object::get::<Program>(program)?;
        check(pfn_notify.is_some() || user_data.is_null(), CL_INVALID_VALUE)?;
        let counted = num_input_headers > 0;
        let listed = !input_headers.is_null() && !header_include_names.is_null();
        check(counted == listed, CL_INVALID_VALUE)?;
        // SAFETY: the pointers are as the specification demands.
        let chosen = unsafe { program.chosen(num_devices, device_list)? };
        // SAFETY: as above.
        let options = unsafe { text(options) };
        check(!options.contains("STUB_INVALID_OPTION"), CL_INVALID_COMPILER_OPTIONS)?;
        check(program.kernels.load(Ordering::Relaxed) == 0, CL_INVALID_OPERATION)?;
        check(matches!(program.origin, Origin::Source | Origin::Il), CL_INVALID_OPERATION)?;
        check(program.has_compiler(), CL_COMPILER_NOT_AVAILABLE)?;
        // SAFETY: as above.
        let handles = unsafe { items(input_headers, num_input_headers as usize) };
        // SAFETY: as above.
        let names = unsafe { items(header_include_names, num_input_headers as usize) };
        let mut prefix = String::new();
        for (header, name) in object::get_all::<Program>(&handles)?.iter().zip(names) {
            // SAFETY: each name is a C string.
            let name = unsafe { text(name) };
            if String::from_utf8_lossy(&program.given).contains(&name) {
                prefix.push_str(&String::from_utf8_lossy(&header.given));
                prefix.push('\n');
            }
        }
        let library = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
        let outcome = finish(&program, &chosen, &options, library, CL_COMPILE_PROGRAM_FAILURE, &prefix);
        tell(pfn_notify, handle, user_data);
        outcome
    }
}

entry! {
    object fn clLinkProgram(
        context: cl_context, num_devices: cl_uint, device_list: *const cl_device_id,
        options: *const c_char, num_input_programs: cl_uint, input_programs: *const cl_program,
        pfn_notify: Notify, user_data: *mut c_void,
    ) {
        let context = object::get::<Context>(context)?;
        check((num_devices > 0) != device_list.is_null(), CL_INVALID_VALUE)?;
        check(num_input_programs > 0 && !input_programs.is_null(), CL_INVALID_VALUE)?;
        check(pfn_notify.is_some() || user_data.is_null(), CL_INVALID_VALUE)?;
        // SAFETY: the pointers are as the specification demands.
        let handles = unsafe { items(input_programs, num_input_programs as usize) };
        let inputs = object::get_all::<Program>(&handles)?;
        // SAFETY: as above.
        let wanted = unsafe { items(device_list, num_devices as usize) };
        let devices = match wanted.as_slice() {
            [] => context.devices.clone(),
            list => list.iter().map(|handle| context.device(*handle)).collect::<Result<_>>()?,
        };
        // SAFETY: as above.
        let options = unsafe { text(options) };
        check(!options.contains("STUB_INVALID_OPTION"), CL_INVALID_LINKER_OPTIONS)?;
        let library = options.contains("-create-library");
        let kind =
            if library { CL_PROGRAM_BINARY_TYPE_LIBRARY } else { CL_PROGRAM_BINARY_TYPE_EXECUTABLE };
        let mut builds = Vec::new();
        let mut code = CL_SUCCESS;
        for device in &devices {
            let mut build = Build { status: CL_BUILD_SUCCESS, kind, options: options.clone(), ..unbuilt("") };
            for input in &inputs {
                let index = input.index(device.handle()).map_err(|_| CL_INVALID_OPERATION)?;
                let part = lock(&input.builds)[index].clone();
                let parts = [CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_PROGRAM_BINARY_TYPE_LIBRARY];
                check(parts.contains(&part.kind), CL_INVALID_OPERATION)?;
                build.text.push_str(&part.text);
                build.text.push('\n');
            }
            if let Some(log) = complaint(&build.text, "STUB_LINK_ERROR") {
                build = Build {
                    status: CL_BUILD_ERROR,
                    kind: CL_PROGRAM_BINARY_TYPE_NONE,
                    log,
                    ..build
                };
                code = CL_LINK_PROGRAM_FAILURE;
            }
            builds.push(build);
        }
        let program = create(context, devices, Origin::Linked, Vec::new(), builds);
        tell(pfn_notify, program, user_data);
        // A failed link gives a program, for its log, and the code.
        Ok((program, code))
    }
}

entry! {
    status fn clRetainProgram(program: cl_program) { object::retain::<Program>(program) }
}

entry! {
    status fn clReleaseProgram(program: cl_program) { object::release::<Program>(program) }
}

entry! {
    status fn clGetProgramInfo(
        program: cl_program, param_name: cl_program_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let program = object::get::<Program>(program)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        let version = program.context.version();
        let names = || -> Result<Vec<String>> {
            let kernels = program.declarations()?;
            Ok(kernels.iter().map(|kernel| kernel.name.clone()).collect())
        };
        match param_name {
            CL_PROGRAM_REFERENCE_COUNT => answer.value(program.references()),
            CL_PROGRAM_CONTEXT => answer.value(program.context.handle()),
            CL_PROGRAM_NUM_DEVICES => answer.value(program.devices.len() as cl_uint),
            CL_PROGRAM_DEVICES => {
                answer.list(&program.devices.iter().map(|device| device.handle()).collect::<Vec<_>>())
            }
            CL_PROGRAM_SOURCE => answer.text(match program.origin {
                Origin::Source => std::str::from_utf8(&program.given).unwrap_or_default(),
                _ => "",
            }),
            CL_PROGRAM_BINARY_SIZES => {
                let sizes: Vec<_> = binaries(&program).iter().map(String::len).collect();
                answer.list(&sizes)
            }
            CL_PROGRAM_BINARIES => give_binaries(&program, answer),
            CL_PROGRAM_NUM_KERNELS if version >= (1, 2) => answer.value(names()?.len()),
            CL_PROGRAM_KERNEL_NAMES if version >= (1, 2) => answer.text(&names()?.join(";")),
            CL_PROGRAM_IL if version >= (2, 1) => match program.origin {
                Origin::Il => answer.list(&program.given),
                _ => answer.list::<u8>(&[]),
            },
            CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT | CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT
                if version >= (2, 2) =>
            {
                answer.flag(false)
            }
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

/// The binary for each device; empty where there is none.
fn binaries(program: &Program) -> Vec<String> {
    let builds = lock(&program.builds);
    let has = |build: &Build| build.kind != CL_PROGRAM_BINARY_TYPE_NONE;
    builds.iter().map(|build| if has(build) { build.text.clone() } else { String::new() }).collect()
}

/// Writes binaries to where the pointers in the answer point.
fn give_binaries(program: &Program, answer: Answer) -> Result {
    let binaries = binaries(program);
    answer.size(binaries.len() * size_of::<*mut u8>())?;
    let targets = answer.target().cast::<*mut u8>();
    if targets.is_null() {
        return Ok(());
    }
    for (index, binary) in binaries.iter().enumerate() {
        // SAFETY: there is room for a pointer per device.
        let target = unsafe { targets.add(index).read_unaligned() };
        if !target.is_null() {
            // SAFETY: each target that is not null has the size that was reported.
            unsafe { std::ptr::copy_nonoverlapping(binary.as_ptr(), target, binary.len()) };
        }
    }
    Ok(())
}

entry! {
    status fn clGetProgramBuildInfo(
        program: cl_program, device: cl_device_id, param_name: cl_program_build_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let program = object::get::<Program>(program)?;
        let index = program.index(device)?;
        let build = lock(&program.builds)[index].clone();
        let version = program.context.version();
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_PROGRAM_BUILD_STATUS => answer.value(build.status),
            CL_PROGRAM_BUILD_OPTIONS => answer.text(&build.options),
            CL_PROGRAM_BUILD_LOG => answer.text(&build.log),
            CL_PROGRAM_BINARY_TYPE if version >= (1, 2) => answer.value(build.kind),
            CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE if version >= (2, 0) => answer.value(0_usize),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}

entry! {
    status fn clSetProgramReleaseCallback(
        program: cl_program, pfn_notify: Option<ReleaseNotify>, user_data: *mut c_void,
    ) {
        let program = object::get::<Program>(program)?;
        let callback = pfn_notify.ok_or(CL_INVALID_VALUE)?;
        lock(&program.callbacks).push((callback, user_data as usize));
        Ok(())
    }
}

entry! {
    status fn clSetProgramSpecializationConstant(
        program: cl_program, spec_id: cl_uint, spec_size: size_t, spec_value: *const c_void,
    ) {
        let program = object::get::<Program>(program)?;
        check(program.origin == Origin::Il, CL_INVALID_PROGRAM)?;
        check(!spec_value.is_null() && spec_size > 0, CL_INVALID_VALUE)?;
        // SAFETY: the pointer is as the specification demands.
        let value = unsafe { items(spec_value.cast::<u8>(), spec_size) };
        lock(&program.constants).insert(spec_id, value);
        Ok(())
    }
}
