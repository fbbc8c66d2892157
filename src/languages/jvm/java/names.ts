/** Mentions of names in Java: see `NameRules`. */
import type { NameRules } from '../../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['block_comment', 'line_comment', 'string_fragment', 'multiline_string_fragment', 'character_literal'],
  keywords: new Set(
    (
      'abstract assert boolean break byte case catch char class const continue default do double else enum ' +
      'extends false final finally float for goto if implements import instanceof int interface long native ' +
      'new non null package permits private protected public record return sealed short static strictfp ' +
      'super switch synchronized this throw throws transient true try var void volatile while yield'
    ).split(' '),
  ),
  unimported: true,
};
