// Interface of a grammar's module: parses a text with tree-sitter and writes the tree as columns, in one pass.
// Each module holds tree-sitter, one grammar (LANGUAGE, set by the build), and this file; src/extract/wasm-parser.ts calls it.
#include <stdlib.h>
#include "tree_sitter/api.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

extern const TSLanguage *LANGUAGE(void);

static TSParser *parser;
static void *tree_columns;

void *EXPORT(allocate)(uint32_t bytes) { return malloc(bytes); }

uint32_t EXPORT(kind_count)(void) { return ts_language_symbol_count(LANGUAGE()); }
const char *EXPORT(kind_name)(uint32_t kind) { return ts_language_symbol_name(LANGUAGE(), kind); }
uint32_t EXPORT(kind_type)(uint32_t kind) { return ts_language_symbol_type(LANGUAGE(), kind); }
uint32_t EXPORT(field_count)(void) { return ts_language_field_count(LANGUAGE()); }
const char *EXPORT(field_name)(uint32_t field) { return ts_language_field_name_for_id(LANGUAGE(), field); }

// Columns of the last tree: start, end, next and parent of 32 bits each, kind and field of 16, with `count` entries each.
// Positions are UTF-16 units; `next` is the index behind a node and its descendants, and the root's parent is -1.
void *EXPORT(columns)(void) { return tree_columns; }

static void write_columns(TSTree *tree, uint32_t count) {
  uint32_t *start = tree_columns, *end = start + count, *next = end + count, *parent = next + count;
  uint16_t *kind = (uint16_t *)(parent + count), *field = kind + count;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  uint32_t at = 0, around = UINT32_MAX;
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    start[at] = ts_node_start_byte(node) / 2;
    end[at] = ts_node_end_byte(node) / 2;
    parent[at] = around;
    kind[at] = ts_node_symbol(node);
    field[at] = ts_tree_cursor_current_field_id(&cursor);
    uint32_t self = at++;
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      around = self;
      continue;
    }
    next[self] = at;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (around == UINT32_MAX) {
        ts_tree_cursor_delete(&cursor);
        return;
      }
      ts_tree_cursor_goto_parent(&cursor);
      next[around] = at;
      around = parent[around];
    }
  }
}

// Parses UTF-16 text, which it frees. Returns the count of nodes; 0 if the grammar does not fit this tree-sitter.
uint32_t EXPORT(parse)(char *text, uint32_t bytes) {
  free(tree_columns);
  tree_columns = NULL;
  if (parser == NULL) parser = ts_parser_new();
  if (!ts_parser_set_language(parser, LANGUAGE())) return 0;
  TSTree *tree = ts_parser_parse_string_encoding(parser, NULL, text, bytes, TSInputEncodingUTF16LE);
  free(text);
  if (tree == NULL) return 0;
  uint32_t count = ts_node_descendant_count(ts_tree_root_node(tree));
  tree_columns = malloc(count * 20);
  if (tree_columns == NULL) abort();
  write_columns(tree, count);
  ts_tree_delete(tree);
  return count;
}
