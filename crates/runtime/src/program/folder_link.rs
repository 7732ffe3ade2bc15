//! Include folders whose names hold spaces: some compilers split options at every space, whatever quotes
//! there are, so they are given a link to the folder under a name without.

use std::path::Path;

use super::options::{BuildOptions, join_options, split_options};

/// Options for the driver, and the links that they name, which go with this object.
pub(super) struct Linked {
    pub(super) options: BuildOptions,
    _links: Option<tempfile::TempDir>,
}

/// Options in which no include folder's name holds a space, as far as the file system can help it.
pub(super) fn link_folders(options: &BuildOptions) -> Linked {
    let as_they_are = || Linked { options: options.clone(), _links: None };
    if !options.as_str().contains('"') {
        return as_they_are();
    }
    let mut words = split_options(options.as_str());
    let spaced = |word: &str| word.contains(char::is_whitespace);
    if !words.iter().any(|word| spaced(word)) {
        return as_they_are();
    }
    let Ok(links) = tempfile::tempdir() else { return as_they_are() };
    let mut folder_follows = false;
    for (index, word) in words.iter_mut().enumerate() {
        let folder = if folder_follows { Some(word.as_str()) } else { word.strip_prefix("-I") };
        if let Some(folder) = folder.filter(|folder| spaced(folder)) {
            let link = links.path().join(index.to_string());
            if link_to(Path::new(folder), &link) {
                *word = format!("{}{}", if folder_follows { "" } else { "-I" }, link.display());
            }
        }
        folder_follows = word == "-I";
    }
    Linked { options: BuildOptions::text(join_options(&words)), _links: Some(links) }
}

/// Whether the link could be made.
fn link_to(folder: &Path, link: &Path) -> bool {
    #[cfg(unix)]
    {
        let Ok(folder) = folder.canonicalize() else { return false };
        std::os::unix::fs::symlink(folder, link).is_ok()
    }
    #[cfg(not(unix))]
    {
        // Links need rights that programs do not have there; the quotes have to do.
        let _ = (folder, link);
        false
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_with_spaces_get_a_link_and_others_stay() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("my headers");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("a.h"), "text").unwrap();
        let words = [
            "-I".to_owned(),
            folder.display().to_string(),
            format!("-I{}", folder.display()),
            "-DX=1".into(),
        ];
        let linked = link_folders(&BuildOptions::words(&words));
        let words = split_options(linked.options.as_str());
        assert_eq!((words.len(), words[0].as_str(), words[3].as_str()), (4, "-I", "-DX=1"));
        for path in [words[1].as_str(), words[2].strip_prefix("-I").unwrap()] {
            assert!(!path.contains(' '));
            assert_eq!(std::fs::read_to_string(Path::new(path).join("a.h")).unwrap(), "text");
        }
    }

    #[test]
    fn a_missing_folder_keeps_its_quotes() {
        let options = BuildOptions::words(&["-I", "/no such/folder"]);
        assert_eq!(link_folders(&options).options, options);
        let plain = BuildOptions::text("-DX=\"a\" -w");
        assert_eq!(link_folders(&plain).options, plain);
    }
}
