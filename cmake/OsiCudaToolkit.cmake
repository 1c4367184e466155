# SPDX-License-Identifier: EPL-2.0
# Looks for a CUDA toolkit: CUDACXX or CMAKE_CUDA_COMPILER, nvcc on PATH, /usr/local/cuda, and the
# folder that `./dev cuda-toolkit` fills. Without one everything but the CUDA engine is built.
# Sets OSI_CUDA_HAVE_CUDA.

set(OSI_CUDA_HAVE_CUDA OFF)
if(NOT OSI_CUDA_CUDA STREQUAL "OFF")
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(osi_cuda_cache "$ENV{XDG_CACHE_HOME}/osi-cuda")
  else()
    set(osi_cuda_cache "$ENV{HOME}/.cache/osi-cuda")
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(OSI_CUDA_NVCC nvcc
      HINTS ENV CUDA_PATH ENV CUDA_HOME
      PATHS /usr/local/cuda "${osi_cuda_cache}/cuda-13.0"
      PATH_SUFFIXES bin)
    mark_as_advanced(OSI_CUDA_NVCC)
    if(OSI_CUDA_NVCC)
      set(CMAKE_CUDA_COMPILER "${OSI_CUDA_NVCC}")
    endif()
  endif()
  # A recent data centre card, with PTX for what comes after it. The release preset lists them all.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  if(NOT DEFINED CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
    set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
  endif()

  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 knows nvcc up to C++17
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(OSI_CUDA_HAVE_CUDA ON)
  endif()
endif()

if(OSI_CUDA_HAVE_CUDA)
  message(STATUS "CUDA engine: built with CUDA ${CUDAToolkit_VERSION} "
    "for architectures ${CMAKE_CUDA_ARCHITECTURES}")
elseif(OSI_CUDA_CUDA STREQUAL "ON")
  message(FATAL_ERROR "CUDA engine: no CUDA toolkit found; `./dev cuda-toolkit` gets one")
elseif(OSI_CUDA_CUDA STREQUAL "OFF")
  message(STATUS "CUDA engine: switched off (OSI_CUDA_CUDA)")
else()
  message(STATUS "CUDA engine: not built, no CUDA toolkit found; `./dev cuda-toolkit` gets one")
endif()
