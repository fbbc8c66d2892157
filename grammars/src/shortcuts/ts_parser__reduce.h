// Counts for `ts_parser__do_all_potential_reductions`.
static uint64_t reductions;

static StackVersion ts_parser__reduce_of_tree_sitter(
  TSParser *self, StackVersion version, TSSymbol symbol, uint32_t count, int dynamic_precedence, uint16_t production_id,
  bool is_fragile, bool end_of_non_terminal_extra
);

static StackVersion ts_parser__reduce(
  TSParser *self, StackVersion version, TSSymbol symbol, uint32_t count, int dynamic_precedence, uint16_t production_id,
  bool is_fragile, bool end_of_non_terminal_extra
) {
  reductions++;
  return ts_parser__reduce_of_tree_sitter(
    self, version, symbol, count, dynamic_precedence, production_id, is_fragile, end_of_non_terminal_extra
  );
}
