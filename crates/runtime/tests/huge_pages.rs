//! Large buffers of CPUs lie in host memory with huge pages, and work as any other.

mod common;

use common::on_each_device;
use opencl_runtime::{Buffer, DeviceType, MemFlags};

const MIB: usize = 1 << 20;

#[test]
fn large_buffers_of_cpus_lie_on_huge_pages() {
    on_each_device(|context, queue| {
        let cpu = queue.device().type_().unwrap().contains(DeviceType::CPU);
        for (size, large) in [(100, false), (4 * MIB - 1, false), (4 * MIB, true), (9 * MIB + 5, true)] {
            let buffer = Buffer::on_huge_pages(context, MemFlags::READ_WRITE, size).unwrap();
            assert_eq!(buffer.size(), size);
            let address = buffer.host_ptr().unwrap().0;
            if large && cpu && cfg!(target_os = "linux") {
                assert!(address != 0 && address.is_multiple_of(2 * MIB), "{size}: {address:#x}");
            } else {
                assert_eq!(address, 0, "{size}");
            }
            let bytes: Vec<u8> = (0..size).map(|n| (n % 251) as u8).collect();
            queue.write(&buffer, 0, &bytes).unwrap();
            let mut found = vec![0u8; size];
            queue.read(&buffer, 0, &mut found).unwrap();
            assert!(found == bytes, "{size}");
        }
    });
}

/// What Linux says that this process has in memory, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
#[cfg(target_os = "linux")]
fn their_memory_goes_with_them() {
    on_each_device(|context, queue| {
        let bytes = vec![7u8; 16 * MIB];
        let fill = || {
            let buffer = Buffer::on_huge_pages(context, MemFlags::READ_WRITE, bytes.len()).unwrap();
            queue.write(&buffer, 0, &bytes).unwrap();
        };
        fill();
        let before = resident();
        for _ in 0..30 {
            fill();
        }
        let more = resident().saturating_sub(before);
        assert!(more < 10 * bytes.len(), "{more} bytes more");
    });
}
