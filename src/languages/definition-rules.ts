/** Rule tables by language id. A language without an entry is cut by lines. */
import { c, cpp } from './c/definitions.js';
import { csharp } from './csharp/definitions.js';
import { dart } from './dart/definitions.js';
import { json, markdown, toml, yaml } from './data/definitions.js';
import { javascript, tsx, typescript } from './ecmascript/definitions.js';
import { elixir } from './elixir/definitions.js';
import { go } from './go/definitions.js';
import { haskell } from './haskell/definitions.js';
import { java } from './jvm/java/definitions.js';
import { kotlin } from './jvm/kotlin/definitions.js';
import { scala } from './jvm/scala/definitions.js';
import { lua } from './lua/definitions.js';
import { php } from './php/definitions.js';
import { python } from './python/definitions.js';
import type { LanguageRules } from './roles/definitions.js';
import { ruby } from './ruby/definitions.js';
import { rust } from './rust/definitions.js';
import { bash } from './shell/definitions.js';
import { sql } from './sql/definitions.js';
import { swift } from './swift/definitions.js';
import { css, html } from './web/definitions.js';

export const RULES: Readonly<Record<string, LanguageRules>> = {
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
  json,
  kotlin,
  lua,
  markdown,
  php,
  python,
  ruby,
  rust,
  scala,
  sql,
  swift,
  toml,
  tsx,
  typescript,
  yaml,
};
