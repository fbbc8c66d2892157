/** Mentions of names in Rust: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['line_comment', 'block_comment', 'string_content', 'char_literal'],
  keywords: new Set(
    (
      'Box Err None Ok Option Result Self Some String Vec _ as async await bool break char const continue ' +
      'crate dyn else enum extern f32 f64 false fn for i128 i16 i32 i64 i8 if impl in isize let loop match ' +
      'mod move mut pub ref return self static str struct super trait true type u128 u16 u32 u64 u8 union ' +
      'unsafe use usize where while'
    ).split(' '),
  ),
  unimported: true,
  keys: true,
};
