// Interface of a grammar's module: parses a text with tree-sitter and writes the tree as columns, in one pass.
// Each module holds tree-sitter, one grammar (LANGUAGE, set by the build), and this file; src/extract/wasm-parser.ts calls it.
#include <stdlib.h>
#include "language.h"
#include "memory.h"
#include "runtime.h"
#include "subtree.h"
#include "tree.h"

#define EXPORT(name) __attribute__((export_name(#name))) name
#define NO_PARENT UINT32_MAX

extern const TSLanguage *LANGUAGE(void);

static void *tree_columns;

// Room for a text. What the last parse left is given up.
void *EXPORT(allocate)(uint32_t bytes) {
  forget_all();
  return malloc(bytes);
}

uint32_t EXPORT(kind_count)(void) { return ts_language_symbol_count(LANGUAGE()); }
const char *EXPORT(kind_name)(uint32_t kind) { return ts_language_symbol_name(LANGUAGE(), kind); }
uint32_t EXPORT(kind_type)(uint32_t kind) { return ts_language_symbol_type(LANGUAGE(), kind); }
uint32_t EXPORT(field_count)(void) { return ts_language_field_count(LANGUAGE()); }
const char *EXPORT(field_name)(uint32_t field) { return ts_language_field_name_for_id(LANGUAGE(), field); }

// Columns of the last tree: start, end, next and parent of 32 bits each, kind and field of 16, with `count` entries each.
// Positions are UTF-16 units; `next` is the index behind a node and its descendants, and the root's parent is -1.
void *EXPORT(columns)(void) { return tree_columns; }

/** A node of tree-sitter whose children are being written. Hidden ones, which the grammar does not show, get no entry. */
typedef struct {
  const Subtree *child, *last;
  /** Byte at which `child` and the white space before it begin; that of the first child lies before the node itself. */
  uint32_t at;
  /** Index of `child` among those that are no extras: comments and the like. */
  uint32_t structural;
  const TSSymbol *aliases;
  const TSFieldMapEntry *fields, *fields_end;
  /** Entry of the node, or of the nearest one around it that has one. */
  uint32_t entry;
  /** Field of the node where it is hidden, which its children have unless they have one of their own; else 0. */
  TSFieldId field;
  bool shown;
} Level;

typedef struct {
  Level *items;
  uint32_t size, capacity;
} Levels;

static void descend(Levels *levels, Subtree node, uint32_t at, uint32_t entry, TSFieldId field, bool shown) {
  if (levels->size == levels->capacity) {
    levels->capacity = levels->capacity == 0 ? 64 : levels->capacity * 2;
    levels->items = realloc(levels->items, levels->capacity * sizeof(Level));
    if (levels->items == NULL) abort();
  }
  const Subtree *children = ts_subtree_children(node);
  Level *level = &levels->items[levels->size++];
  level->child = children;
  level->last = children + node.ptr->child_count;
  level->at = at - ts_subtree_padding(*children).bytes;
  level->structural = 0;
  level->aliases = ts_language_alias_sequence(LANGUAGE(), node.ptr->production_id);
  ts_language_field_map(LANGUAGE(), node.ptr->production_id, &level->fields, &level->fields_end);
  level->entry = entry;
  level->field = field;
  level->shown = shown;
}

static TSFieldId field_of_child(const Level *level, uint32_t structural) {
  for (const TSFieldMapEntry *map = level->fields; map < level->fields_end; map++)
    if (!map->inherited && map->child_index == structural) return map->field_id;
  return level->field;
}

static void write_columns(Subtree root, uint32_t count) {
  const TSLanguage *language = LANGUAGE();
  uint32_t *start = tree_columns, *end = start + count, *next = end + count, *parent = next + count;
  uint16_t *kind = (uint16_t *)(parent + count), *field = kind + count;
  Levels levels = {NULL, 0, 0};
  uint32_t entries = 1, root_at = ts_subtree_padding(root).bytes;
  start[0] = root_at / 2;
  end[0] = (root_at + ts_subtree_size(root).bytes) / 2;
  next[0] = count;
  parent[0] = NO_PARENT;
  kind[0] = ts_language_public_symbol(language, ts_subtree_symbol(root));
  field[0] = 0;
  if (ts_subtree_child_count(root) > 0) descend(&levels, root, root_at, 0, 0, true);
  while (levels.size > 0) {
    Level *level = &levels.items[levels.size - 1];
    if (level->child == level->last) {
      if (level->shown) next[level->entry] = entries;
      levels.size--;
      continue;
    }
    Subtree child = *level->child++;
    uint32_t at = level->at + ts_subtree_padding(child).bytes;
    uint32_t after = at + ts_subtree_size(child).bytes;
    level->at = after;
    bool extra = ts_subtree_extra(child);
    uint32_t structural = level->structural;
    if (!extra) level->structural++;
    TSSymbol alias = extra || level->aliases == NULL ? 0 : level->aliases[structural];
    bool shown = ts_subtree_visible(child) || alias != 0;
    bool inner = ts_subtree_child_count(child) > 0 && (shown || child.ptr->visible_child_count > 0);
    if (!shown && !inner) continue;
    TSFieldId own = extra ? 0 : field_of_child(level, structural);
    uint32_t entry = level->entry;
    if (shown) {
      // The columns have room for the nodes that the tree says it shows.
      if (entries == count) abort();
      start[entries] = at / 2;
      end[entries] = after / 2;
      parent[entries] = entry;
      kind[entries] = ts_language_public_symbol(language, alias != 0 ? alias : ts_subtree_symbol(child));
      field[entries] = own;
      entry = entries++;
      next[entry] = entries;
    }
    if (inner) descend(&levels, child, at, entry, shown ? 0 : own, shown);
  }
}

// Parses UTF-16 text. Returns the count of nodes; 0 if the grammar does not fit this tree-sitter.
uint32_t EXPORT(parse)(char *text, uint32_t bytes) {
  TSParser *parser = new_parser();
  if (!ts_parser_set_language(parser, LANGUAGE())) return 0;
  TSTree *tree = ts_parser_parse_string_encoding(parser, NULL, text, bytes, TSInputEncodingUTF16LE);
  if (tree == NULL) return 0;
  uint32_t count = ts_node_descendant_count(ts_tree_root_node(tree));
  tree_columns = malloc(count * 20);
  if (tree_columns == NULL) abort();
  write_columns(tree->root, count);
  return count;
}
