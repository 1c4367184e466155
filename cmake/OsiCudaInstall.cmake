# SPDX-License-Identifier: EPL-2.0
# What is installed. The C++ interface as a shared and as a static library, each of one file, with its
# headers, that of OSI where COIN-OR's lie, and a pkg-config file (osi-cuda); the C interface as a shared library, its
# header and a pkg-config file (osi-cuda-c). One CMake package has both as components: CXX
# (OsiCuda::OsiCuda, OsiCuda::OsiCudaStatic) and C (OsiCuda::C). The engine module and the program
# install themselves.
include(CMakePackageConfigHelpers)

# The file finds the prefix from where it lies, so that an installed tree can be moved.
file(RELATIVE_PATH osi_cuda_to_prefix "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/p")
function(osi_cuda_pkg_config name)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc"
    @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endfunction()

if(OSI_CUDA_OSI)
  set(osi_cuda_objects
    $<TARGET_OBJECTS:OsiCuda> $<TARGET_OBJECTS:OsiCudaReaders> $<TARGET_OBJECTS:OsiCudaSolver>
    $<TARGET_OBJECTS:OsiCudaUnfused>)
  # The interface of C++: the headers that are installed. What they declare is what the shared library
  # shows; what is inside must not meet another copy, such as the engine module's.
  set(osi_cuda_headers base/errors base/index base/memory base/solve_phase solve/solver model/options model/pricing
      model/basis model/choices model/linear_program model/relaxed_columns proof/residuals model/dense_array model/device_numbers
      model/solution model/sparse_matrix model/start_point model/callbacks model/trace batch/batch batch/variants
      analysis/diagnosis analysis/ranging analysis/infeasible_subsystem analysis/ranked_objectives analysis/relaxation
      analysis/side integers/integer_search model/plan_report search/request base/host_device)
  set(osi_cuda_shown "OsiCudaSolverInterface::*;*?for?OsiCudaSolverInterface;")
  foreach(header IN LISTS osi_cuda_headers)
    set(path "${PROJECT_SOURCE_DIR}/osi_cuda/${header}.hpp")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(STRINGS "${path}" lines REGEX "^[A-Za-z].*[({]")
    foreach(line IN LISTS lines)
      if(line MATCHES "^(class|struct) ([A-Za-z0-9_]+)( final)?( :.*)? {")
        string(APPEND osi_cuda_shown "osi_cuda::${CMAKE_MATCH_2}::*;*?for?osi_cuda::${CMAKE_MATCH_2};")
      elseif(NOT line MATCHES "^(inline|template|constexpr|static_assert|using|class|struct|enum|namespace) " AND
             line MATCHES "^[^(=]* [&*]*([A-Za-z0-9_]+)\\(")
        string(APPEND osi_cuda_shown "osi_cuda::${CMAKE_MATCH_1}[!A-Za-z0-9_]*;")
      endif()
    endforeach()
  endforeach()
  set(osi_cuda_map "${PROJECT_BINARY_DIR}/osi-cuda.map")
  file(CONFIGURE OUTPUT "${osi_cuda_map}" CONTENT "{ global: extern \"C++\" { @osi_cuda_shown@ }; local: *; };\n" @ONLY)

  # What the objects link to and a consumer of the shared library need not know.
  set(osi_cuda_private OpenMP::OpenMP_CXX PkgConfig::OPENBLAS OsiCudaExternal::LAPACKE
    OsiCudaExternal::FLINT OsiCudaExternal::GMP ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA PkgConfig::ZSTD PkgConfig::COINUTILS Threads::Threads ${CMAKE_DL_LIBS})

  add_library(OsiCudaShared SHARED ${osi_cuda_objects})
  set_target_properties(OsiCudaShared PROPERTIES
    OUTPUT_NAME OsiCuda EXPORT_NAME OsiCuda LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS "${osi_cuda_map}")
  target_link_options(OsiCudaShared PRIVATE "-Wl,--version-script=${osi_cuda_map}" -Wl,-Bsymbolic-functions)
  # OpenBLAS before the BLAS that CoinUtils names: the first one that is linked serves.
  target_link_libraries(OsiCudaShared PRIVATE ${osi_cuda_private} PUBLIC PkgConfig::COIN)

  add_library(OsiCudaStatic STATIC ${osi_cuda_objects})
  set_target_properties(OsiCudaStatic PROPERTIES OUTPUT_NAME OsiCuda-static LINKER_LANGUAGE CXX)
  # By name: an exported target can't refer to what the package does not bring along.
  target_link_libraries(OsiCudaStatic
    PUBLIC PkgConfig::COIN
    INTERFACE openblas lapacke flint gmp z bz2 lzma zstd gomp pthread ${CMAKE_DL_LIBS})

  foreach(target IN ITEMS OsiCudaShared OsiCudaStatic)
    target_include_directories(${target} INTERFACE
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/coin>"
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_compile_features(${target} INTERFACE cxx_std_20)
  endforeach()

  foreach(header IN LISTS osi_cuda_headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES "${PROJECT_SOURCE_DIR}/osi_cuda/${header}.hpp"
      DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/osi_cuda/${folder}" COMPONENT development)
  endforeach()

  install(FILES "${PROJECT_SOURCE_DIR}/osi/OsiCudaSolverInterface.hpp"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/coin" COMPONENT development)
  install(TARGETS OsiCudaShared OsiCudaStatic EXPORT OsiCudaTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      COMPONENT library NAMELINK_COMPONENT development
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
  install(EXPORT OsiCudaTargets NAMESPACE OsiCuda::
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/OsiCuda" COMPONENT development)
  osi_cuda_pkg_config(osi-cuda)
endif()

if(OSI_CUDA_C)
  target_include_directories(OsiCudaC INTERFACE
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  install(FILES "${PROJECT_SOURCE_DIR}/c/osi_cuda.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    COMPONENT development)
  install(TARGETS OsiCudaC EXPORT OsiCudaCTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT OsiCudaCTargets NAMESPACE OsiCuda::
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/OsiCuda" COMPONENT development)
  osi_cuda_pkg_config(osi-cuda-c)
endif()

# The licence goes with each package, into a folder of its name.
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/docs/reference/licences.md"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/osi-cuda" COMPONENT program)
foreach(part IN ITEMS "library;libosi-cuda0" "development;libosi-cuda-dev" "engine;osi-cuda-cuda")
  list(GET part 0 component)
  list(GET part 1 folder)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${folder}" COMPONENT ${component})
endforeach()

# What the program says of itself: its manual page and what shells complete.
if(TARGET osi-cuda)
  set(osi_cuda_texts "${PROJECT_BINARY_DIR}/texts")
  file(MAKE_DIRECTORY "${osi_cuda_texts}")
  set(made "")
  foreach(text IN ITEMS "osi-cuda.1;--manual" "osi-cuda.bash;--completions;bash"
      "_osi-cuda;--completions;zsh" "osi-cuda.fish;--completions;fish")
    list(POP_FRONT text file)
    add_custom_command(OUTPUT "${osi_cuda_texts}/${file}"
      COMMAND osi-cuda info ${text} > "${osi_cuda_texts}/${file}" DEPENDS osi-cuda VERBATIM)
    list(APPEND made "${osi_cuda_texts}/${file}")
  endforeach()
  add_custom_target(osi_cuda_texts ALL DEPENDS ${made})
  install(FILES "${osi_cuda_texts}/osi-cuda.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
    COMPONENT program)
  install(FILES "${osi_cuda_texts}/osi-cuda.bash" RENAME osi-cuda
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT program)
  install(FILES "${osi_cuda_texts}/_osi-cuda"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT program)
  install(FILES "${osi_cuda_texts}/osi-cuda.fish"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT program)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/OsiCudaConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/OsiCudaConfig.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/OsiCuda")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/OsiCudaConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/OsiCudaConfig.cmake"
  "${PROJECT_BINARY_DIR}/OsiCudaConfigVersion.cmake"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/OsiCuda" COMPONENT development)
