# What most sources of a library or a program begin with takes longer to read than the sources themselves to
# compile. RICOCHET_PRECOMPILE has it read once, RICOCHET_UNITE compiles sources several at a time; each in `tests`
# or in `all`. Both hide what sources forget to include, so the preset `clang` compiles without.

# ricochet_optimise(<target> <level>): the level instead of CMake's -O3, where a release need not be the fastest.
# Results keep their bits: no level may reorder arithmetic of IEEE 754.
function(ricochet_optimise target level)
  target_compile_options(${target} PRIVATE
    $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>>:-O${level}>)
endfunction()

# ricochet_is_of(<variable> <option> <kind>): whether the option asks for targets of the kind `libraries` or `tests`.
function(ricochet_is_of variable option kind)
  set(${variable} FALSE PARENT_SCOPE)
  if("${${option}}" STREQUAL "all" OR "${${option}}" STREQUAL kind)
    set(${variable} TRUE PARENT_SCOPE)
  endif()
endfunction()

# ricochet_precompile(<kind> <target> <header>...): headers relative to the root of the tree, or in angle brackets;
# after ricochet_unite. A precompiled header takes three times as long to write as the headers to read (GCC sorts all
# pointers in it): it pays for more than four units only, or for the programs that share it (SHARED before the headers).
function(ricochet_precompile kind target)
  ricochet_is_of(wanted RICOCHET_PRECOMPILE ${kind})
  if(NOT wanted)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 arg "SHARED" "" "")
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  get_target_property(size ${target} UNITY_BUILD_BATCH_SIZE)
  if(NOT size)
    set(size 1)
  endif()
  math(EXPR least "4 * ${size}")
  if(NOT arg_SHARED AND NOT count GREATER least)
    return()
  endif()
  set(headers ${arg_UNPARSED_ARGUMENTS})
  list(TRANSFORM headers PREPEND "${PROJECT_SOURCE_DIR}/" REGEX "^[^<]")
  target_precompile_headers(${target} PRIVATE ${headers})
  ricochet_quiet_strings(${target})
endfunction()

# ricochet_precompile_as(<kind> <target> <other>): with the precompiled header of another target of the same options.
function(ricochet_precompile_as kind target other)
  ricochet_is_of(wanted RICOCHET_PRECOMPILE ${kind})
  if(wanted)
    target_precompile_headers(${target} REUSE_FROM ${other})
    ricochet_quiet_strings(${target})
  endif()
endfunction()

# Many sources at a time compile a whole tree fastest (each unit takes 3 s for what all of them need, and 1 to 2 GB
# where it is large), few at a time compile a change fastest.
set(RICOCHET_UNITE_SIZE 8 CACHE STRING "How many sources are compiled at a time where RICOCHET_UNITE asks for it")
set(RICOCHET_UNITE_IO_SIZE ${RICOCHET_UNITE_SIZE} CACHE STRING "The same for the library io, whose sources are light")

# GCC spends a tenth of its time, a fifth in large units, on collecting garbage: it begins at 128 MiB unless it is
# told another size [KiB]. Large units need memory anyway and take up to 4 GiB.
if(PROJECT_IS_TOP_LEVEL)
  set(heap 524288)
  if(RICOCHET_UNITE_SIZE GREATER 32)
    set(heap 4194304)
  endif()
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=${heap}>")
endif()

# Reports of the sanitizer of addresses name functions, and lines too where llvm-symbolizer is installed. The lines
# take a tenth of the time to compile; the sanitizer of undefined behaviour names its lines without them.
option(RICOCHET_LINES "Name the lines of sources in reports of the sanitizer of addresses" ON)
mark_as_advanced(RICOCHET_LINES)
if(PROJECT_IS_TOP_LEVEL AND NOT RICOCHET_LINES)
  add_compile_options(-g0)
endif()

# GNU ld takes 6 s for each program that has the sanitizers and debugging information, lld takes 1 s.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_BUILD_TYPE STREQUAL "Debug" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_program(RICOCHET_LLD NAMES ld.lld ld.lld-14)
  mark_as_advanced(RICOCHET_LLD)
  if(RICOCHET_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# ricochet_unite(<kind> <target> [<size>]): RICOCHET_UNITE_SIZE or so many sources at a time, in the order of their
# names. Those next to each other must not give one name to two things in their unnamed namespaces; those that have
# pragmas or macros of their own stay alone.
function(ricochet_unite kind target)
  ricochet_is_of(wanted RICOCHET_UNITE ${kind})
  if(NOT wanted)
    return()
  endif()
  list(APPEND ARGN ${RICOCHET_UNITE_SIZE})
  list(GET ARGN 0 size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  get_target_property(sources ${target} SOURCES)
  if(kind STREQUAL "tests")
    ricochet_group_by_name(${target} ${sources})
  endif()
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" alone LIMIT_COUNT 1 REGEX "^#(pragma GCC|define|include \"engine/(numerics/kernel_look|lanes/lane_step)[.]hpp\")")
    if(alone)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  ricochet_quiet_strings(${target})
endfunction()

# ricochet_group_by_name(<target> <sources>): a third to two thirds of RICOCHET_UNITE_SIZE sources at a time, as the
# names of tests clash more often, chosen by a hash of their names: a new source joins one group and leaves the others
# as they are, and with them what does not clash in them
function(ricochet_group_by_name target)
  list(LENGTH ARGN count)
  math(EXPR most "(2 * ${RICOCHET_UNITE_SIZE} + 2) / 3")
  set(groups 1)
  math(EXPR places "${most} * ${groups}")
  while(places LESS count)
    math(EXPR groups "2 * ${groups}")
    math(EXPR places "${most} * ${groups}")
  endwhile()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    get_filename_component(name "${source}" NAME)
    string(MD5 hash "${name}")
    string(SUBSTRING "${hash}" 0 4 digits)
    math(EXPR group "0x${digits} % ${groups}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
endfunction()

# GCC 12 takes sums of strings for copies out of bounds, where it does not see any more that they are from a
# header of the system (GCC bug 105651)
function(ricochet_quiet_strings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow>)
endfunction()
