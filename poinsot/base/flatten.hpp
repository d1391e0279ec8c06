// SPDX-License-Identifier: MIT
#pragma once

// POINSOT_FLATTEN before a kernel: every call in it is inlined. Not where nothing is optimised, and
// not under sanitizers, whose checks make such a function take minutes to compile.

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define POINSOT_FLATTEN [[gnu::flatten]]
#else
#define POINSOT_FLATTEN
#endif
