// tree-sitter's library in one unit, with a faster step for the one kind of text that it gets here: UTF-16 in one piece.
#include "lib.c"
#include "runtime.h"
#include "lexing.h"

#define SAME(ours, theirs) _Static_assert(offsetof(LexerView, ours) == offsetof(Lexer, theirs), #ours)
SAME(lookahead, data.lookahead);
SAME(result_symbol, data.result_symbol);
SAME(current, current_position);
SAME(token_start, token_start_position);
SAME(token_end, token_end_position);
SAME(chunk, chunk);
SAME(included_range_count, included_range_count);
SAME(included_range, current_included_range_index);
SAME(chunk_start, chunk_start);
SAME(chunk_size, chunk_size);
SAME(lookahead_size, lookahead_size);
SAME(column, column_data.value);
SAME(column_is_valid, column_data.valid);

// A scanner that looks for an end which is not there steps to the end of the text, for each place at which it may begin. Behind many more
// steps than a text of that length needs, the text seems to end at the next one: scanners give up, and the lexer goes on from where they began.
#define FREE_STEPS (1 << 20)
#define STEPS_PER_BYTE 32

/** For scanners, which step by `advance` of the lexer that they get. */
static void advance(TSLexer *lexer, bool skip) {
  Lexer *self = (Lexer *)lexer;
  if (!self->chunk) return;
  if (is_scanning && ++scanned > FREE_STEPS + STEPS_PER_BYTE * (uint64_t)self->current_position.bytes) {
    self->current_included_range_index = self->included_range_count;
    ts_lexer__clear_chunk(self);
    self->data.lookahead = 0;
    self->lookahead_size = 1;
  } else if (!step((LexerView *)lexer, skip)) ts_lexer__do_advance(self, skip);
}

TSParser *new_parser(void) {
  TSParser *parser = ts_parser_new();
  reductions = scanned = 0;
  parser->lexer.data.advance = advance;
  return parser;
}
