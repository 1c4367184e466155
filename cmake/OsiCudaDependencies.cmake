# SPDX-License-Identifier: EPL-2.0
# What is not ours, each as an imported target. ./dev lists Debian's package of each.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
# The loader takes milliseconds for OpenBLAS, more than a small problem takes, which does not call it.
# A wheel brings what its files name, and an archive has to be linked.
set(osi_cuda_late ON)
if(SKBUILD OR NOT OPENBLAS_LINK_LIBRARIES MATCHES "\\.so$")
  set(osi_cuda_late OFF)
endif()
option(OSI_CUDA_LATE_BLAS "Open OpenBLAS and LAPACKE when they are first called" ${osi_cuda_late})
if(NOT OSI_CUDA_LATE_BLAS)
  target_compile_definitions(osi_cuda_flags INTERFACE OSI_CUDA_LINKED_BLAS)
endif()
pkg_check_modules(COINUTILS REQUIRED IMPORTED_TARGET coinutils)  # presolve
if(SKBUILD)  # a wheel has the search for integers and the program where what they need is there
  pkg_check_modules(WHEEL_CBC QUIET osi cbc cgl osi-clp clp)
  set(OSI_CUDA_OSI OFF)
  if(WHEEL_CBC_FOUND)  # which is not set where they are missing
    set(OSI_CUDA_OSI ON)
  endif()
  find_package(CLI11 QUIET)
  find_package(fmt QUIET)
  find_package(SQLite3 QUIET)
  set(OSI_CUDA_PROGRAMS OFF)
  if(CLI11_FOUND AND fmt_FOUND AND SQLite3_FOUND)
    set(OSI_CUDA_PROGRAMS ON)
  endif()
  message(STATUS "Wheel: Cbc '${OSI_CUDA_OSI}', program '${OSI_CUDA_PROGRAMS}'")
endif()
if(OSI_CUDA_OSI)
  pkg_check_modules(COIN REQUIRED IMPORTED_TARGET osi coinutils)
endif()
find_package(nlohmann_json REQUIRED)
if(OSI_CUDA_PROGRAMS OR OSI_CUDA_EXAMPLES)
  set(osi_cuda_need "")
  if(OSI_CUDA_EXAMPLES OR OSI_CUDA_TESTS)
    set(osi_cuda_need REQUIRED)  # they compare with OsiClp; to the program Clp is a module
  endif()
  pkg_check_modules(CLP ${osi_cuda_need} IMPORTED_TARGET clp osi-clp)
  find_package(CLI11 REQUIRED)
  find_package(fmt REQUIRED)
  find_package(SQLite3 REQUIRED)
endif()
if(OSI_CUDA_EXAMPLES)
  find_package(Eigen3 REQUIRED NO_MODULE)
endif()
if(OSI_CUDA_TESTS)
  find_package(Boost REQUIRED COMPONENTS unit_test_framework)
endif()

# osi_cuda_find_library(NAME HEADER LIBRARY): an imported target OsiCudaExternal::NAME for a library
# that brings neither CMake nor pkg-config files. A shared library is preferred, in whatever folder
# (Debian keeps lp_solve's apart, in a folder of its own). With OPTIONAL there may be no target.
function(osi_cuda_find_library name header library)
  set(required REQUIRED)
  if("OPTIONAL" IN_LIST ARGN)
    set(required "")
  endif()
  find_path(OSI_CUDA_${name}_INCLUDE "${header}" ${required})
  find_library(OSI_CUDA_${name}_LIBRARY NAMES "lib${library}.so" ${library} PATH_SUFFIXES lp_solve
    ${required})
  mark_as_advanced(OSI_CUDA_${name}_INCLUDE OSI_CUDA_${name}_LIBRARY)
  if(NOT OSI_CUDA_${name}_INCLUDE OR NOT OSI_CUDA_${name}_LIBRARY)
    return()
  endif()
  add_library(OsiCudaExternal::${name} UNKNOWN IMPORTED)
  set_target_properties(OsiCudaExternal::${name} PROPERTIES
    IMPORTED_LOCATION "${OSI_CUDA_${name}_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OSI_CUDA_${name}_INCLUDE}")
endfunction()
osi_cuda_find_library(LAPACKE lapacke.h lapacke)
osi_cuda_find_library(GMP gmp.h gmp)
osi_cuda_find_library(FLINT flint/fmpz.h flint)
if(OSI_CUDA_TESTS AND OSI_CUDA_PROGRAMS)  # the judges of the stress set
  osi_cuda_find_library(GMPXX gmpxx.h gmpxx)
  osi_cuda_find_library(QSOPT_EX qsopt_ex/QSopt_ex.h qsopt_ex)
endif()
if(OSI_CUDA_PROGRAMS)
  # Other solvers, each behind a module of its own; without tests, one that is not here is left out.
  set(osi_cuda_need OPTIONAL)
  if(OSI_CUDA_TESTS)
    set(osi_cuda_need "")
  endif()
  osi_cuda_find_library(GLPK glpk.h glpk ${osi_cuda_need})
  osi_cuda_find_library(LPSOLVE lpsolve/lp_lib.h lpsolve55 ${osi_cuda_need})
endif()

# A project that adds this one as a folder links to OsiCuda::OsiCuda from above: what that needs has
# to be seen there.
if(NOT PROJECT_IS_TOP_LEVEL)
  foreach(target IN ITEMS OpenMP::OpenMP_CXX ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA
      Threads::Threads PkgConfig::ZSTD PkgConfig::OPENBLAS PkgConfig::COINUTILS PkgConfig::COIN
      nlohmann_json::nlohmann_json OsiCudaExternal::LAPACKE OsiCudaExternal::FLINT
      OsiCudaExternal::GMP)
    if(TARGET ${target})
      get_target_property(imported ${target} IMPORTED)
      if(imported)
        set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
      endif()
    endif()
  endforeach()
endif()
