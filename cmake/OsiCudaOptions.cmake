# SPDX-License-Identifier: EPL-2.0
# Every switch of the build, and the target `osi_cuda_flags` that carries what follows from them.

option(OSI_CUDA_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(OSI_CUDA_OSI "Build OsiCudaSolverInterface; the other parts do without Osi" ON)
option(OSI_CUDA_C "Build the C interface, on which the Python package stands" ON)
option(OSI_CUDA_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(OSI_CUDA_PROGRAMS "Build the program osi-cuda and the bridges" ${PROJECT_IS_TOP_LEVEL})
option(OSI_CUDA_INSTALL "Build what is installed, and its rules" ${PROJECT_IS_TOP_LEVEL})
option(OSI_CUDA_WERROR "Compiler warnings are errors" OFF)
option(OSI_CUDA_COVERAGE "Instrument for line coverage (gcov)" OFF)
option(OSI_CUDA_FUZZ "Build the fuzz targets (clang with libFuzzer)" OFF)
if((OSI_CUDA_TESTS OR OSI_CUDA_EXAMPLES) AND NOT OSI_CUDA_OSI)
  message(FATAL_ERROR "OSI_CUDA_TESTS and OSI_CUDA_EXAMPLES need OSI_CUDA_OSI")
endif()
option(OSI_CUDA_UNITY "Compile several sources of a library at once: a third of the build's time" ON)
set(OSI_CUDA_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")
set(OSI_CUDA_CUDA AUTO CACHE STRING
  "CUDA engine: AUTO (built when a toolkit is found), ON (required) or OFF")
set_property(CACHE OSI_CUDA_CUDA PROPERTY STRINGS AUTO ON OFF)
set(OSI_CUDA_CARDS native CACHE STRING
  "Cards that the CUDA engine has machine code for: native (this machine's, or 90), all, or compute capabilities, e.g. 80;89")

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
  endif()
  # One folder for programs and the engine module, so that a program finds the module beside it.
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  # LAPACKE and OpenBLAS bring a second BLAS by way of the alternatives system: link what is used.
  add_link_options(-Wl,--as-needed)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# How every target of this project is compiled. Linked PRIVATE, never exported. No -march here: a
# package has to run everywhere, and hot loops choose their instruction set at run time.
add_library(osi_cuda_flags INTERFACE)
set(osi_cuda_shadow -Wshadow)
if(OSI_CUDA_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(osi_cuda_shadow -Wshadow=local)  # what stands in an unnamed namespace belongs to one source
endif()
target_compile_features(osi_cuda_flags INTERFACE cxx_std_20)
target_compile_options(osi_cuda_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra ${osi_cuda_shadow} -Wpedantic>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
# The oldest x86-64 has no fused multiply-add, so that products there are rounded before they are added.
# Elsewhere the compiler would fuse what it likes.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(osi_cuda_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
endif()
# g++ 12 takes "text" + std::string for an overlapping copy (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(osi_cuda_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  # Under the address sanitizer also std::regex for one that reads what is not set (bug 105562).
  if(OSI_CUDA_SANITIZE)
    target_compile_options(osi_cuda_flags INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  endif()
endif()
if(OSI_CUDA_WERROR)
  target_compile_options(osi_cuda_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(OSI_CUDA_SANITIZE)
  set(osi_cuda_sanitize -fsanitize=${OSI_CUDA_SANITIZE} -fno-omit-frame-pointer)
  target_compile_options(osi_cuda_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${osi_cuda_sanitize};-fno-sanitize-recover=all>")
  target_link_options(osi_cuda_flags INTERFACE -fsanitize=${OSI_CUDA_SANITIZE})
endif()
if(OSI_CUDA_COVERAGE)
  target_compile_options(osi_cuda_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:--coverage;-fprofile-update=atomic>")
  target_link_options(osi_cuda_flags INTERFACE --coverage)
endif()

# Code that reads arguments, writes tables or tests takes little of a program's time and much of a
# build's: CLI11 and Boost.Test cost half as much at -O1, a quarter of that less without
# optimisation. GCC's guesses at what is not initialised rest on more of it.
set(osi_cuda_light_options "")
set(osi_cuda_no_optimisation "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(release "$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>")
  set(osi_cuda_light_options "$<${release}:-O1;-Wno-maybe-uninitialized>")
  set(osi_cuda_no_optimisation "$<${release}:-O0;-Wno-maybe-uninitialized>")
endif()
function(osi_cuda_lightly_optimised target)
  target_compile_options(${target} PRIVATE "${osi_cuda_light_options}")
endfunction()
function(osi_cuda_not_optimised target)
  target_compile_options(${target} PRIVATE "${osi_cuda_no_optimisation}")
endfunction()
# osi_cuda_together(target...): where OSI_CUDA_UNITY is on, headers are read once for a dozen
# sources. Sources with compile options of their own stay alone. Names in unnamed namespaces have to
# differ within a target.
function(osi_cuda_together)
  if(OSI_CUDA_UNITY)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  endif()
endfunction()
# osi_cuda_lightly_optimised_commands(file...): of these files, those that are a command's arguments.
function(osi_cuda_lightly_optimised_commands)
  set(commands ${ARGN})
  list(FILTER commands INCLUDE REGEX "(_command|/commands|arguments|/instance|/main)\\.cpp$")
  set_source_files_properties(${commands} PROPERTIES COMPILE_OPTIONS "${osi_cuda_light_options}")
endfunction()
