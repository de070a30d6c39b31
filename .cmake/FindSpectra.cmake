# Spectra (headers only), as the target Spectra::Spectra: by its own package file, else by its header.
find_package(spectra QUIET CONFIG)

if(NOT TARGET Spectra::Spectra)
  find_path(Spectra_INCLUDE_DIR Spectra/SymGEigsShiftSolver.h)
  mark_as_advanced(Spectra_INCLUDE_DIR)
  if(Spectra_INCLUDE_DIR)
    add_library(Spectra::Spectra INTERFACE IMPORTED)
    set_target_properties(Spectra::Spectra PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${Spectra_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES Eigen3::Eigen)
  endif()
endif()

set(Spectra_TARGET)
if(TARGET Spectra::Spectra)
  set(Spectra_TARGET Spectra::Spectra)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Spectra REQUIRED_VARS Spectra_TARGET)
