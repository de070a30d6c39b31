# ricochet_test(<executable> <label> <pattern>): one executable of every file of verification/ that matches
# the pattern, its entries of CTest all with the label: one per TEST, or RICOCHET_TEST_SHARDS that share the tests.
# No file, no executable.
function(ricochet_test executable label pattern)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}")
  if(NOT sources)
    return()
  endif()
  add_executable(${executable} ${sources})
  target_link_libraries(${executable} PRIVATE
    ricochet::io ricochet::test_support ricochet::warnings GTest::gmock GTest::gtest_main)
  ricochet_precompile(tests ${executable}
    <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h> io/simulation.hpp verification/support/models.hpp)
  ricochet_unite(tests ${executable})
  target_compile_definitions(${executable} PRIVATE
    RICOCHET_CASES_DIR="${PROJECT_SOURCE_DIR}/verification/cases"
    RICOCHET_DATA_DIR="${PROJECT_SOURCE_DIR}/verification/data")
  if(TARGET ricochet)
    target_compile_definitions(${executable} PRIVATE RICOCHET_PROGRAM="$<TARGET_FILE:ricochet>")
    add_dependencies(${executable} ricochet)
  endif()
  if(RICOCHET_TEST_SHARDS GREATER 0)
    foreach(shard RANGE 1 ${RICOCHET_TEST_SHARDS})
      set(name ${executable}.${shard})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${name} COMMAND ${executable} --gtest_brief=1)
      set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1800
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${RICOCHET_TEST_SHARDS};GTEST_SHARD_INDEX=${index}")
      if(label STREQUAL "unit")
        # twice the time where much is computed, so not where decks run through what these tests saw
        set_tests_properties(${name} PROPERTIES
          ENVIRONMENT_MODIFICATION "ASAN_OPTIONS=path_list_append:detect_stack_use_after_return=1")
      endif()
    endforeach()
    return()
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
