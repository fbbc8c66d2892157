/** Mentions of names in Python: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const MENTIONS: NameRules = {
  opaque: ['comment', 'string_content'],
  code: ['interpolation'],
  keywords: new Set(
    (
      'False None True and as assert async await break case class cls continue def del elif else except ' +
      'finally for from global if import in is lambda match nonlocal not or pass raise return self try ' +
      'while with yield'
    ).split(' '),
  ),
  labels: '=',
};
