#include "tree_sitter/api.h"

/** A parser for UTF-16 texts that are given whole. */
TSParser *new_parser(void);
