# What most sources of a library or a program begin with takes longer to read than the sources themselves to
# compile: RICOCHET_PRECOMPILE has it read once, in `tests` or in `all`. A header that is precompiled hides
# its warnings and what sources forget to include, so one build at least has to compile the libraries without.

# ricochet_precompile(<kind> <target> <header>...): of the kind `libraries` or `tests`; headers relative to the
# root of the tree, or in angle brackets.
function(ricochet_precompile kind target)
  if(NOT RICOCHET_PRECOMPILE STREQUAL "all" AND NOT RICOCHET_PRECOMPILE STREQUAL kind)
    return()
  endif()
  list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/" REGEX "^[^<]")
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # GCC 12 takes sums of strings for copies out of bounds, where it does not see any more that they are from a
  # header of the system (GCC bug 105651)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow>)
endfunction()
