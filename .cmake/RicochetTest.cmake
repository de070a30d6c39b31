# ricochet_test(<executable> <label> <source>... [PRECOMPILED <header>...] [LIBRARIES <target>...])
#
# One program of the sources of verification/, an entry of CTest for each of its test suites, all with the label. It
# links the whole of ricochet and shares the precompiled header of ricochet::test_support, unless it says otherwise.
# No source, no program.
function(ricochet_test executable label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "PRECOMPILED;LIBRARIES")
  set(sources ${arg_UNPARSED_ARGUMENTS})
  if(NOT sources)
    return()
  endif()
  if(NOT arg_LIBRARIES)
    set(arg_LIBRARIES ricochet::io ricochet::test_support)
  endif()
  add_executable(${executable} ${sources})
  target_link_libraries(${executable} PRIVATE
    ${arg_LIBRARIES} ricochet::warnings GTest::gmock GTest::gtest_main)
  ricochet_optimise(${executable} 1)
  ricochet_unite(tests ${executable})
  if(arg_PRECOMPILED)
    ricochet_precompile(tests ${executable} ${arg_PRECOMPILED})
  else()
    ricochet_precompile_as(tests ${executable} ricochet_test_support)
  endif()
  target_compile_definitions(${executable} PRIVATE
    RICOCHET_CASES_DIR="${PROJECT_SOURCE_DIR}/verification/cases"
    RICOCHET_DATA_DIR="${PROJECT_SOURCE_DIR}/verification/data")
  if("ricochet::io" IN_LIST arg_LIBRARIES)
    target_compile_definitions(${executable} PRIVATE RICOCHET_PROGRAM="$<TARGET_FILE:ricochet>")
    # its sources need not wait for the program that its tests start
    if(CMAKE_GENERATOR MATCHES "Ninja")
      set_property(TARGET ${executable} APPEND PROPERTY LINK_DEPENDS "$<TARGET_FILE:ricochet>")
    else()
      add_dependencies(${executable} ricochet)
    endif()
  endif()

  set(entries "${CMAKE_CURRENT_BINARY_DIR}/${executable}")
  file(WRITE "${entries}.cmake" "if(EXISTS \"${entries}.suites.cmake\")\n  include(\"${entries}.suites.cmake\")\n"
    "else()\n  add_test(${executable}_is_not_built ${executable})\n"
    "  set_tests_properties(${executable}_is_not_built PROPERTIES LABELS ${label})\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${entries}.cmake")
  add_custom_command(TARGET ${executable} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${executable}>" "-DFILE=${entries}.suites.cmake"
      "-DLABEL=${label}" -P "${PROJECT_SOURCE_DIR}/.cmake/DiscoverSuites.cmake"
    BYPRODUCTS "${entries}.suites.cmake"
    VERBATIM)
endfunction()

# ricochet_script_test(<name> <label> <script> [<argument>...]): a check by a Python script of
# verification/scripts; an exit status of 77 says that it was skipped.
function(ricochet_script_test name label script)
  add_test(NAME ${name}
    COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/verification/scripts/${script}" ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 600)
endfunction()
