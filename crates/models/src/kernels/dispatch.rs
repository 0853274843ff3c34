//! One loop, compiled for several kinds of processor.

/// Compiles each function for AVX-512, for AVX2 with FMA, and for the plain target, and picks one at run time.
///
/// Write bodies as simple loops with `mul_add`, and keep running sums in a local array of [`LANES`]: the compiler then
/// turns them into vector code, and the order of additions does not depend on the width of the processor's registers.
/// (On an x86 processor without FMA, older than 2013, `mul_add` is a slow library call; the result is still the same.)
macro_rules! dispatched {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $kind:ty),* $(,)?) $(-> $out:ty)? $body:block)*) => {$(
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name($($arg: $kind),*) $(-> $out)? {
            #[inline(always)]
            fn plain($($arg: $kind),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
                fn avx512($($arg: $kind),*) $(-> $out)? { plain($($arg),*) }

                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $kind),*) $(-> $out)? { plain($($arg),*) }

                match $crate::kernels::dispatch::level() {
                    // SAFETY: `level` has just found every feature that the function is compiled for.
                    $crate::kernels::dispatch::Level::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: as above.
                    $crate::kernels::dispatch::Level::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::kernels::dispatch::Level::Plain => {}
                }
            }
            plain($($arg),*)
        }
    )*};
}
pub(crate) use dispatched;

/// Running sums are kept in this many lanes: one AVX-512 register, or two of AVX2.
pub(crate) const LANES: usize = 16;

/// What the processor can do, as far as the kernels care.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    Plain,
    Avx2,
    Avx512,
}

/// The best level of this processor; the standard library remembers the answer after the first call.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn level() -> Level {
    use std::is_x86_feature_detected as has;
    let avx2 = has!("avx2") && has!("fma");
    if avx2 && has!("avx512f") && has!("avx512vl") && has!("avx512bw") && has!("avx512dq") {
        Level::Avx512
    } else if avx2 {
        Level::Avx2
    } else {
        Level::Plain
    }
}
