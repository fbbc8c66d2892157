// Where others still hold the subtree, there is nothing to free.
void ts_subtree_release_of_tree_sitter(SubtreePool *pool, Subtree self);

void ts_subtree_release(SubtreePool *pool, Subtree self) {
  if (self.data.is_inline) return;
  uint32_t count = self.ptr->ref_count;
  if (count > 1) ((SubtreeHeapData *)self.ptr)->ref_count = count - 1;
  else ts_subtree_release_of_tree_sitter(pool, self);
}
