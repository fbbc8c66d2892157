// The ways down a stack that forked again and again are as many as its nodes, and each is copied whole. Those behind the first million
// subtrees are left out, so that the time stays in proportion to the text.
#define MAX_POPPED_SUBTREES (1 << 20)
static uint32_t popped_subtrees;

forceinline StackAction pop_all_callback(void *payload, const StackIterator *iterator) {
  (void)payload;
  if (popped_subtrees > MAX_POPPED_SUBTREES) return StackActionStop;
  if (iterator->node->link_count > 0) return StackActionNone;
  popped_subtrees += iterator->subtrees.size;
  return StackActionPop;
}
