//! What arrays of one context share: its kernels, and its pool of memory. It hangs on the context and so must
//! not hold it.

use std::sync::Arc;

use opencl_runtime::Context;

use crate::kernels::Kernels;
use crate::pool::Pool;

#[derive(Debug, Default)]
pub(crate) struct PerContext {
    pub(crate) kernels: Kernels,
    pub(crate) pool: Arc<Pool>,
}

impl PerContext {
    /// What the arrays of this context share.
    pub(crate) fn of(context: &Context) -> Arc<Self> {
        context.slot(|| {
            let shared = Self::default();
            shared.pool.register(context);
            shared
        })
    }
}
