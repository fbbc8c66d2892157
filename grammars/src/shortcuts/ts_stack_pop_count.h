// Most of the time there is one way down the stack: its subtrees are copied, without iterators for others.
StackSliceArray ts_stack_pop_count_of_tree_sitter(Stack *self, StackVersion version, uint32_t count);

StackSliceArray ts_stack_pop_count(Stack *self, StackVersion version, uint32_t count) {
  StackNode *top = array_get(&self->heads, version)->node, *node = top;
  uint32_t size = 0;
  for (uint32_t found = 0; found < count; node = node->links[0].node) {
    if (node->link_count != 1) return ts_stack_pop_count_of_tree_sitter(self, version, count);
    Subtree subtree = node->links[0].subtree;
    if (subtree.ptr) size++;
    if (!subtree.ptr || !ts_subtree_extra(subtree)) found++;
  }
  // With room for the parent of the subtrees, which is made behind them.
  SubtreeArray subtrees = array_new();
  array_reserve(&subtrees, (uint32_t)ts_subtree_alloc_size(size) / sizeof(Subtree));
  subtrees.size = size;
  for (; top != node; top = top->links[0].node) {
    Subtree subtree = top->links[0].subtree;
    if (!subtree.ptr) continue;
    ts_subtree_retain(subtree);
    subtrees.contents[--size] = subtree;
  }
  StackSlice slice = {subtrees, ts_stack__add_version(self, version, node)};
  array_clear(&self->slices);
  array_push(&self->slices, slice);
  return self->slices;
}
