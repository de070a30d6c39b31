#include "engine/type_list.hpp"

int main() { return 0; }
