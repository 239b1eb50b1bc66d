//! What the benchmarks of this package share: nothing.
