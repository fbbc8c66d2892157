/** Mentions of names in TypeScript and JavaScript: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['comment', 'hash_bang_line', 'string_fragment', 'regex'],
  keywords: new Set(),
  keys: true,
  interpolation: '$',
};

/** In grammars that know elements. */
export const ELEMENT_NAMES: NameRules = { ...NAMES, opaque: [...NAMES.opaque, 'jsx_text'] };
