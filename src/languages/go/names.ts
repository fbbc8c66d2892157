/** Mentions of names in Go: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['comment', 'interpreted_string_literal', 'raw_string_literal', 'rune_literal'],
  keywords: new Set(
    (
      '_ any append bool break byte cap case chan clear close complex complex128 complex64 const continue ' +
      'copy default defer delete else error fallthrough false float32 float64 for func go goto if imag ' +
      'import int int16 int32 int64 int8 interface iota len make map max min new nil package panic print ' +
      'println range real recover return rune select string struct switch true type uint uint16 uint32 ' +
      'uint64 uint8 uintptr var'
    ).split(' '),
  ),
  unimported: true,
  keys: true,
};
