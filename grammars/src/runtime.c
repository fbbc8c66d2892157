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

/** For scanners, which step by `advance` of the lexer that they get. */
static void advance(TSLexer *lexer, bool skip) {
  if (((Lexer *)lexer)->chunk && !step((LexerView *)lexer, skip)) ts_lexer__do_advance((Lexer *)lexer, skip);
}

TSParser *new_parser(void) {
  TSParser *parser = ts_parser_new();
  reductions = 0;
  parser->lexer.data.advance = advance;
  return parser;
}
