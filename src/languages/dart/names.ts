/** Mentions of names in Dart: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['comment', 'documentation_comment', 'string_literal'],
  code: ['template_substitution'],
  keywords: new Set(
    (
      'Function List Map Object Set String abstract as assert async await base bool break case catch class ' +
      'const continue covariant default deferred do double dynamic else enum export extends extension ' +
      'external factory false final finally for get hide if implements import in int interface is late ' +
      'library mixin new null num of on operator part required rethrow return sealed set show static super ' +
      'switch sync this throw true try type typedef var void when while with yield'
    ).split(' '),
  ),
  unimported: true,
  labels: ':',
};
