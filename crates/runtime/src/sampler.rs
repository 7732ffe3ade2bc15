//! Samplers: how kernels read images.

use std::sync::Arc;

use opencl_driver::Api;
use opencl_driver::sys::{CL_SAMPLER_CONTEXT, cl_context, cl_sampler};

use crate::call::create;
use crate::constants::{AddressingMode, FilterMode, SamplerProperties};
use crate::handle::{Handle, OfSampler};
use crate::info::answer::{Answer, Ask};
use crate::{Context, Error, Result, Version, status};

/// A sampler: which pixels of an image a kernel gets for its coordinates.
#[derive(Clone)]
pub struct Sampler(Arc<Shared>);

struct Shared {
    handle: Handle<OfSampler>,
    /// The handle of its context, which lives as long as the sampler does.
    context: usize,
}

impl Sampler {
    /// A sampler for coordinates from 0 to 1 (`normalized_coords`) or in pixels
    /// (`clCreateSamplerWithProperties`; before OpenCL 2.0 `clCreateSampler`).
    ///
    /// # Errors
    /// What the function gives.
    pub fn new(
        context: &Context,
        normalized_coords: bool,
        addressing_mode: AddressingMode,
        filter_mode: FilterMode,
    ) -> Result<Self> {
        let api = context.api();
        if api.version >= Version::new(2, 0) {
            let list = [
                (SamplerProperties::NORMALIZED_COORDS, u64::from(normalized_coords)),
                (SamplerProperties::ADDRESSING_MODE, addressing_mode.0.into()),
                (SamplerProperties::FILTER_MODE, filter_mode.0.into()),
            ];
            return Self::with_properties(context, &list);
        }
        // SAFETY: the context is live.
        let raw = unsafe {
            create!(
                api,
                clCreateSampler(context.as_raw(), normalized_coords.into(), addressing_mode.0, filter_mode.0)
            )?
        };
        // SAFETY: the driver gives away the reference that it made.
        Ok(Self::of(unsafe { Handle::from_owned(raw, api) }, context.as_raw()))
    }

    /// A sampler by keys and values (`clCreateSamplerWithProperties`, OpenCL 2.0). What is not given is as the
    /// specification says: normalized coordinates, `CLAMP`, `NEAREST`.
    ///
    /// # Errors
    /// What the function gives.
    pub fn with_properties(context: &Context, properties: &[(SamplerProperties, u64)]) -> Result<Self> {
        let mut list: Vec<u64> =
            properties.iter().flat_map(|(key, value)| [u64::from(key.0), *value]).collect();
        list.push(0);
        let api = context.api();
        // SAFETY: the context is live, and the list ends in zero.
        let raw = unsafe { create!(api, clCreateSamplerWithProperties(context.as_raw(), list.as_ptr()))? };
        // SAFETY: the driver gives away the reference that it made.
        Ok(Self::of(unsafe { Handle::from_owned(raw, api) }, context.as_raw()))
    }

    /// Wraps a handle that came from elsewhere.
    ///
    /// # Safety
    /// * `raw` is null or a live sampler.
    /// * With `retain` false, the caller owns a reference to it, which is given away.
    ///
    /// # Errors
    /// `INVALID_SAMPLER` if it is null or belongs to no driver that is loaded here.
    pub unsafe fn from_raw(raw: cl_sampler, retain: bool) -> Result<Self> {
        // SAFETY: the caller's promises.
        let handle = unsafe { Handle::<OfSampler>::from_foreign(raw, retain) }?;
        let context = usize::read(&Ask {
            api: handle.api(),
            function: "clGetSamplerInfo",
            get: handle.api().clGetSamplerInfo,
            object: handle.raw(),
            question: CL_SAMPLER_CONTEXT,
            since: "1.0",
        })?;
        Ok(Self::of(handle, context as cl_context))
    }

    fn of(handle: Handle<OfSampler>, context: cl_context) -> Self {
        Self(Arc::new(Shared { handle, context: context as usize }))
    }

    /// The C handle, valid as long as this object or a clone of it lives.
    #[must_use]
    pub fn as_raw(&self) -> cl_sampler {
        self.0.handle.raw()
    }

    /// The C handle for a kernel of the context of this handle.
    pub(crate) fn raw_in(&self, context: usize, function: &'static str) -> Result<cl_sampler> {
        if context == self.0.context {
            return Ok(self.as_raw());
        }
        Err(Error::refused(function, status::INVALID_CONTEXT, "the sampler belongs to another context"))
    }

    pub(crate) fn api(&self) -> &'static Api {
        self.0.handle.api()
    }

    #[allow(clippy::unnecessary_wraps, reason = "the objects of the information tables share this signature")]
    pub(crate) fn live_raw(&self) -> Result<cl_sampler> {
        Ok(self.as_raw())
    }
}

impl PartialEq for Sampler {
    fn eq(&self, other: &Self) -> bool {
        self.0.handle == other.0.handle
    }
}

impl Eq for Sampler {}

impl std::hash::Hash for Sampler {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.handle.hash(state);
    }
}
