# The C library of HDF5 with its high-level part, as the target Hdf5C::Hdf5C.
#
# CMake's own FindHDF5 compiles a C program and so needs the language C in every project that uses
# ricochet; this one looks for the header and the library only. HDF5_ROOT is searched first.
find_path(Hdf5C_INCLUDE_DIR hdf5.h
  HINTS "${HDF5_ROOT}" ENV HDF5_ROOT
  PATH_SUFFIXES include hdf5/serial)
find_library(Hdf5C_LIBRARY NAMES hdf5_serial hdf5
  HINTS "${HDF5_ROOT}" ENV HDF5_ROOT
  PATH_SUFFIXES lib hdf5/serial)
find_library(Hdf5C_HL_LIBRARY NAMES hdf5_serial_hl hdf5_hl
  HINTS "${HDF5_ROOT}" ENV HDF5_ROOT
  PATH_SUFFIXES lib hdf5/serial)
mark_as_advanced(Hdf5C_INCLUDE_DIR Hdf5C_LIBRARY Hdf5C_HL_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hdf5C REQUIRED_VARS Hdf5C_LIBRARY Hdf5C_HL_LIBRARY Hdf5C_INCLUDE_DIR)

if(Hdf5C_FOUND AND NOT TARGET Hdf5C::Hdf5C)
  add_library(Hdf5C::Hdf5C UNKNOWN IMPORTED)
  set_target_properties(Hdf5C::Hdf5C PROPERTIES
    IMPORTED_LOCATION "${Hdf5C_HL_LIBRARY}"
    INTERFACE_LINK_LIBRARIES "${Hdf5C_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Hdf5C_INCLUDE_DIR}")
endif()
