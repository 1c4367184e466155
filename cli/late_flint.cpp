// SPDX-License-Identifier: EPL-2.0
// FLINT is opened when the program first calls it. The loader takes three milliseconds of processor
// time for it and for NTL, which it needs, since both ask for all of their functions to be found at
// once: as long as a small problem takes. Only proofs in rational arithmetic need it. Each function
// that is listed at the end is a jump to an address, at first to that of a search for the function.
// What is used and not listed is linked as ever: the loader opens FLINT at the start again.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

/// The address of a function of FLINT. The jumps alone call it.
extern "C" __attribute__((visibility("hidden"), used)) void* osiCudaFindInFlint(char const* name) {
  void* const library = dlopen(OSI_CUDA_FLINT_NAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (void* const address = library ? dlsym(library, name) : nullptr) return address;
  std::fprintf(stderr, "osi-cuda: %s\n", dlerror());
  std::_Exit(127);  // as the loader ends a program that lacks a library
}

asm(R"(
.macro osi_cuda_late names:vararg
.irp name, \names
.data
.balign 8
1: .quad 3f
.section .rodata
2: .asciz "\name"
.text
.globl \name
.hidden \name
.type \name, @function
\name:
  jmp *1b(%rip)
3: lea 1b(%rip), %r11
  lea 2b(%rip), %rax
  jmp osi_cuda_search
.size \name, . - \name
.endr
.endm

# Keeps the registers with arguments over the search; FLINT's functions here have no more than six.
.type osi_cuda_search, @function
osi_cuda_search:
  .cfi_startproc
  sub $56, %rsp
  .cfi_adjust_cfa_offset 56
  mov %rdi, (%rsp)
  mov %rsi, 8(%rsp)
  mov %rdx, 16(%rsp)
  mov %rcx, 24(%rsp)
  mov %r8, 32(%rsp)
  mov %r9, 40(%rsp)
  mov %r11, 48(%rsp)
  mov %rax, %rdi
  call osiCudaFindInFlint
  mov 48(%rsp), %r11
  mov %rax, (%r11)
  mov %rax, %r11
  mov (%rsp), %rdi
  mov 8(%rsp), %rsi
  mov 16(%rsp), %rdx
  mov 24(%rsp), %rcx
  mov 32(%rsp), %r8
  mov 40(%rsp), %r9
  xor %eax, %eax
  add $56, %rsp
  .cfi_adjust_cfa_offset -56
  jmp *%r11
  .cfi_endproc
.size osi_cuda_search, . - osi_cuda_search

osi_cuda_late _fmpq_canonicalise, _fmpq_reconstruct_fmpz_2, _fmpz_clear_mpz, _fmpz_demote_val
osi_cuda_late _fmpz_new_mpz, _fmpz_promote, _fmpz_vec_clear, _fmpz_vec_init, _fmpz_vec_is_zero
osi_cuda_late _fmpz_vec_set, flint_cleanup, flint_free, flint_throw, fmpq_add, fmpq_canonicalise
osi_cuda_late fmpq_cmp, fmpq_div, fmpq_div_2exp, fmpq_div_fmpz, fmpq_mul, fmpq_mul_2exp
osi_cuda_late fmpq_mul_fmpz, fmpq_set_si, fmpq_set_str, fmpz_abs, fmpz_add, fmpz_add_ui
osi_cuda_late fmpz_addmul, fmpz_addmul_si, fmpz_bits, fmpz_cmp, fmpz_cmpabs, fmpz_divexact
osi_cuda_late fmpz_divexact_ui, fmpz_equal, fmpz_fdiv_q, fmpz_fdiv_q_2exp, fmpz_fdiv_ui, fmpz_gcd
osi_cuda_late fmpz_get_str, fmpz_get_ui, fmpz_lcm, fmpz_mod, fmpz_mul, fmpz_mul_2exp, fmpz_mul_si
osi_cuda_late fmpz_mul_ui, fmpz_pow_ui, fmpz_remove, fmpz_set, fmpz_setbit, fmpz_sgn, fmpz_size
osi_cuda_late fmpz_sizeinbase, fmpz_smod, fmpz_sqrt, fmpz_sub, fmpz_sub_ui, fmpz_submul
osi_cuda_late fmpz_submul_si, fmpz_tdiv_q_2exp, fmpz_tdiv_qr, fmpz_tdiv_r_2exp, fmpz_val2
osi_cuda_late n_gcdinv, n_mulmod_precomp_shoup, n_nextprime
)");
