//! Lists platforms and devices. With no driver at all it prints where was looked and what to install, and fails.
//!
//! ```text
//! cargo run -p opencl-runtime --example devices
//! ```

use std::process::ExitCode;

use opencl_runtime::constants::DeviceLocalMemType;
use opencl_runtime::{Device, Platform, Result, drivers};

fn main() -> ExitCode {
    let listed = list();
    // Drivers that are there but cannot be used are left out above: say why.
    if listed.is_ok() {
        for drivers::Failure { library, named_by, reason } in drivers::report().failures {
            println!("left out: {} (named by {named_by}): {reason}", library.display());
        }
    }
    match listed {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn list() -> Result<()> {
    for platform in Platform::all()? {
        println!("{} by {}", platform.name()?, platform.vendor()?);
        println!("    version   {}", platform.version()?);
        println!("    driver    {}", platform.entry().origin.display());
        let devices = platform.devices()?;
        if devices.is_empty() {
            println!("    no device");
        }
        for device in devices {
            describe(&device)?;
        }
    }
    Ok(())
}

/// Key facts of a device.
fn describe(device: &Device) -> Result<()> {
    const MIB: u64 = 1 << 20;
    println!("  {}", device.name()?);
    println!("    type      {:?}", device.type_()?);
    println!("    version   {}, {}", device.version()?, device.opencl_c_version()?);
    println!("    driver    {}", device.driver_version()?);
    println!("    units     {} at {} MHz", device.max_compute_units()?, device.max_clock_frequency()?);
    println!(
        "    memory    {} MiB, one buffer up to {} MiB, local {} KiB{}",
        device.global_mem_size()? / MIB,
        device.max_mem_alloc_size()? / MIB,
        device.local_mem_size()? / 1024,
        if device.local_mem_type()? == DeviceLocalMemType::GLOBAL { ", a part of it" } else { "" },
    );
    println!(
        "    groups    up to {} work-items, {:?} in each dimension",
        device.max_work_group_size()?,
        device.max_work_item_sizes()?,
    );
    let offers =
        |extension| -> Result<&str> { Ok(if device.has_extension(extension)? { "yes" } else { "no" }) };
    println!(
        "    offers    half precision {}, double precision {}, 64-bit atomics {}",
        offers("cl_khr_fp16")?,
        offers("cl_khr_fp64")?,
        offers("cl_khr_int64_base_atomics")?,
    );
    println!("    queues    {:?}", device.queue_on_host_properties()?);
    Ok(())
}
