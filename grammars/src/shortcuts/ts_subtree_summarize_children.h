// Sums are kept in variables, and a leaf that lies in its parent's array is asked once what it is.
void ts_subtree_summarize_children(MutableSubtree self, const TSLanguage *language) {
  SubtreeHeapData *parent = self.ptr;
  const Subtree *children = ts_subtree_children(self);
  const TSSymbol *aliases = ts_language_alias_sequence(language, parent->production_id);
  const uint32_t count = parent->child_count;
  const bool is_error = parent->symbol == ts_builtin_sym_error || parent->symbol == ts_builtin_sym_error_repeat;
  Length size = parent->size, padding = parent->padding;
  uint32_t visible_children = 0, named_children = 0, descendants = 0, cost = 0, structural = 0, lookahead_end = 0;
  int32_t precedence = 0;
  bool has_external = false, depends_on_column = false, has_state_change = false;
  for (uint32_t i = 0; i < count; i++) {
    const Subtree child = children[i];
    const bool is_inline = child.data.is_inline;
    const bool extra = ts_subtree_extra(child), visible = ts_subtree_visible(child);
    const TSSymbol symbol = ts_subtree_symbol(child);
    const SubtreeHeapData *node = is_inline ? NULL : child.ptr;
    const uint32_t grandchildren = is_inline ? 0 : node->child_count;
    const uint32_t child_cost = ts_subtree_error_cost(child);
    if (!is_inline) {
      if (size.extent.row == 0 && node->depends_on_column) depends_on_column = true;
      if (node->has_external_scanner_state_change) has_state_change = true;
      if (node->has_external_tokens) has_external = true;
      if (grandchildren > 0) {
        precedence += node->dynamic_precedence;
        descendants += node->visible_descendant_count;
      }
    }
    if (i == 0) padding = ts_subtree_padding(child), size = ts_subtree_size(child);
    else size = length_add(size, ts_subtree_total_size(child));
    const uint32_t end = padding.bytes + size.bytes + ts_subtree_lookahead_bytes(child);
    if (end > lookahead_end) lookahead_end = end;
    cost += child_cost;
    if (symbol == ts_builtin_sym_error_repeat) cost -= ts_subtree__error_extent_cost(ts_subtree_size(child));
    else if (is_error && !extra && !(symbol == ts_builtin_sym_error && grandchildren == 0)) {
      if (visible) cost += ERROR_COST_PER_SKIPPED_TREE;
      else if (grandchildren > 0) cost += ERROR_COST_PER_SKIPPED_TREE * node->visible_child_count;
    }
    const TSSymbol alias = !extra && symbol != 0 && aliases ? aliases[structural] : 0;
    if (alias != 0 || visible) {
      descendants++;
      visible_children++;
      if (alias != 0 ? ts_language_symbol_metadata(language, alias).named : ts_subtree_named(child)) named_children++;
    } else if (grandchildren > 0) {
      visible_children += node->visible_child_count;
      named_children += node->named_child_count;
    }
    if (symbol == ts_builtin_sym_error) {
      parent->fragile_left = parent->fragile_right = true;
      parent->parse_state = TS_TREE_STATE_NONE;
    }
    if (!extra) structural++;
  }
  if (is_error) cost += ts_subtree__error_extent_cost(size);
  parent->size = size;
  parent->padding = padding;
  parent->named_child_count = named_children;
  parent->visible_child_count = visible_children;
  parent->visible_descendant_count = descendants;
  parent->error_cost = cost;
  parent->repeat_depth = 0;
  parent->has_external_tokens = has_external;
  parent->depends_on_column = depends_on_column;
  parent->has_external_scanner_state_change = has_state_change;
  parent->dynamic_precedence = precedence;
  parent->lookahead_bytes = lookahead_end - size.bytes - padding.bytes;
  if (count == 0) return;
  const Subtree first = children[0], last = children[count - 1];
  parent->first_leaf.symbol = ts_subtree_leaf_symbol(first);
  parent->first_leaf.parse_state = ts_subtree_leaf_parse_state(first);
  if (ts_subtree_fragile_left(first)) parent->fragile_left = true;
  if (ts_subtree_fragile_right(last)) parent->fragile_right = true;
  if (count >= 2 && !parent->visible && !parent->named && ts_subtree_symbol(first) == parent->symbol) {
    const uint32_t left = ts_subtree_repeat_depth(first), right = ts_subtree_repeat_depth(last);
    parent->repeat_depth = (left > right ? left : right) + 1;
  }
}
