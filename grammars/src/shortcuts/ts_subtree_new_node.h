// Each field is set once, by this or by the summary.
MutableSubtree ts_subtree_new_node(
  TSSymbol symbol, SubtreeArray *children, unsigned production_id, const TSLanguage *language
) {
  size_t bytes = ts_subtree_alloc_size(children->size);
  if (children->capacity * sizeof(Subtree) < bytes) {
    children->contents = ts_realloc(children->contents, bytes);
    children->capacity = (uint32_t)(bytes / sizeof(Subtree));
  }
  TSSymbolMetadata metadata = ts_language_symbol_metadata(language, symbol);
  bool fragile = symbol == ts_builtin_sym_error || symbol == ts_builtin_sym_error_repeat;
  SubtreeHeapData *node = (SubtreeHeapData *)&children->contents[children->size];
  node->ref_count = 1;
  node->padding = node->size = length_zero();
  node->child_count = children->size;
  node->symbol = symbol;
  node->parse_state = 0;
  node->visible = metadata.visible;
  node->named = metadata.named;
  node->extra = false;
  node->fragile_left = node->fragile_right = fragile;
  node->has_changes = node->is_missing = node->is_keyword = false;
  node->production_id = production_id;
  node->first_leaf.symbol = 0;
  node->first_leaf.parse_state = 0;
  MutableSubtree result = {.ptr = node};
  ts_subtree_summarize_children(result, language);
  return result;
}
