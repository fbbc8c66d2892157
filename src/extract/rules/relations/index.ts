/** Relation rules by language id. A language without an entry has no call facts. */

import { bash } from './bash.js';
import { c } from './c.js';
import { cpp } from './cpp.js';
import { csharp } from './csharp.js';
import { css } from './css.js';
import { dart } from './dart.js';
import { javascript, tsx, typescript } from './ecmascript.js';
import { elixir } from './elixir.js';
import { go } from './go.js';
import { haskell } from './haskell.js';
import { html } from './html.js';
import { java } from './java.js';
import { kotlin } from './kotlin.js';
import { lua } from './lua.js';
import { php } from './php.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { scala } from './scala.js';
import { svelte } from './svelte.js';
import { swift } from './swift.js';
import type { RelationRules, TemplateRules } from './types.js';
import { vue } from './vue.js';

export const RELATION_RULES: ReadonlyMap<string, RelationRules> = new Map(
  Object.entries({
    bash,
    c,
    cpp,
    csharp,
    css,
    dart,
    elixir,
    go,
    haskell,
    html,
    java,
    javascript,
    kotlin,
    lua,
    php,
    python,
    ruby,
    rust,
    scala,
    swift,
    tsx,
    typescript,
  }),
);

/** Languages whose files are read in parts: scripts by the rules of their own language, markup by these. */
export const TEMPLATE_RULES: ReadonlyMap<string, TemplateRules> = new Map(Object.entries({ svelte, vue }));

/** Languages that are read by their braces, without a grammar. */
const BY_BRACES: ReadonlySet<string> = new Set(['scss', 'less']);

/** Are relations collected from files of that language? Of other files a graph only knows that they are there. */
export function hasRelations(language: string): boolean {
  return RELATION_RULES.has(language) || TEMPLATE_RULES.has(language) || BY_BRACES.has(language);
}

/** Rules whose lists of names apply to a whole file of that language. */
export function wordsOf(language: string): RelationRules | undefined {
  return TEMPLATE_RULES.has(language) ? typescript : RELATION_RULES.get(language);
}
