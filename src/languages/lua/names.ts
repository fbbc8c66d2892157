/** Mentions of names in Lua: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['comment', 'string_content'],
  keywords: new Set(
    (
      'and break do else elseif end false for function goto if in local nil not or repeat return then true ' +
      'until while'
    ).split(' '),
  ),
};
