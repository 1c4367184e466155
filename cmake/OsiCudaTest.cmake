# SPDX-License-Identifier: EPL-2.0
# How tests are declared. A room's folder tests/ROOM/ becomes one Boost.Test program, test_ROOM, of
# all its *_test.cpp. Each suite of it that needs labels of its own, or more time, is a CTest entry
# ROOM.SUITE; what is left is the entry ROOM. Everything not labelled `long` gets the label `ci`.
# Exit status 77 of a script means skipped.

# osi_cuda_test_entry(NAME name COMMAND command... [LABELS label...] [TIMEOUT seconds])
function(osi_cuda_test_entry)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT" "COMMAND;LABELS")
  if(NOT "long" IN_LIST arg_LABELS)
    list(APPEND arg_LABELS ci)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)
    if("long" IN_LIST arg_LABELS)
      set(arg_TIMEOUT 14400)
    endif()
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND})
  set_tests_properties(${arg_NAME} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
endfunction()

# osi_cuda_test(NAME room SOURCES file... [LIBRARIES target...] [LABELS label...]
#               [TIMEOUT seconds] [SUITES suite...] [REST FALSE])
# REST FALSE: there is nothing but the SUITES. SUITES names the Boost.Test suites (top level) that osi_cuda_test_suite registers by themselves.
function(osi_cuda_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT;REST" "SOURCES;LIBRARIES;LABELS;SUITES")
  set(program test_${arg_NAME})
  add_executable(${program} ${arg_SOURCES})
  target_link_libraries(${program} PRIVATE ${arg_LIBRARIES} osi_cuda_test_support osi_cuda_flags)
  if(arg_NAME MATCHES "^(bench|bridges|cli|cuda|model|netlib|options|osi|presolve|readers|shell)$")
    osi_cuda_not_optimised(${program})
  else()  # loops of their own: emulated kernels, reference methods
    osi_cuda_lightly_optimised(${program})
  endif()
  if(DEFINED arg_REST AND NOT arg_REST)
    return()
  endif()
  set(filter "")
  foreach(suite IN LISTS arg_SUITES)
    list(APPEND filter "--run_test=!${suite}")
  endforeach()
  osi_cuda_test_entry(NAME ${arg_NAME} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT}
    COMMAND ${program} --color_output=no ${filter})
endfunction()

# osi_cuda_test_suite(ROOM room SUITE suite [LABELS label...] [TIMEOUT seconds])
# One suite of the program of `room` as a CTest entry of its own, e.g. with the label `long`.
function(osi_cuda_test_suite)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "ROOM;SUITE;TIMEOUT" "LABELS")
  osi_cuda_test_entry(NAME ${arg_ROOM}.${arg_SUITE} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT}
    COMMAND test_${arg_ROOM} --color_output=no --run_test=${arg_SUITE})
endfunction()
