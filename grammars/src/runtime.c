// tree-sitter's library in one unit, with a faster step for the one kind of text that it gets here: UTF-16 in one piece.
#include "lib.c"
#include "runtime.h"

/**
 * Steps to the next character, as `ts_lexer__advance` does, which has such a shortcut for UTF-8 alone. Line ends, surrogates, a byte
 * order mark and the end of the text take the long way.
 */
static void advance(TSLexer *base, bool skip) {
  Lexer *self = (Lexer *)base;
  if (!self->chunk) return;
  uint32_t at = self->current_position.bytes;
  uint32_t next = at + 2 - self->chunk_start;
  if (at != 0 && self->lookahead_size == 2 && self->data.lookahead != '\n' && next + 2 <= self->chunk_size) {
    uint32_t unit = *(const uint16_t *)(self->chunk + next);
    if ((unit & 0xF800) != 0xD800) {
      ts_lexer__increment_column_data(self);
      self->current_position.bytes = at + 2;
      self->current_position.extent.column += 2;
      if (skip) self->token_start_position = self->current_position;
      self->data.lookahead = unit;
      return;
    }
  }
  ts_lexer__do_advance(self, skip);
}

TSParser *new_parser(void) {
  TSParser *parser = ts_parser_new();
  parser->lexer.data.advance = advance;
  return parser;
}
