# SPDX-License-Identifier: EPL-2.0
# Packages: `cpack -G DEB` in the build folder makes one of Debian for each part, `cpack -G TGZ` one
# archive of all but GLPK's module, for machines that have the libraries. packages/tarball.sh makes an
# archive that brings them along. The parts are the components of the installation:
#
#     library      libosi-cuda0      both shared libraries
#     development  libosi-cuda-dev   headers, the static library, CMake's and pkg-config's files
#     program      osi-cuda          the program, its manual page and completions
#     bridges, cbc                   its modules, in the same package
#     engine       osi-cuda-cuda     the CUDA module
#     glpk         osi-cuda-glpk     GLPK's bridge, under the GPL
set(CPACK_PACKAGE_NAME osi-cuda)
set(CPACK_PACKAGE_VENDOR "osi_cuda")
set(CPACK_PACKAGE_CONTACT "osi_cuda <noreply@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "linear programs by a proving simplex solver")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_STRIP_FILES ON)
set(CPACK_OUTPUT_FILE_PREFIX "${PROJECT_BINARY_DIR}/packages")
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

set(osi_cuda_components library development program bridges)
if(TARGET OsiCudaCbc)
  list(APPEND osi_cuda_components cbc)
endif()
if(TARGET OsiCudaEngine)
  list(APPEND osi_cuda_components engine)
endif()
if(TARGET OsiCudaBridge-glpk)
  list(APPEND osi_cuda_components glpk)
endif()
set(CPACK_COMPONENTS_ALL ${osi_cuda_components})
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)

# What is in one package is one group of components.
function(osi_cuda_package group package summary)
  cmake_parse_arguments(PARSE_ARGV 3 arg "NO_SHLIBDEPS" "DEPENDS;RECOMMENDS;SUGGESTS" "COMPONENTS")
  string(TOUPPER "${group}" name)
  foreach(component IN LISTS arg_COMPONENTS)
    string(TOUPPER "${component}" upper)
    set(CPACK_COMPONENT_${upper}_GROUP "${group}" PARENT_SCOPE)
  endforeach()
  set(CPACK_COMPONENT_GROUP_${name}_DESCRIPTION "${summary}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${name}_DESCRIPTION "${summary}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_DESCRIPTION "${summary}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME "${package}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_FILE_NAME
    "${package}_${PROJECT_VERSION}_${CMAKE_SYSTEM_PROCESSOR}.deb" PARENT_SCOPE)
  foreach(relation IN ITEMS DEPENDS RECOMMENDS SUGGESTS)
    if(arg_${relation})
      set(CPACK_DEBIAN_${name}_PACKAGE_${relation} "${arg_${relation}}" PARENT_SCOPE)
    endif()
  endforeach()
  if(arg_NO_SHLIBDEPS)
    set(CPACK_DEBIAN_${name}_PACKAGE_SHLIBDEPS OFF PARENT_SCOPE)
  else()
    set(CPACK_DEBIAN_${name}_PACKAGE_SHLIBDEPS ON PARENT_SCOPE)
  endif()
endfunction()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_SECTION "math")
set(osi_cuda_same "(= ${PROJECT_VERSION})")
osi_cuda_package(runtime libosi-cuda0 "linear programs by a proving simplex solver: shared libraries"
  COMPONENTS library SUGGESTS "osi-cuda-cuda ${osi_cuda_same}")
osi_cuda_package(devel libosi-cuda-dev "linear programs by a proving simplex solver: development files"
  COMPONENTS development NO_SHLIBDEPS
  DEPENDS "libosi-cuda0 ${osi_cuda_same}, coinor-libosi-dev, coinor-libcoinutils-dev, libopenblas-dev, liblapacke-dev, libflint-dev, libgmp-dev, zlib1g-dev, libbz2-dev, liblzma-dev, libzstd-dev")
osi_cuda_package(tool osi-cuda "linear programs by a proving simplex solver: the program"
  COMPONENTS program bridges cbc SUGGESTS "lp-solve, osi-cuda-cuda ${osi_cuda_same}, osi-cuda-glpk ${osi_cuda_same}")
# NVIDIA's packages are not Debian's: they are named, and the system's loader finds what is there.
osi_cuda_package(device osi-cuda-cuda "linear programs by a proving simplex solver: the CUDA engine"
  COMPONENTS engine NO_SHLIBDEPS
  DEPENDS "libc6, libgcc-s1, libgomp1, libstdc++6"
  RECOMMENDS "libcublas-13-0, libcusolver-13-0, libcusparse-13-0")
osi_cuda_package(gpl osi-cuda-glpk "linear programs by a proving simplex solver: GLPK beside it (GPL)"
  COMPONENTS glpk DEPENDS "osi-cuda ${osi_cuda_same}")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  foreach(name IN ITEMS RUNTIME DEVEL TOOL DEVICE GPL)
    string(REPLACE "x86_64" "amd64" CPACK_DEBIAN_${name}_FILE_NAME "${CPACK_DEBIAN_${name}_FILE_NAME}")
  endforeach()
endif()

include(CPack)
foreach(part IN ITEMS "runtime;library" "devel;development" "tool;program;bridges;cbc" "device;engine"
    "gpl;glpk")
  list(POP_FRONT part group)
  cpack_add_component_group(${group})
  foreach(component IN LISTS part)
    cpack_add_component(${component} GROUP ${group})
  endforeach()
endforeach()
