/** Mentions of names in Swift: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: [
    'comment',
    'multiline_comment',
    'line_str_text',
    'multi_line_str_text',
    'raw_string_literal',
    'regex_literal',
  ],
  keywords: new Set(
    (
      'Any Self _ actor any as associatedtype async await break case catch class continue convenience ' +
      'default defer deinit didSet do dynamic else enum extension fallthrough false fileprivate final for ' +
      'func get guard if import in indirect init inout internal is lazy let mutating nil nonisolated ' +
      'nonmutating open operator optional override precedencegroup private protocol public repeat required ' +
      'rethrows return self set some static struct subscript super switch throw throws true try typealias ' +
      'unowned var weak where while willSet'
    ).split(' '),
  ),
  unimported: true,
  labels: ':',
};
