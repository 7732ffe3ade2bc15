//! Results that are computed when somebody asks for them, and until then see their operands as they were.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use opencl_runtime::CommandQueue;

use crate::array::{Array, Storage, check_context};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::ops::Lazy;

/// The result of an expression that is not computed yet, with the meaning of one that is.
///
/// It is computed by [`Deferred::value`], and before the memory of one of its operands is written by any operation on
/// arrays. Commands that are enqueued by other means are not seen; [`Deferred::may_be_written_unseen`] says for which
/// results that matters.
#[derive(Debug)]
pub struct Deferred {
    queue: CommandQueue,
    layout: Layout,
    dtype: DType,
    unseen: bool,
    /// Goes when the value is there.
    lazy: Mutex<Option<Lazy>>,
    value: OnceLock<Array>,
    /// Whether it is just being stored in the memory of an operand.
    moving: AtomicBool,
}

impl Deferred {
    /// The result of an expression, to be computed on a queue.
    ///
    /// # Errors
    /// What an operator found wrong; [`Error::DifferentContexts`]; [`Error::NoFp64`].
    pub fn new(lazy: Lazy, queue: &CommandQueue) -> Result<Arc<Self>> {
        let (layout, dtype) = (lazy.layout()?, lazy.dtype());
        for array in lazy.arrays() {
            check_context(array.storage(), queue)?;
        }
        if let (Some(array), Some(dtype)) = (lazy.arrays().first(), lazy.needs_fp64())
            && !array.storage().kernels().profile(queue.device())?.fp64
        {
            return Err(Error::NoFp64 { dtype, device: queue.device().name()? });
        }
        let unseen = lazy.arrays().iter().any(|array| array.storage().is_known_elsewhere());
        let (queue, moving, value) = (queue.clone(), AtomicBool::new(false), OnceLock::new());
        let deferred = Arc::new(Self { queue, layout, dtype, unseen, lazy: Mutex::new(None), value, moving });
        deferred.become_lazy(lazy);
        Ok(deferred)
    }

    fn become_lazy(self: &Arc<Self>, lazy: Lazy) {
        for array in lazy.arrays() {
            array.storage().add_reader(Arc::downgrade(self));
        }
        *self.lock() = Some(lazy);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Lazy>> {
        // Each change is one assignment, so that a panic elsewhere leaves it whole.
        self.lazy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The layout of the value.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The dtype of the value.
    #[must_use]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The queue on which it is computed, and which the value has.
    #[must_use]
    pub fn queue(&self) -> &CommandQueue {
        &self.queue
    }

    /// Whether the memory of an operand is known outside of arrays, so that commands may write it unseen.
    #[must_use]
    pub fn may_be_written_unseen(&self) -> bool {
        self.unseen
    }

    /// Whether it reads this memory, and is not computed yet.
    #[must_use]
    pub fn reads(&self, storage: &Storage) -> bool {
        self.lock().iter().flat_map(Lazy::arrays).any(|array| std::ptr::eq(&**array.storage(), storage))
    }

    /// What it is as an operand: the expression, or the value if that is computed.
    ///
    /// # Errors
    /// As [`Deferred::value`].
    pub fn operand(&self) -> Result<Lazy> {
        let lazy = self.lock().clone();
        match lazy {
            Some(lazy) => Ok(lazy),
            None => Ok(self.value()?.into()),
        }
    }

    /// The value, computed if it is not there yet.
    ///
    /// # Errors
    /// As [`Lazy::evaluate`]; then it is tried again when asked for again.
    pub fn value(&self) -> Result<&Array> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let lazy = self.lock().clone();
        if let Some(lazy) = lazy {
            // No lock is held meanwhile. Of two threads that compute it the first one's array counts.
            let value = lazy.evaluate(Some(&self.queue))?;
            let _ = self.value.set(value);
            *self.lock() = None;
        }
        // The expression goes only after the value came.
        self.value.get().ok_or(Error::NoQueue)
    }

    /// Computes it before memory that it reads is written.
    pub(crate) fn settle(&self) -> Result<()> {
        if self.moving.load(Ordering::Relaxed) { Ok(()) } else { self.value().map(drop) }
    }

    /// Stores the elements in an array, cast to its dtype, in one kernel if they are not computed yet, even if it
    /// reads the array itself.
    ///
    /// # Errors
    /// As [`Array::assign`].
    pub fn assign_to(self: &Arc<Self>, target: &Array) -> Result<()> {
        let keeps = self.dtype == target.dtype() && self.layout.shape() == target.shape();
        if self.reads(target.storage()) && !keeps {
            self.value()?;
        }
        let lazy = self.operand()?;
        // From here on its value is what the array will hold.
        let moves = self.reads(target.storage());
        self.moving.store(moves, Ordering::Relaxed);
        let stored = lazy.store(target, None);
        if moves {
            self.become_lazy(if stored.is_ok() { target.into() } else { lazy });
        }
        self.moving.store(false, Ordering::Relaxed);
        stored
    }
}

/// Deferred results that are to be computed together in the end.
#[derive(Debug, Default)]
pub struct Fusion {
    made: Mutex<Vec<Weak<Deferred>>>,
}

impl Fusion {
    fn made(&self) -> MutexGuard<'_, Vec<Weak<Deferred>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Defers the result of an expression.
    ///
    /// # Errors
    /// As [`Deferred::new`].
    pub fn defer(&self, lazy: Lazy, queue: &CommandQueue) -> Result<Arc<Deferred>> {
        let deferred = Deferred::new(lazy, queue)?;
        let mut made = self.made();
        if made.len() == made.capacity() {
            made.retain(|deferred| deferred.strong_count() > 0);
        }
        made.push(Arc::downgrade(&deferred));
        Ok(deferred)
    }

    /// Computes those results whose operands commands may write unseen.
    ///
    /// # Errors
    /// As [`Deferred::value`].
    pub fn before_unseen_command(&self) -> Result<()> {
        let waiting: Vec<Arc<Deferred>> = self.made().iter().filter_map(Weak::upgrade).collect();
        waiting.iter().filter(|deferred| deferred.unseen).try_for_each(|deferred| deferred.settle())
    }

    /// Computes what is left of the results, in the order in which they were made.
    ///
    /// # Errors
    /// The first one of [`Deferred::value`]; the others are computed nevertheless.
    pub fn finish(&self) -> Result<()> {
        let made = std::mem::take(&mut *self.made());
        let mut outcome = Ok(());
        for deferred in made.iter().filter_map(Weak::upgrade) {
            let computed = deferred.value().map(drop);
            outcome = outcome.and(computed);
        }
        outcome
    }
}
