/** From a path, and the first bytes where the path doesn't tell, to a language id. */
import { BINARY_EXTENSIONS, LANGUAGE_IDS, LANGUAGES } from './registry.js';

const BY_EXTENSION = new Map<string, string>();
const BY_NAME = new Map<string, string>();
const BY_INTERPRETER = new Map<string, string>();
for (const id of LANGUAGE_IDS) {
  const language = LANGUAGES[id];
  // The first language of the table wins, so that its order is the order of preference.
  for (const key of language.extensions) if (!BY_EXTENSION.has(key)) BY_EXTENSION.set(key, id);
  for (const key of language.names ?? []) if (!BY_NAME.has(key)) BY_NAME.set(key, id);
  for (const key of language.interpreters ?? []) if (!BY_INTERPRETER.has(key)) BY_INTERPRETER.set(key, id);
}

/** Names with anything behind them: `Dockerfile.dev`, `Makefile.inc`, `.env.local`. */
const NAME_PREFIXES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:dockerfile|containerfile)[.-]/, 'dockerfile'],
  [/^(?:gnu)?makefile[.-]/, 'makefile'],
  [/^jenkinsfile[.-]/, 'groovy'],
  [/^\.env\./, 'dotenv'],
  [/^requirements[\w.-]*\.txt$/, 'requirements'],
  [/^(?:licen[cs]e|copying|notice)[.-]/, 'text'],
];

/** `config.yaml.example` is YAML. */
const COPY_SUFFIX = /^(?:in|example|sample|dist|template|bak|orig)$/;

const SHEBANG = /^#!\s*(?:\S*\/)?env\s+(?:-\S+\s+|\w+=\S+\s+)*(\S+)|^#!\s*(?:\S*\/)?([^\s/]+)/;
const SHEBANG_PROBE = 256;
const XML_START = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\b/;
const PHP_START = /^\s*<\?php\b/;

/** Extensions that a user's configuration maps to language ids: `{ inc: 'php' }`, with or without the dot. */
export type LanguageOverrides = Readonly<Record<string, string>>;

/**
 * The language id of a file, or null if nothing is known of it and it should not be taken for text without a look at
 * its content. With first bytes given, unknown text files are `text`; without them they are null.
 */
export function detectLanguage(path: string, firstBytes?: Uint8Array, overrides?: LanguageOverrides): string | null {
  const name = baseName(path);
  const overridden = byOverride(name, overrides);
  if (overridden !== null) return overridden;
  if (isBinaryPath(path)) return null;
  const known = byPath(name);
  if (known !== null) return known;
  return firstBytes === undefined ? null : byContent(firstBytes);
}

/** The language of a file whose path does not tell: its shebang's, or plain text. Depends on the first bytes alone. */
export function languageOfContent(bytes: Uint8Array): string {
  return byContent(bytes.subarray(0, SHEBANG_PROBE)) ?? 'text';
}

/** True where the path alone cannot tell, so that first bytes are worth reading. */
export function needsContent(path: string, overrides?: LanguageOverrides): boolean {
  const name = baseName(path);
  return byOverride(name, overrides) === null && byPath(name) === null && !isBinaryPath(path);
}

/** True for extensions of files that are never text. */
export function isBinaryPath(path: string): boolean {
  return BINARY_EXTENSIONS.has(extensionOf(baseName(path)));
}

function byOverride(name: string, overrides: LanguageOverrides | undefined): string | null {
  if (overrides === undefined) return null;
  for (const extension of extensionsOf(name)) {
    for (const key of [extension, `.${extension}`]) {
      if (Object.hasOwn(overrides, key) && Object.hasOwn(LANGUAGES, overrides[key])) return overrides[key];
    }
  }
  return null;
}

function byPath(name: string): string | null {
  const named = BY_NAME.get(name) ?? NAME_PREFIXES.find(([pattern]) => pattern.test(name))?.[1];
  if (named !== undefined) return named;
  // The last extension decides, or the one before it where the last one only says what the copy is for.
  const parts = name.split('.').slice(1);
  for (let i = parts.length - 1; i >= 0; i--) {
    const id = BY_EXTENSION.get(parts[i]);
    if (id !== undefined) return id;
    if (!COPY_SUFFIX.test(parts[i])) return null;
  }
  return null;
}

function byContent(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SHEBANG_PROBE)).toString(
    'latin1',
  );
  const match = SHEBANG.exec(head);
  const program = (match?.[1] ?? match?.[2] ?? '')
    .replace(/^.*\//, '')
    .replace(/[\d.]+$/, '')
    .toLowerCase();
  const interpreted = BY_INTERPRETER.get(program);
  if (interpreted !== undefined) return interpreted;
  if (XML_START.test(head)) return 'xml';
  return PHP_START.test(head) ? 'php' : 'text';
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}

/** All extensions, longest first: `a.blade.php` -> `blade.php`, `php`. */
function extensionsOf(name: string): string[] {
  const parts = name.replace(/^\.+/, '').split('.').slice(1);
  return parts.map((_, index) => parts.slice(index).join('.'));
}
