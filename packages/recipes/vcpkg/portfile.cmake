# No port brings LAPACKE: the system's is taken.
find_library(OSI_CUDA_LAPACKE_LIBRARY NAMES liblapacke.so)
find_path(OSI_CUDA_LAPACKE_INCLUDE lapacke.h)
if(NOT OSI_CUDA_LAPACKE_LIBRARY OR NOT OSI_CUDA_LAPACKE_INCLUDE)
  message(FATAL_ERROR "${PORT} needs LAPACKE. On Debian and Ubuntu: sudo apt-get install liblapacke-dev")
endif()

vcpkg_download_distfile(ARCHIVE
  URLS "@ADDRESS@/releases/download/v${VERSION}/osi-cuda-${VERSION}.tar.gz"
  FILENAME "osi-cuda-${VERSION}.tar.gz"
  SHA512 @SHA512@
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    cuda OSI_CUDA_CUDA
    osi  OSI_CUDA_OSI
)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    -DOSI_CUDA_TESTS=OFF
    -DOSI_CUDA_EXAMPLES=OFF
    -DOSI_CUDA_PROGRAMS=OFF
    "-DOSI_CUDA_LAPACKE_LIBRARY=${OSI_CUDA_LAPACKE_LIBRARY}"
    "-DOSI_CUDA_LAPACKE_INCLUDE=${OSI_CUDA_LAPACKE_INCLUDE}"
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME OsiCuda CONFIG_PATH lib/cmake/OsiCuda)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
