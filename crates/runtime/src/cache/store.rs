//! Files of the cache: a header with a checksum, then one binary a device.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::key::Key;

/// What each file begins with; the digit is the version of this format.
const MAGIC: &[u8; 8] = b"OCLPRG1\n";
const CHECKSUM: usize = 32;
/// No program is larger, in bytes.
const LARGEST: u64 = 1 << 30;

fn path(directory: &Path, key: &Key) -> PathBuf {
    directory.join(format!("{}.bin", key.to_hex()))
}

/// The binaries of a key; `None` if there are none or the file is damaged.
pub(super) fn read(directory: &Path, key: &Key) -> Option<Vec<Vec<u8>>> {
    let path = path(directory, key);
    let metadata = fs::metadata(&path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let file = fs::read(path).ok()?;
    let rest = file.strip_prefix(MAGIC)?;
    let (checksum, mut rest) = rest.split_at_checked(CHECKSUM)?;
    if blake3::hash(rest).as_bytes() != checksum {
        log::info!("a file of the cache in {} is damaged", directory.display());
        return None;
    }
    let mut binaries = Vec::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk()?;
        let (binary, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        binaries.push(binary.to_vec());
        rest = after;
    }
    Some(binaries)
}

/// Writes the binaries of a key: to a file of another name first, so that readers see all of it or none.
pub(super) fn write(directory: &Path, key: &Key, binaries: &[Vec<u8>]) -> io::Result<()> {
    let mut body = Vec::new();
    for binary in binaries {
        body.extend((binary.len() as u64).to_le_bytes());
        body.extend(binary);
    }
    fs::create_dir_all(directory)?;
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(MAGIC)?;
    file.write_all(blake3::hash(&body).as_bytes())?;
    file.write_all(&body)?;
    file.persist(path(directory, key)).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BuildOptions;
    use crate::cache::key;

    #[test]
    fn binaries_come_back_and_damage_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let directory = dir.path().join("deep/er");
        let key = key::of("source", &BuildOptions::default(), "device").unwrap();
        assert_eq!(read(&directory, &key), None);
        let binaries = vec![vec![1, 2, 3], vec![], vec![4]];
        write(&directory, &key, &binaries).unwrap();
        assert_eq!(read(&directory, &key), Some(binaries));

        let file = path(&directory, &key);
        let good = fs::read(&file).unwrap();
        for damaged in [&good[..good.len() - 1], &good[..20], &[][..], b"nonsense"] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(read(&directory, &key), None);
        }
        let mut flipped = good;
        *flipped.last_mut().unwrap() ^= 1;
        fs::write(&file, flipped).unwrap();
        assert_eq!(read(&directory, &key), None);
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_an_error_here() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let key = key::of("source", &BuildOptions::default(), "device").unwrap();
        assert!(write(&file.path().join("below"), &key, &[]).is_err());
    }
}
