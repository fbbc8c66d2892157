// A state of which few symbols are valid lists them, and each lookup walks the list: this keeps what was found. As the answer depends
// on state and symbol alone, it stays right for the life of a module.
static uint16_t ts_language_lookup_of_tree_sitter(const TSLanguage *self, TSStateId state, TSSymbol symbol);

static inline uint16_t ts_language_lookup(const TSLanguage *self, TSStateId state, TSSymbol symbol) {
  static struct {
    uint32_t key;
    uint16_t value;
  } kept[2048];
  if (state < self->large_state_count) return self->parse_table[state * self->symbol_count + symbol];
  // Never 0, the key of an empty place: state 0 is a large one.
  uint32_t key = (uint32_t)state << 16 | symbol;
  uint32_t place = (key * 0x9E3779B1u) >> 21;
  if (kept[place].key == key) return kept[place].value;
  kept[place].key = key;
  return kept[place].value = ts_language_lookup_of_tree_sitter(self, state, symbol);
}
