// SPDX-License-Identifier: EPL-2.0
#pragma once

/// OSI_CUDA_CLONES before a function lets the compiler make it several times, with the wide
/// registers that machines of different ages have, and one is taken at start-up. Clones are named
/// by features: names of processors match those alone, none that came later. Sanitizers can't run
/// the resolvers that choose a clone.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OSI_CUDA_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
/// For functions that need fused multiply-add by name.
#define OSI_CUDA_FMA_CLONES __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define OSI_CUDA_CLONES
#define OSI_CUDA_FMA_CLONES
#endif
