// Steps of scanners count: see `advance` in runtime.c.
static bool is_scanning;
static uint64_t scanned;

static bool ts_parser__external_scanner_scan_of_tree_sitter(TSParser *self, TSStateId external_lex_state);

static bool ts_parser__external_scanner_scan(TSParser *self, TSStateId external_lex_state) {
  is_scanning = true;
  bool found = ts_parser__external_scanner_scan_of_tree_sitter(self, external_lex_state);
  is_scanning = false;
  return found;
}
