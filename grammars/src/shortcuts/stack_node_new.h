// Without clearing room for seven further links, which a node hardly ever has.
static StackNode *stack_node_new(
  StackNode *previous, Subtree subtree, bool is_pending, TSStateId state, StackNodeArray *pool
) {
  StackNode *node = pool->size > 0 ? array_pop(pool) : ts_malloc(sizeof(StackNode));
  node->ref_count = 1;
  node->state = state;
  if (previous == NULL) {
    node->link_count = 0;
    node->position = length_zero();
    node->error_cost = 0;
    node->node_count = 0;
    node->dynamic_precedence = 0;
    return node;
  }
  node->link_count = 1;
  node->links[0].node = previous;
  node->links[0].subtree = subtree;
  node->links[0].is_pending = is_pending;
  Length position = previous->position;
  unsigned error_cost = previous->error_cost, node_count = previous->node_count;
  int precedence = previous->dynamic_precedence;
  if (subtree.ptr) {
    position = length_add(position, ts_subtree_total_size(subtree));
    error_cost += ts_subtree_error_cost(subtree);
    node_count += stack__subtree_node_count(subtree);
    precedence += ts_subtree_dynamic_precedence(subtree);
  }
  node->position = position;
  node->error_cost = error_cost;
  node->node_count = node_count;
  node->dynamic_precedence = precedence;
  return node;
}
