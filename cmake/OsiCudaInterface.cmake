# SPDX-License-Identifier: EPL-2.0
# What a program or library and a module that it opens at run time (the CUDA engine, the bridges)
# have to agree in: the headers whose types cross the border between them. The two are separate
# files that may come from different builds, and a version alone does not tell one build from
# another.

# Sets `result` in the caller's scope to the version of the project and a hash of `header`, or
# of several, and of all headers of this project that they include. When one of them changes, CMake runs again.
function(osi_cuda_interface header result)
  set(left "${header}")
  set(seen "")
  while(left)
    list(POP_FRONT left name)
    if(name IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${name}")
    file(STRINGS "${PROJECT_SOURCE_DIR}/${name}" includes REGEX "^#include \"(osi_cuda|bridges|examples)/")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
      list(APPEND left "${included}")
    endforeach()
  endwhile()
  list(SORT seen)
  set(hashes "")
  foreach(name IN LISTS seen)
    file(SHA256 "${PROJECT_SOURCE_DIR}/${name}" hash)
    string(APPEND hashes "${name} ${hash}\n")
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY
      CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${name}")
  endforeach()
  string(SHA256 hash "${hashes}")
  string(SUBSTRING "${hash}" 0 16 hash)
  set(${result} "${PROJECT_VERSION} ${hash}" PARENT_SCOPE)
endfunction()
