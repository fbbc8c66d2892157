/** Mentions of names in Kotlin: see `NameRules`. */
import type { NameRules } from '../../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['line_comment', 'multiline_comment', 'string_content', 'character_literal'],
  keywords: new Set(
    (
      'as break class continue do else false for fun if in interface is null object package ' +
      'return super this throw true try typealias typeof val var when while'
    ).split(' '),
  ),
  softKeywords: new Set(
    (
      'abstract actual annotation by catch companion const constructor crossinline data delegate ' +
      'dynamic enum expect external field file final finally get import infix init inline inner ' +
      'internal it lateinit noinline open operator out override param private property protected ' +
      'public receiver reified sealed set setparam suspend tailrec vararg where'
    ).split(' '),
  ),
  unimported: true,
  labels: '=',
};
