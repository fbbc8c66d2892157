/** Haskell. */
import type { Language } from '../language.js';
import { semantics } from '../roles/semantics.js';
import { words } from '../words.js';

export const haskell: Language = {
  id: 'haskell',
  plain: 'code',
  extensions: words('hs hsc lhs hs-boot'),
  interpreters: words('runhaskell runghc stack'),
  grammar: { name: 'haskell' },
  relations: true,
  rules: async () => {
    const [definitions, relations] = await Promise.all([import('./definitions.js'), import('./relations.js')]);
    return { definitions: definitions.haskell, relations: relations.haskell };
  },
  imports: async () => (await import('./imports.js')).HASKELL,
  semantics: semantics({ family: 'haskell' }),
  conventions: { mainNames: new Set(['main']) },
};
