# SPDX-License-Identifier: EPL-2.0
# Looks for a CUDA toolkit: CUDACXX or CMAKE_CUDA_COMPILER, nvcc on PATH, /usr/local/cuda, and the
# folder that `./dev cuda-toolkit` fills. Without one everything but the CUDA engine is built.
# Sets OSI_CUDA_HAVE_CUDA, and OSI_CUDA_DEVICE_CODE, the options that say for which cards the engine is
# compiled; OSI_CUDA_MACHINE_CODE has their compute capabilities.

# Compute capabilities that the engine gets machine code for, as far as nvcc knows them.
function(osi_cuda_cards result)
  set(cards ${OSI_CUDA_CARDS})
  if(cards STREQUAL "native")
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE cards ERROR_QUIET)
    string(REPLACE "." "" cards "${cards}")
    string(REGEX MATCHALL "[0-9]+" cards "${cards}")
    list(REMOVE_DUPLICATES cards)
    if(NOT cards)
      set(cards 90)  # recent cards of data centres; of the largest kernel each more takes 35 s
    endif()
  elseif(cards STREQUAL "all")
    set(cards 75 80 86 89 90 100 103 120)
  endif()
  execute_process(COMMAND "${CMAKE_CUDA_COMPILER}" --list-gpu-code OUTPUT_VARIABLE known ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+" known "${known}")
  set(${result} "")
  foreach(card IN LISTS cards)
    if(card IN_LIST known)
      list(APPEND ${result} ${card})
    endif()
  endforeach()
  set(${result} "${${result}}" PARENT_SCOPE)
endfunction()

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
      PATHS /usr/local/cuda "${osi_cuda_cache}/cuda-13.0" "${osi_cuda_cache}/cuda-12.4"
      PATH_SUFFIXES bin)
    mark_as_advanced(OSI_CUDA_NVCC)
    if(OSI_CUDA_NVCC)
      set(CMAKE_CUDA_COMPILER "${OSI_CUDA_NVCC}")
    endif()
  endif()
  if(NOT DEFINED CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
    set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
  endif()

  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
      osi_cuda_cards(osi_cuda_cards)
      set(CMAKE_CUDA_ARCHITECTURES ${osi_cuda_cards})  # of the examples
      if(NOT osi_cuda_cards)
        set(CMAKE_CUDA_ARCHITECTURES 75-virtual)
      endif()
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 knows nvcc up to C++17
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(OSI_CUDA_HAVE_CUDA ON)
    # PTX of the oldest cards runs on all that come after them. Machine code is made for each card from the
    # source: of the PTX of compute_75 batches are 5 % slower on an H200.
    set(OSI_CUDA_MACHINE_CODE "${CMAKE_CUDA_ARCHITECTURES}")
    list(FILTER OSI_CUDA_MACHINE_CODE EXCLUDE REGEX "-virtual$")
    string(REGEX REPLACE "[^0-9]+" " " OSI_CUDA_MACHINE_CODE "${OSI_CUDA_MACHINE_CODE}")
    if(DEFINED osi_cuda_cards)
      set(OSI_CUDA_DEVICE_CODE "--generate-code=arch=compute_75,code=compute_75")
      foreach(card IN LISTS osi_cuda_cards)
        list(APPEND OSI_CUDA_DEVICE_CODE "--generate-code=arch=compute_${card},code=sm_${card}")
      endforeach()
    endif()
  endif()
endif()

if(OSI_CUDA_HAVE_CUDA)
  set(osi_cuda_code "architectures ${CMAKE_CUDA_ARCHITECTURES}")
  if(OSI_CUDA_DEVICE_CODE)
    list(JOIN osi_cuda_cards " " osi_cuda_code)
    set(osi_cuda_code "${osi_cuda_code} and, by the driver's translation, all from 75 on")
  endif()
  message(STATUS "CUDA engine: built with CUDA ${CUDAToolkit_VERSION} for ${osi_cuda_code}")
elseif(OSI_CUDA_CUDA STREQUAL "ON")
  message(FATAL_ERROR "CUDA engine: no CUDA toolkit found; `./dev cuda-toolkit` gets one")
elseif(OSI_CUDA_CUDA STREQUAL "OFF")
  message(STATUS "CUDA engine: switched off (OSI_CUDA_CUDA)")
else()
  message(STATUS "CUDA engine: not built, no CUDA toolkit found; `./dev cuda-toolkit` gets one")
endif()
