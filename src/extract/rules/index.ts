/** Rule tables by language id. A language without an entry is cut by lines. */
import { c, cpp } from './c.js';
import { csharp } from './csharp.js';
import { dart } from './dart.js';
import { css, html, json, markdown, sql, toml, yaml } from './documents.js';
import { javascript, tsx, typescript } from './ecmascript.js';
import { elixir } from './elixir.js';
import { go } from './go.js';
import { haskell } from './haskell.js';
import { java } from './java.js';
import { kotlin, scala } from './jvm.js';
import { php } from './php.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { bash, lua } from './scripts.js';
import { swift } from './swift.js';
import type { LanguageRules } from './types.js';

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
