// SPDX-License-Identifier: EPL-2.0
#pragma once

// A function with this attribute is compiled for the widest vectors that the machine has, found out
// at start-up. Sanitizers can't run the resolvers that choose.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CLONES
#endif
