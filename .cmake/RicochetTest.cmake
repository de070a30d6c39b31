# ricochet_test(<executable> <label> <pattern> [CONTAINING <text>]): one executable of every file of
# verification/ that matches the pattern and contains the text, one CTest entry per TEST, all with the label.
# No file, no executable.
function(ricochet_test executable label pattern)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "CONTAINING" "")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}")
  if(arg_CONTAINING)
    foreach(source IN LISTS sources)
      file(STRINGS "${source}" found LIMIT_COUNT 1 REGEX "${arg_CONTAINING}")
      if(NOT found)
        list(REMOVE_ITEM sources "${source}")
      endif()
    endforeach()
  endif()
  if(NOT sources)
    return()
  endif()
  add_executable(${executable} ${sources})
  target_link_libraries(${executable} PRIVATE
    ricochet::io ricochet::test_support ricochet::warnings GTest::gmock GTest::gtest_main)
  ricochet_precompile(tests ${executable}
    <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h> io/simulation.hpp verification/support/models.hpp)
  target_compile_definitions(${executable} PRIVATE
    RICOCHET_CASES_DIR="${PROJECT_SOURCE_DIR}/verification/cases"
    RICOCHET_DATA_DIR="${PROJECT_SOURCE_DIR}/verification/data")
  if(TARGET ricochet)
    target_compile_definitions(${executable} PRIVATE RICOCHET_PROGRAM="$<TARGET_FILE:ricochet>")
    add_dependencies(${executable} ricochet)
  endif()
  gtest_discover_tests(${executable}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()

# ricochet_script_test(<name> <label> <script> [<argument>...]): a check by a Python script of
# verification/scripts; an exit status of 77 says that it was skipped.
function(ricochet_script_test name label script)
  add_test(NAME ${name}
    COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/verification/scripts/${script}" ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 600)
endfunction()
