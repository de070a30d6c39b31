#include "io/commands/commands.hpp"

int main(int argc, char** argv) { return ricochet::commandLine(argc, argv); }
