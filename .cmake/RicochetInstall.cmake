# Installs the libraries, their headers (include/ricochet/<folder>/...) and the files that
# find_package(ricochet) reads. Nothing of verification/ is installed.
include(CMakePackageConfigHelpers)

set(ricochet_config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/ricochet")
set(ricochet_header_folder "${CMAKE_INSTALL_INCLUDEDIR}/ricochet")

get_property(ricochet_libraries GLOBAL PROPERTY RICOCHET_LIBRARIES)
foreach(library IN LISTS ricochet_libraries)
  set(generated_headers)
  get_target_property(has_generated_headers ${library} RICOCHET_HAS_GENERATED_HEADERS)
  if(has_generated_headers)
    set(generated_headers FILE_SET generated DESTINATION "${ricochet_header_folder}" COMPONENT development)
  endif()
  install(TARGETS ${library} EXPORT ricochet
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development
    FILE_SET HEADERS DESTINATION "${ricochet_header_folder}" COMPONENT development
    FILE_SET first_of_source DESTINATION "${ricochet_header_folder}" COMPONENT development
    ${generated_headers})
endforeach()

install(EXPORT ricochet
  FILE ricochet-targets.cmake
  NAMESPACE ricochet::
  DESTINATION "${ricochet_config_folder}"
  COMPONENT development)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/.cmake/ricochet-config.cmake.in"
  "${PROJECT_BINARY_DIR}/ricochet-config.cmake"
  INSTALL_DESTINATION "${ricochet_config_folder}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/ricochet-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/ricochet-config.cmake"
  "${PROJECT_BINARY_DIR}/ricochet-config-version.cmake"
  "${PROJECT_SOURCE_DIR}/.cmake/FindHdf5C.cmake"
  DESTINATION "${ricochet_config_folder}"
  COMPONENT development)
