/** Rule tables by language id. A language without an entry is cut by lines. */
import { javascript, tsx, typescript } from './ecmascript.js';
import { go } from './go.js';
import { java } from './java.js';
import { python } from './python.js';
import { rust } from './rust.js';
import type { LanguageRules } from './types.js';

export const RULES: Readonly<Record<string, LanguageRules>> = {
  go,
  java,
  javascript,
  python,
  rust,
  tsx,
  typescript,
};
