//! The choice of devices: by a text such as `portable:0,1`, by the environment variables that hold one, or the
//! first one there is. The rules are those of `choose_devices` in Python; nobody is asked here.

use crate::{Context, Device, Error, Platform, Result, status};

/// The operation's name in errors.
const FUNCTION: &str = "choose_devices";

/// The devices that the user chose, all of one platform:
///
/// 1. `PYOPENCL_TEST` (`platform:device,…;…`), of which the first device is taken;
/// 2. `PYOPENCL_CTX` (`platform:device,device`), as [`devices_named`] reads it;
/// 3. without either, the first device of the first platform that has one.
///
/// ```
/// use opencl_runtime::{Context, choose_devices};
///
/// let devices = choose_devices()?;
/// println!("on {}", devices[0].name()?);
/// let context = Context::new(&devices)?;
/// # Ok::<(), opencl_runtime::Error>(())
/// ```
///
/// # Errors
/// [`Error::NoPlatform`], `DEVICE_NOT_FOUND` naming the text that matches nothing and what there is, and what the
/// drivers give.
pub fn choose_devices() -> Result<Vec<Device>> {
    #[allow(clippy::disallowed_methods, reason = "the variables are this function's purpose")]
    let get = |name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    if let Some(setting) = get("PYOPENCL_TEST").filter(|setting| !setting.is_empty()) {
        let first = setting.split(';').next().unwrap_or_default();
        let mut devices = chosen(first, &format!("PYOPENCL_TEST={setting:?}"))?;
        devices.truncate(1);
        return Ok(devices);
    }
    match get("PYOPENCL_CTX") {
        Some(setting) => chosen(&setting, &format!("PYOPENCL_CTX={setting:?}")),
        None => first_device(),
    }
}

/// The devices that a text of the form `platform:device,device` names. Each part is a number, or a part of a name
/// in any case (`portable` matches "Portable Computing Language"); an empty one, or none, stands for the first.
///
/// # Errors
/// As for [`choose_devices`]; `INVALID_VALUE` for more than two parts.
pub fn devices_named(text: &str) -> Result<Vec<Device>> {
    chosen(text, &format!("{text:?}"))
}

impl Context {
    /// A context for the devices that [`choose_devices`] gives, as `create_some_context` makes in Python.
    ///
    /// # Errors
    /// As for [`choose_devices`], and what `clCreateContext` gives.
    pub fn from_environment() -> Result<Self> {
        Self::new(&choose_devices()?)
    }
}

fn first_device() -> Result<Vec<Device>> {
    for platform in Platform::all()? {
        let mut devices = platform.devices()?;
        if !devices.is_empty() {
            devices.truncate(1);
            return Ok(devices);
        }
    }
    Err(Error::refused(FUNCTION, status::DEVICE_NOT_FOUND, "no platform has a device"))
}

/// The devices that `text` names; `source` says in errors where it comes from.
fn chosen(text: &str, source: &str) -> Result<Vec<Device>> {
    let mut answers = text.split(':');
    // Splitting gives at least one part.
    let platform_answer = answers.next().unwrap_or_default();
    let device_answers = answers.next();
    if answers.next().is_some() {
        let detail = format!("{source} has more parts than `platform:device,device`");
        return Err(Error::refused(FUNCTION, status::INVALID_VALUE, detail));
    }
    let platforms = Platform::all()?;
    let names = platforms.iter().map(|platform| platform.name()).collect::<Result<Vec<_>>>()?;
    let index = position(platform_answer, &names, "platform", source)?;
    let devices = platforms[index].devices()?;
    if devices.is_empty() {
        let detail = format!("{source}: platform {:?} has no device", names[index]);
        return Err(Error::refused(FUNCTION, status::DEVICE_NOT_FOUND, detail));
    }
    let Some(device_answers) = device_answers else {
        return Ok(devices.into_iter().take(1).collect());
    };
    let names = devices.iter().map(|device| device.name()).collect::<Result<Vec<_>>>()?;
    let device = |answer| position(answer, &names, "device", source).map(|index| devices[index].clone());
    device_answers.split(',').map(device).collect()
}

/// The index of the name that `answer` stands for, out of at least one.
fn position(answer: &str, names: &[String], kind: &str, source: &str) -> Result<usize> {
    let answer = answer.trim();
    if answer.is_empty() {
        return Ok(0);
    }
    let found = match answer.parse::<i64>() {
        Ok(number) => usize::try_from(number).ok().filter(|&index| index < names.len()),
        Err(_) => {
            let part = answer.to_lowercase();
            names.iter().position(|name| name.to_lowercase().contains(&part))
        }
    };
    found.ok_or_else(|| {
        let there_is: Vec<_> =
            names.iter().enumerate().map(|(index, name)| format!("[{index}] {name:?}")).collect();
        let detail =
            format!("{source}: {answer:?} did not match any {kind}; there is {}", there_is.join(", "));
        Error::refused(FUNCTION, status::DEVICE_NOT_FOUND, detail)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(answer: &str) -> Result<usize> {
        let names = ["Portable Computing Language", "Oclgrind", "0815"].map(str::to_owned);
        position(answer, &names, "platform", "PYOPENCL_CTX=\"…\"")
    }

    #[test]
    fn answers_are_numbers_or_parts_of_names() {
        assert_eq!(find("").unwrap(), 0);
        assert_eq!(find(" 1 ").unwrap(), 1);
        assert_eq!(find("PORTABLE").unwrap(), 0);
        assert_eq!(find("grind").unwrap(), 1);
        for wrong in ["3", "-1", "815", "intel"] {
            let text = find(wrong).unwrap_err().to_string();
            let expected = format!("PYOPENCL_CTX=\"…\": {wrong:?} did not match any platform; there is [0] ");
            assert!(text.contains(&expected), "{text}");
            assert!(text.contains("[1] \"Oclgrind\""), "{text}");
        }
    }
}
