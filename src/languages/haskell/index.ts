/** Haskell. */
import { type Language, semantics, words } from '../language.js';

export const haskell: Language = {
  id: 'haskell',
  plain: 'code',
  extensions: words('hs hsc lhs hs-boot'),
  interpreters: words('runhaskell runghc stack'),
  grammar: { name: 'haskell' },
  relations: true,
  rules: async () => (await import('./rules.js')).haskell,
  imports: async () => (await import('./rules.js')).HASKELL,
  semantics: semantics({ family: 'haskell' }),
  conventions: { mainNames: new Set(['main']) },
};
