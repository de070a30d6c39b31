# Runs after a test program is linked: writes the file that CTest reads, one entry per test suite. A suite shares a
# process, so that the start of the program, and what the tests of a suite have in common, is paid once; a large one is
# shared out among processes.
# Variables: PROGRAM, FILE to write, LABEL.

cmake_minimum_required(VERSION 3.25)

set(most_tests 48)  # of one entry

execute_process(COMMAND "${PROGRAM}" --gtest_list_tests
  OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY TIMEOUT 60)
string(REGEX REPLACE "  # GetParam[^\n]*" "" listing "${listing}")
string(REGEX REPLACE "  # TypeParam[^\n]*" " typed" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")

set(suites)
foreach(line IN LISTS lines)
  if(line MATCHES "^[^ ]+[.]( typed)?$")
    # of types: Suite/type; of parameters: Instance/Suite
    string(REGEX REPLACE "([.]|/[^/]+[.] typed)$" "" suite "${line}")
    string(REGEX REPLACE "^.*/" "" suite "${suite}")
    if(NOT suite IN_LIST suites)
      list(APPEND suites ${suite})
      set(count_${suite} 0)
      set(filter_${suite} "${suite}.*:*/${suite}.*")
      if(line MATCHES "typed$")
        set(filter_${suite} "${suite}/*.*:*/${suite}/*.*")
      endif()
    endif()
  elseif(line MATCHES "^  ")
    math(EXPR count_${suite} "${count_${suite}} + 1")
  endif()
endforeach()

set(text)
foreach(suite IN LISTS suites)
  set(command "\"${PROGRAM}\" \"--gtest_filter=${filter_${suite}}\" --gtest_brief=1")
  math(EXPR shards "(${count_${suite}} + ${most_tests} - 1) / ${most_tests}")
  foreach(shard RANGE 1 ${shards})
    set(name ${suite})
    set(environment)
    if(shards GREATER 1)
      set(name ${suite}.${shard}of${shards})
      math(EXPR index "${shard} - 1")
      set(environment "ENVIRONMENT \"GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}\"")
    endif()
    string(APPEND text "add_test(${name} ${command})\n"
      "set_tests_properties(${name} PROPERTIES LABELS \"${LABEL}\" TIMEOUT 600 ${environment})\n")
  endforeach()
endforeach()
file(WRITE "${FILE}" "${text}")
