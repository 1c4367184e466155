// SPDX-License-Identifier: EPL-2.0
// Libraries that the program opens when it first calls them. The loader would take 5 ms of
// processor time for them, more than most small problems take, and few problems need them all:
// FLINT is there for proofs in rational arithmetic, OpenBLAS and LAPACKE for dense blocks. Each
// function that is listed at the end is a jump to an address, at first to that of a search for the
// function. What is used and not listed is linked as ever: the loader opens its library again.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

/// The address of a function in its library. The jumps alone call it.
extern "C" __attribute__((visibility("hidden"), used)) void* osiCudaFindLate(char const* name,
                                                                             char const* library) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  void* const address = opened ? dlsym(opened, name) : nullptr;
  if (address) return address;
  std::fprintf(stderr, "osi-cuda: %s\n", dlerror());
  std::_Exit(127);  // as the loader ends a program that lacks a library
}

asm(R"(
.macro osi_cuda_late library, names:vararg
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
  lea 2b(%rip), %r10
  lea osi_cuda_\library(%rip), %rax
  jmp osi_cuda_search
.size \name, . - \name
.endr
.endm

.section .rodata
osi_cuda_flint: .asciz ")" OSI_CUDA_FLINT_NAME R"("
osi_cuda_blas: .asciz ")" OSI_CUDA_OPENBLAS_NAME R"("
osi_cuda_lapack: .asciz ")" OSI_CUDA_LAPACKE_NAME R"("

# Keeps the registers with arguments over the search: six integers and, for these functions, at most
# two numbers.
.text
.type osi_cuda_search, @function
osi_cuda_search:
  .cfi_startproc
  sub $104, %rsp
  .cfi_adjust_cfa_offset 104
  mov %rdi, (%rsp)
  mov %rsi, 8(%rsp)
  mov %rdx, 16(%rsp)
  mov %rcx, 24(%rsp)
  mov %r8, 32(%rsp)
  mov %r9, 40(%rsp)
  mov %r11, 48(%rsp)
  movups %xmm0, 64(%rsp)
  movups %xmm1, 80(%rsp)
  mov %r10, %rdi
  mov %rax, %rsi
  call osiCudaFindLate
  mov 48(%rsp), %r11
  mov %rax, (%r11)
  mov %rax, %r11
  mov (%rsp), %rdi
  mov 8(%rsp), %rsi
  mov 16(%rsp), %rdx
  mov 24(%rsp), %rcx
  mov 32(%rsp), %r8
  mov 40(%rsp), %r9
  movups 64(%rsp), %xmm0
  movups 80(%rsp), %xmm1
  xor %eax, %eax
  add $104, %rsp
  .cfi_adjust_cfa_offset -104
  jmp *%r11
  .cfi_endproc
.size osi_cuda_search, . - osi_cuda_search

osi_cuda_late flint, _fmpq_canonicalise, _fmpq_reconstruct_fmpz_2, _fmpz_clear_mpz
osi_cuda_late flint, _fmpz_demote_val, _fmpz_new_mpz, _fmpz_promote, _fmpz_vec_clear
osi_cuda_late flint, _fmpz_vec_init, _fmpz_vec_is_zero, _fmpz_vec_set, flint_cleanup
osi_cuda_late flint, flint_free, flint_throw, fmpq_add, fmpq_canonicalise, fmpq_cmp, fmpq_div
osi_cuda_late flint, fmpq_div_2exp, fmpq_div_fmpz, fmpq_mul, fmpq_mul_2exp, fmpq_mul_fmpz
osi_cuda_late flint, fmpq_set_si, fmpq_set_str, fmpz_abs, fmpz_add, fmpz_add_ui, fmpz_addmul
osi_cuda_late flint, fmpz_addmul_si, fmpz_bits, fmpz_cmp, fmpz_cmpabs, fmpz_divexact
osi_cuda_late flint, fmpz_divexact_ui, fmpz_equal, fmpz_fdiv_q, fmpz_fdiv_q_2exp
osi_cuda_late flint, fmpz_fdiv_ui, fmpz_gcd, fmpz_get_str, fmpz_get_ui, fmpz_lcm, fmpz_mod
osi_cuda_late flint, fmpz_mul, fmpz_mul_2exp, fmpz_mul_si, fmpz_mul_ui, fmpz_pow_ui
osi_cuda_late flint, fmpz_remove, fmpz_set, fmpz_setbit, fmpz_sgn, fmpz_size, fmpz_sizeinbase
osi_cuda_late flint, fmpz_smod, fmpz_sqrt, fmpz_sub, fmpz_sub_ui, fmpz_submul, fmpz_submul_si
osi_cuda_late flint, fmpz_tdiv_q_2exp, fmpz_tdiv_qr, fmpz_tdiv_r_2exp, fmpz_val2, n_gcdinv
osi_cuda_late flint, n_mulmod_precomp_shoup, n_nextprime
osi_cuda_late blas, cblas_dgemm, cblas_dgemv, cblas_dswap, cblas_dsyrk, cblas_dtrsm
osi_cuda_late blas, cblas_dtrsv, cblas_ssyrk, dgetrf_, dgetrs_, dpotrf_, openblas_get_config
osi_cuda_late blas, openblas_get_num_threads, openblas_set_num_threads
osi_cuda_late lapack, LAPACKE_dgetrf
)");
