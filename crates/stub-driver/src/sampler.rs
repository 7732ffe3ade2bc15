//! Samplers.

use crate::border::{check, pair, pairs};
use crate::context::Context;
use crate::info::Answer;
use crate::object::{self, Kind, Object, Shared};
use crate::sys::*;

/// A sampler.
pub(crate) struct Sampler {
    context: Shared<Context>,
    normalized: bool,
    addressing: cl_addressing_mode,
    filter: cl_filter_mode,
    properties: Vec<cl_sampler_properties>,
}

impl Kind for Sampler {
    const NAME: &'static str = "sampler";
    const INVALID: cl_int = CL_INVALID_SAMPLER;
}

fn create(
    context: cl_context,
    normalized: bool,
    addressing: cl_addressing_mode,
    filter: cl_filter_mode,
    properties: Vec<cl_sampler_properties>,
) -> Result<cl_sampler> {
    let context = object::get::<Context>(context)?;
    check((CL_ADDRESS_NONE..=CL_ADDRESS_MIRRORED_REPEAT).contains(&addressing), CL_INVALID_VALUE)?;
    check((CL_FILTER_NEAREST..=CL_FILTER_LINEAR).contains(&filter), CL_INVALID_VALUE)?;
    check(context.devices.iter().any(|device| device.shape().images), CL_INVALID_OPERATION)?;
    let dispatch = context.dispatch();
    let sampler = Sampler { context, normalized, addressing, filter, properties };
    Ok(Object::create(dispatch, 1, sampler).handle())
}

entry! {
    object fn clCreateSampler(
        context: cl_context, normalized_coords: cl_bool, addressing_mode: cl_addressing_mode,
        filter_mode: cl_filter_mode,
    ) {
        create(context, normalized_coords != CL_FALSE, addressing_mode, filter_mode, Vec::new())
    }
}

entry! {
    object fn clCreateSamplerWithProperties(
        context: cl_context, sampler_properties: *const cl_sampler_properties,
    ) {
        // SAFETY: the pointer is as the specification demands.
        let list = unsafe { pairs(sampler_properties) };
        let known = [CL_SAMPLER_NORMALIZED_COORDS, CL_SAMPLER_ADDRESSING_MODE, CL_SAMPLER_FILTER_MODE];
        check(list.chunks_exact(2).all(|pair| known.iter().any(|name| u64::from(*name) == pair[0])), CL_INVALID_VALUE)?;
        let value = |name: cl_uint, default: cl_uint| match pair(&list, u64::from(name)) {
            Some(value) => cl_uint::try_from(value).map_err(|_| CL_INVALID_VALUE),
            None => Ok(default),
        };
        let normalized = value(CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE)? != CL_FALSE;
        let addressing = value(CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP)?;
        let filter = value(CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST)?;
        create(context, normalized, addressing, filter, list)
    }
}

entry! {
    status fn clRetainSampler(sampler: cl_sampler) { object::retain::<Sampler>(sampler) }
}

entry! {
    status fn clReleaseSampler(sampler: cl_sampler) { object::release::<Sampler>(sampler) }
}

entry! {
    status fn clGetSamplerInfo(
        sampler: cl_sampler, param_name: cl_sampler_info,
        param_value_size: size_t, param_value: *mut c_void, param_value_size_ret: *mut size_t,
    ) {
        let sampler = object::get::<Sampler>(sampler)?;
        // SAFETY: the pointers are as the specification demands.
        let answer = unsafe { Answer::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            CL_SAMPLER_REFERENCE_COUNT => answer.value(sampler.references()),
            CL_SAMPLER_CONTEXT => answer.value(sampler.context.handle()),
            CL_SAMPLER_NORMALIZED_COORDS => answer.flag(sampler.normalized),
            CL_SAMPLER_ADDRESSING_MODE => answer.value(sampler.addressing),
            CL_SAMPLER_FILTER_MODE => answer.value(sampler.filter),
            CL_SAMPLER_PROPERTIES if sampler.context.version() >= (3, 0) => answer.list(&sampler.properties),
            _ => Err(CL_INVALID_VALUE),
        }
    }
}
