// At each mistake, what the stack holds is reduced for each token that may be missing, and in vain if another way turns out better: a
// chain of operators with a mistake in each link took quadratic time. Behind many more reductions than a text of that length needs,
// mistakes are skipped without that.
#define FREE_REDUCTIONS (1 << 16)
#define REDUCTIONS_PER_BYTE 16

static bool ts_parser__do_all_potential_reductions_of_tree_sitter(TSParser *self, StackVersion starting_version, TSSymbol lookahead_symbol);

static bool ts_parser__do_all_potential_reductions(TSParser *self, StackVersion starting_version, TSSymbol lookahead_symbol) {
  uint64_t bytes = self->lexer.current_position.bytes;
  if (reductions < FREE_REDUCTIONS + REDUCTIONS_PER_BYTE * bytes)
    return ts_parser__do_all_potential_reductions_of_tree_sitter(self, starting_version, lookahead_symbol);
  // A version with a token that is missing ends, as it does where no reduction helps it.
  if (lookahead_symbol != 0) ts_stack_remove_version(self->stack, starting_version);
  return false;
}
