// A grammar, PARSER, whose lexer works in line.
#include "tree_sitter/parser.h"
#include "lexing.h"

#undef START_LEXER
#define START_LEXER()                                                     \
  bool result = false;                                                    \
  bool skip = false;                                                      \
  bool eof = false;                                                       \
  (void)eof;                                                              \
  int32_t lookahead;                                                      \
  goto start;                                                             \
  next_state:                                                             \
  if (!step((LexerView *)lexer, skip)) lexer->advance(lexer, skip);       \
  start:                                                                  \
  skip = false;                                                           \
  lookahead = lexer->lookahead;

// There is one range of text, the whole of it.
#undef ACCEPT_TOKEN
#define ACCEPT_TOKEN(symbol_value)     \
  result = true;                       \
  lexer->result_symbol = symbol_value; \
  ((LexerView *)lexer)->token_end = ((LexerView *)lexer)->current;

// `eof = lexer->eof(lexer)` stands before each state: at the end, the next character is 0.
#define eof(self) lookahead == 0 && lexer->eof(self)

#ifdef ADVANCE_MAP
#undef ADVANCE_MAP
#define ADVANCE_MAP(...)                                                                          \
  {                                                                                               \
    static const uint16_t map[] = {__VA_ARGS__};                                                  \
    static uint16_t ascii[129];                                                                   \
    uint32_t next = next_in_map(map, sizeof(map) / sizeof(map[0]), lookahead, ascii);             \
    if (next != 0) {                                                                              \
      state = next - 1;                                                                           \
      goto next_state;                                                                            \
    }                                                                                             \
  }
/** The state after `lookahead`, plus one; 0 if the map has none. `ascii` keeps those of the first 128 characters. */
static uint32_t next_in_map(const uint16_t *map, uint32_t size, int32_t lookahead, uint16_t *ascii) {
  if (ascii[128] == 0) {
    for (uint32_t i = size; i > 0; i -= 2)
      if (map[i - 2] < 128) ascii[map[i - 2]] = map[i - 1] + 1;
    ascii[128] = 1;
  }
  if ((uint32_t)lookahead < 128) return ascii[lookahead];
  for (uint32_t i = 0; i < size; i += 2)
    if (map[i] == lookahead) return map[i + 1] + 1;
  return 0;
}
/** `set_contains`, whose answer for one of the first 128 characters is kept: 1 for yes, 2 for no. */
static __attribute__((noinline)) bool contains(TSCharacterRange *ranges, uint32_t count, int32_t lookahead, uint8_t *ascii) {
  bool is_in = set_contains(ranges, count, lookahead);
  if ((uint32_t)lookahead < 128) ascii[lookahead] = is_in ? 1 : 2;
  return is_in;
}
#define KNOWN(lookahead, ascii) ((uint32_t)lookahead < 128 ? ascii[lookahead] : 0)
#ifdef SETS_BY_CALL
static __attribute__((noinline)) bool contains_by_call(
  TSCharacterRange *ranges, uint32_t count, int32_t lookahead, uint8_t *ascii
) {
  uint32_t known = KNOWN(lookahead, ascii);
  return known != 0 ? known == 1 : contains(ranges, count, lookahead, ascii);
}
#define set_contains(ranges, count, lookahead)                      \
  ({                                                                \
    static uint8_t ascii[128];                                      \
    contains_by_call(ranges, count, lookahead, ascii);              \
  })
#else
#define set_contains(ranges, count, lookahead)                              \
  ({                                                                        \
    static uint8_t ascii[128];                                              \
    uint32_t known = KNOWN(lookahead, ascii);                               \
    known != 0 ? known == 1 : contains(ranges, count, lookahead, ascii);    \
  })
#endif
#endif

#include PARSER
