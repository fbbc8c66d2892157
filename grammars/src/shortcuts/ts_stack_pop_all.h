// Counts for `pop_all_callback`.
StackSliceArray ts_stack_pop_all_of_tree_sitter(Stack *self, StackVersion version);

StackSliceArray ts_stack_pop_all(Stack *self, StackVersion version) {
  popped_subtrees = 0;
  return ts_stack_pop_all_of_tree_sitter(self, version);
}
