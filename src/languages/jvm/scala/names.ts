/** Mentions of names in Scala: see `NameRules`. */
import type { NameRules } from '../../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['comment', 'block_comment', 'string', 'interpolated_string', 'character_literal'],
  code: ['interpolation'],
  keywords: new Set(
    (
      '_ abstract case catch class def do else enum export extends false final finally for forSome given if ' +
      'implicit import lazy match new null object override package private protected return sealed super ' +
      'then this throw trait true try type using val var while with yield'
    ).split(' '),
  ),
  unimported: true,
  labels: '=',
};
