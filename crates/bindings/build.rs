//! Tells the sources whether classes may be given the fast protocol of calls (`cfg(vectorcall)`, see `src/vectorcall.rs`).

fn main() {
    println!("cargo::rustc-check-cfg=cfg(vectorcall)");
    let python = pyo3_build_config::get();
    let outputs = python.build_script_outputs();
    // Python's limited interface has no way to it, and without the GIL no class can be changed once it is in use.
    if !outputs.iter().any(|line| line.ends_with("Py_LIMITED_API") || line.ends_with("Py_GIL_DISABLED")) {
        println!("cargo::rustc-cfg=vectorcall");
    }
}
