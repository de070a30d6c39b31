# One library per top-level folder.

# ricochet_library(<folder> [PUBLIC <target>...] [PRIVATE <target>...] [EXCEPT <file>...])
#
# Makes ricochet_<folder>, alias ricochet::<folder>, of every .cpp below the folder but those of EXCEPT.
# Its headers are included from the root of the tree: "engine/numerics/state.hpp". A folder without a .cpp
# makes an interface library.
function(ricochet_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PUBLIC;PRIVATE;EXCEPT")
  set(target ricochet_${folder})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.hpp")
  foreach(file IN LISTS arg_EXCEPT)
    list(REMOVE_ITEM sources "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
    list(REMOVE_ITEM headers "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  endforeach()

  if(sources)
    add_library(${target} ${sources})
    set(public PUBLIC)
    set(private PRIVATE)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ricochet::warnings>)
  else()
    add_library(${target} INTERFACE)
    set(public INTERFACE)
    set(private INTERFACE)
  endif()
  add_library(ricochet::${folder} ALIAS ${target})

  target_link_libraries(${target} ${public} ${arg_PUBLIC} ${private} ${arg_PRIVATE})
  # a header that is the first of its source is compiled alone there
  set(first_of_source)
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "hpp$" "cpp" source "${header}")
    if(source IN_LIST sources)
      file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${header}")
      file(STRINGS "${source}" include LIMIT_COUNT 1 REGEX "^#include")
      if(include STREQUAL "#include \"${name}\"")
        list(APPEND first_of_source "${header}")
      endif()
    endif()
  endforeach()
  list(REMOVE_ITEM headers ${first_of_source})
  target_sources(${target} ${public}
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers}
    FILE_SET first_of_source TYPE HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${first_of_source})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${folder}
    VERIFY_INTERFACE_HEADER_SETS ${RICOCHET_VERIFY_HEADERS}
    INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
  if(sources)
    set_target_properties(${target} PROPERTIES
      VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
      INSTALL_RPATH "$ORIGIN")
  endif()
  set_property(GLOBAL APPEND PROPERTY RICOCHET_LIBRARIES ${target})
endfunction()

# ricochet_usage(<folder> [FEATURES ...] [DEFINITIONS ...] [OPTIONS ...]): for the library and all its users.
function(ricochet_usage folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FEATURES;DEFINITIONS;OPTIONS")
  get_target_property(type ricochet_${folder} TYPE)
  set(public PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(public INTERFACE)
  endif()
  target_compile_features(ricochet_${folder} ${public} ${arg_FEATURES})
  target_compile_definitions(ricochet_${folder} ${public} ${arg_DEFINITIONS})
  target_compile_options(ricochet_${folder} ${public} ${arg_OPTIONS})
endfunction()

# ricochet_generated_header(<folder> <base> <file>): <base>/<file> is included as "<file>".
function(ricochet_generated_header folder base file)
  get_target_property(type ricochet_${folder} TYPE)
  set(public PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(public INTERFACE)
  endif()
  target_sources(ricochet_${folder} ${public}
    FILE_SET generated TYPE HEADERS BASE_DIRS "${base}" FILES "${base}/${file}")
  set_property(TARGET ricochet_${folder} PROPERTY RICOCHET_HAS_GENERATED_HEADERS ON)
endfunction()
