// Memory of one parse. Blocks are cut from one end of the module's memory, those that were freed serve again for blocks of their
// size, and `forget_all` takes everything back at once.
#include <stdint.h>
#include <string.h>
#include "memory.h"

extern unsigned char __heap_base;

/** Sizes up to this have a list of free blocks for each 16 bytes, larger ones for each power of two. */
#define SMALL 1024

/** A block's capacity stands before it. Free blocks hold the address of the next one. */
typedef struct Block {
  struct Block *next;
} Block;

static Block *small[SMALL / 16 + 1], *large[32];
static uintptr_t top, end;

static uint32_t *capacity_of(void *block) { return (uint32_t *)block - 2; }

static Block **free_blocks(uint32_t capacity) {
  return capacity <= SMALL ? &small[capacity / 16] : &large[31 - __builtin_clz(capacity)];
}

static void *cut(uint32_t capacity) {
  uintptr_t block = top + 8;
  if (capacity > UINT32_MAX - block - 65535) return NULL;
  if (block + capacity > end) {
    uintptr_t pages = (block + capacity - end + 65535) / 65536;
    if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) return NULL;
    end += pages * 65536;
  }
  top = block + capacity;
  *capacity_of((void *)block) = capacity;
  return (void *)block;
}

void forget_all(void) {
  memset(small, 0, sizeof small);
  memset(large, 0, sizeof large);
  top = ((uintptr_t)&__heap_base + 7) / 8 * 8;
  end = __builtin_wasm_memory_size(0) * 65536;
}

void *malloc(size_t size) {
  if (size > 1u << 30) return NULL;
  uint32_t capacity = size <= SMALL ? (size + 15 + (size == 0)) / 16 * 16 : 1u << (32 - __builtin_clz(size - 1));
  Block **blocks = free_blocks(capacity);
  Block *block = *blocks;
  if (block == NULL) return cut(capacity);
  *blocks = block->next;
  return block;
}

void free(void *freed) {
  if (freed == NULL) return;
  Block **blocks = free_blocks(*capacity_of(freed));
  Block *block = freed;
  block->next = *blocks;
  *blocks = block;
}

void *calloc(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) return NULL;
  void *block = malloc(count * size);
  if (block != NULL) memset(block, 0, count * size);
  return block;
}

void *realloc(void *old, size_t size) {
  if (old == NULL) return malloc(size);
  uint32_t capacity = *capacity_of(old);
  if (size <= capacity) return old;
  void *block = malloc(size);
  if (block == NULL) return NULL;
  memcpy(block, old, capacity);
  free(old);
  return block;
}
