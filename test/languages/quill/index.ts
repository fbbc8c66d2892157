/** Quill, a made-up language: all that it takes to be detected, parsed, indexed, searched and linked is in this folder. */
import { type Language, semantics, words } from '../../../src/languages/language.js';

export const quill: Omit<Language, 'id'> & { id: string } = {
  id: 'quill',
  plain: 'code',
  extensions: words('quill'),
  interpreters: words('quill'),
  // Quill looks enough like JavaScript for its grammar.
  grammar: { name: 'JavaScript' },
  relations: true,
  rules: async () => (await import('./rules.js')).quill,
  imports: async () => (await import('./imports.js')).QUILL,
  semantics: semantics({ family: 'quill' }),
  conventions: { mainNames: new Set(['begin']), declarationNoise: /^function\s+/ },
};
