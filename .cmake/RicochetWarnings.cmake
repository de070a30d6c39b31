# ricochet::warnings: what the project asks of its own sources, and never of those who use it.
add_library(ricochet_warnings INTERFACE)
add_library(ricochet::warnings ALIAS ricochet_warnings)
target_compile_options(ricochet_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<BOOL:${RICOCHET_WERROR}>:-Werror>)
