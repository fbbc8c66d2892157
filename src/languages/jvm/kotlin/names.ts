/** Mentions of names in Kotlin: see `NameRules`. */
import type { NameRules } from '../../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['line_comment', 'multiline_comment', 'string_content', 'character_literal'],
  keywords: new Set(
    (
      'abstract actual annotation as break by catch class companion const constructor continue crossinline ' +
      'data delegate do dynamic else enum expect external false field file final finally for fun get if ' +
      'import in infix init inline inner interface internal is it lateinit noinline null object open ' +
      'operator out override package param private property protected public receiver reified return sealed ' +
      'set setparam super suspend tailrec this throw true try typealias typeof val var vararg when where ' +
      'while'
    ).split(' '),
  ),
  unimported: true,
  labels: '=',
};
