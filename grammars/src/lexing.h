// What the lexer of a grammar does for each character, in line instead of by pointers to functions. Comes between the macros that a
// grammar is written in, tree_sitter/parser.h, and the grammar.
#include <stddef.h>

/** The beginning of tree-sitter's `Lexer`, which lexer.h declares; runtime.c asserts that both agree. */
typedef struct {
  uint32_t bytes, row, column;
} LexerPosition;
typedef struct {
  int32_t lookahead;
  uint16_t result_symbol;
  void *functions[6];
  LexerPosition current, token_start, token_end;
  void *included_ranges;
  const char *chunk;
  uint8_t input_and_logger[24];
  uint32_t included_range_count, included_range, chunk_start, chunk_size, lookahead_size;
  uint8_t did_get_column;
  uint32_t column;
  uint8_t column_is_valid;
} LexerView;

/** Steps over an ordinary character of UTF-16 text in one piece. False for line ends, surrogates, a byte order mark and the text's end. */
static inline __attribute__((always_inline)) int step(LexerView *self, int skip) {
  uint32_t at = self->current.bytes, next = at + 2 - self->chunk_start;
  if (!self->chunk || at == 0 || self->lookahead_size != 2 || self->lookahead == '\n' || next + 2 > self->chunk_size) return 0;
  uint32_t unit = *(const uint16_t *)(self->chunk + next);
  if ((unit & 0xF800) == 0xD800) return 0;
  if (self->column_is_valid) self->column++;
  self->current.bytes = at + 2;
  self->current.column += 2;
  if (skip) self->token_start = self->current;
  self->lookahead = unit;
  return 1;
}
