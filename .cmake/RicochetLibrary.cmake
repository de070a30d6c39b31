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
    ricochet_fit_for_module(${target})
  else()
    add_library(${target} INTERFACE)
    set(public INTERFACE)
    set(private INTERFACE)
  endif()
  add_library(ricochet::${folder} ALIAS ${target})

  target_link_libraries(${target} ${public} ${arg_PUBLIC} ${private} ${arg_PRIVATE})
  target_include_directories(${target} ${public} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"  # <ricochet/study.hpp>
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/ricochet>")
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  if(RICOCHET_VERIFY_HEADERS)
    # a header that is the first of its source is compiled alone there
    set(others)
    foreach(header IN LISTS headers)
      string(REGEX REPLACE "hpp$" "cpp" source "${header}")
      file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${header}")
      set(include)
      if(source IN_LIST sources)
        file(STRINGS "${source}" include LIMIT_COUNT 1 REGEX "^#include")
      endif()
      if(NOT include STREQUAL "#include \"${name}\"")
        list(APPEND others "${header}")
      endif()
    endforeach()
    # by a target of its own: what a library exports it would have to install
    add_library(${target}_headers INTERFACE)
    target_link_libraries(${target}_headers INTERFACE ${target})
    target_sources(${target}_headers INTERFACE
      FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${others})
    set_target_properties(${target}_headers PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  endif()
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

# ricochet_generated_header(<folder> <base>): files below <base> are included relative to it.
function(ricochet_generated_header folder base)
  get_target_property(type ricochet_${folder} TYPE)
  set(public PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(public INTERFACE)
  endif()
  target_include_directories(ricochet_${folder} ${public} "$<BUILD_INTERFACE:${base}>")
endfunction()

# ricochet_fit_for_module(<target>): code that the Python module can hold, with no symbol that another module could
# replace, so that calls stay as direct as in a program.
function(ricochet_fit_for_module target)
  if(RICOCHET_BUILD_PYTHON AND NOT BUILD_SHARED_LIBS)
    set_target_properties(${target} PROPERTIES
      POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
endfunction()
