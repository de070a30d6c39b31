# Installs the program and the libraries below it, the chosen headers with those that they include
# (include/ricochet/study.hpp, include/ricochet/<folder>/...), and the files that find_package(ricochet) reads.
# Nothing of verification/ is installed.
include(CMakePackageConfigHelpers)

set(ricochet_config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/ricochet")
set(ricochet_header_folder "${CMAKE_INSTALL_INCLUDEDIR}/ricochet")

# what users include: a study and its run, and what a run is made of
set(ricochet_chosen_headers engine/study/run.hpp engine/study/simulation.hpp)

# ricochet_with_included(<variable> <header>...): the headers and all of this project that they include.
function(ricochet_with_included variable)
  set(found)
  set(next ${ARGN})
  while(next)
    list(POP_FRONT next header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found "${header}")
    file(STRINGS "${PROJECT_SOURCE_DIR}/${header}" includes REGEX "^#include \"")
    list(TRANSFORM includes REPLACE "^#include \"(.*)\".*$" "\\1")
    list(APPEND next ${includes})
  endwhile()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

ricochet_with_included(installed_headers ${ricochet_chosen_headers})
foreach(header IN LISTS installed_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "${PROJECT_SOURCE_DIR}/${header}" DESTINATION "${ricochet_header_folder}/${folder}"
    COMPONENT development)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/.cmake/study.hpp" DESTINATION "${ricochet_header_folder}" COMPONENT development)

get_property(ricochet_libraries GLOBAL PROPERTY RICOCHET_LIBRARIES)
foreach(library IN LISTS ricochet_libraries)
  set(export EXPORT ricochet)
  if(library STREQUAL "ricochet_io")  # the program's own: no header of it is installed
    set(export)
  endif()
  install(TARGETS ${library} ${export}
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
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
  DESTINATION "${ricochet_config_folder}"
  COMPONENT development)

# pkg-config: what a compiler and a linker need besides CMake
get_target_property(definitions ricochet_physical INTERFACE_COMPILE_DEFINITIONS)
list(TRANSFORM definitions PREPEND -D)
list(JOIN definitions " " ricochet_definitions)
set(ricochet_private_libraries "")
if(METIS_LIBRARY)
  string(APPEND ricochet_private_libraries " -lmetis")
endif()
file(RELATIVE_PATH ricochet_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/.")
configure_file("${PROJECT_SOURCE_DIR}/.cmake/ricochet.pc.in" "${PROJECT_BINARY_DIR}/ricochet.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/ricochet.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)

if(PROJECT_IS_TOP_LEVEL)
  include(RicochetPackages)
endif()
