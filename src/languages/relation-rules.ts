/** Relation rules by language id. A language without an entry has no call facts. */

import { cpp } from './c/cpp-relations.js';
import { c } from './c/relations.js';
import { csharp } from './csharp/relations.js';
import { dart } from './dart/relations.js';
import { javascript, tsx, typescript } from './ecmascript/relations.js';
import { svelte } from './ecmascript/svelte.js';
import { vue } from './ecmascript/vue.js';
import { elixir } from './elixir/relations.js';
import { go } from './go/relations.js';
import { haskell } from './haskell/relations.js';
import { java } from './jvm/java/relations.js';
import { kotlin } from './jvm/kotlin/relations.js';
import { scala } from './jvm/scala/relations.js';
import { lua } from './lua/relations.js';
import { php } from './php/relations.js';
import { python } from './python/relations.js';
import type { RelationRules, TemplateRules } from './roles/relations.js';
import { ruby } from './ruby/relations.js';
import { rust } from './rust/relations.js';
import { bash } from './shell/relations.js';
import { swift } from './swift/relations.js';
import { css } from './web/css-relations.js';
import { html } from './web/html-relations.js';

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
