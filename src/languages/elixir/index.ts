/** Elixir. */
import type { Language } from '../language.js';
import { semantics } from '../roles/semantics.js';
import { wordSet, words } from '../words.js';

export const elixir: Language = {
  id: 'elixir',
  plain: 'code',
  extensions: words('ex exs'),
  interpreters: words('elixir'),
  grammar: { name: 'elixir' },
  relations: true,
  rules: async () => {
    const [definitions, relations] = await Promise.all([import('./definitions.js'), import('./relations.js')]);
    return { definitions: definitions.elixir, relations: relations.elixir };
  },
  imports: async () => (await import('./imports.js')).ELIXIR,
  semantics: semantics({
    family: 'elixir',
    implicitThis: true,
    globalTypes: true,
    openNamespaces: true,
    dottedNames: true,
  }),
  conventions: {
    topLevelCode: true,
    toolPath: /(?:^|\/)mix\.exs$/i,
    routeNames: wordSet('get post put patch delete head options live'),
    // Attributes stand before the function. Its documentation is shown on its own, and its parameters follow.
    declarationNoise:
      /^(?:@(?:doc|impl|deprecated|since)\b (?:"[^"]*"|\w+: \S+|\w+) ?)*(?:@spec .* (?=def[a-z]* ))?(?:def(?:delegate)? )?/,
  },
};
