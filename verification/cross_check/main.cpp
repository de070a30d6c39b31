// Cross-checks of ricochet against independent computations on random models.

#include "verification/cross_check/contacts.hpp"
#include "verification/cross_check/laws/laws.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

int main(int argc, char** argv) {
  CLI::App app{"Random models: ricochet against independent computations"};
  app.require_subcommand(1);
  int status = 0;
  ricochet::cross::addContacts(app, status);
  ricochet::cross::addLaws(app, status);
  CLI11_PARSE(app, argc, argv);
  return status;
}
