/** Elixir. */
import { type Language, semantics, wordSet, words } from '../language.js';

export const elixir: Language = {
  id: 'elixir',
  plain: 'code',
  extensions: words('ex exs'),
  interpreters: words('elixir'),
  grammar: { name: 'elixir' },
  relations: true,
  rules: async () => (await import('./rules.js')).elixir,
  imports: async () => (await import('./rules.js')).ELIXIR,
  semantics: semantics({
    family: 'elixir',
    implicitThis: true,
    globalTypes: true,
    openNamespaces: true,
    dottedNames: '.',
  }),
  conventions: {
    topLevelCode: true,
    constantsForMacros: true,
    madeWords: wordSet('__struct__'),
    toolPath: /(?:^|\/)mix\.exs$/i,
    routeNames: wordSet('get post put patch delete head options live'),
    // `defdelegate total(cart), to: Prices, as: :sum`
    delegate: {
      before: /\bdefdelegate[ (]+$/,
      names: /^[^\n]*(?:,[ \t]*\n[^\n]*){0,9}\bas:/,
      add: 'as: :NAME',
    },
    // Attributes before the function: its documentation is shown separately, and its parameters follow.
    declarationNoise:
      /^(?:@(?:doc|impl|deprecated|since)\b (?:"[^"]*"|\w+: \S+|\w+) ?)*(?:@spec .* (?=def[a-z]* ))?(?:def(?:delegate)? )?/,
  },
};
