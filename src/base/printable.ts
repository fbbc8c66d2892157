/**
 * Text and numbers as they are shown. Untrusted text is made safe: characters that could move the cursor, change
 * colours or reorder text are escaped before they reach a terminal or a JSON consumer. Passwords and keys are removed
 * from text for files.
 */

// Characters that nobody sees, by category, since each version of Unicode would add to a list: formats (Cf, except signs of
// numbers and verses, which have a glyph), private use, line and paragraph separators, characters that fonts leave out,
// unassigned ones, C1 controls, DEL, and blanks that Unicode counts as signs. A variation selector belongs to emoji; two or
// more in a row, or any of the supplement, only hide text. A joiner between two emoji draws them as one sign.
const JOINED = String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})`;
const UNSEEN = String.raw`(?!${JOINED})(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\ufe00-\ufe0f])[\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u007f-\u009f\u2800\u{16fe4}\u{1d159}]|[\ufe00-\ufe0f]{2,}`;
const INVISIBLE = new RegExp(String.raw`[\0-\x08\x0b-\x1f]|${UNSEEN}`, 'gu');
const JSON_UNSAFE = new RegExp(UNSEEN, 'gu');
/** Most text has no other characters: this test is three times as fast. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Digits of a commit or another object that are shown. */
const SHORT_OID = 9;

/** Beginning of an object's id, as it is shown. Git takes it for the id. */
export const shortOid = (oid: string): string => oid.slice(0, SHORT_OID);

/** Signs of ours beyond ASCII. Text of a repository is never changed: its bytes are the same in every locale. */
export const signs = { cut: '…', bar: '│', branch: '├─', last: '└─' };

/** Writes the signs in ASCII where the locale of a process does not have UTF-8; an unset locale is that of POSIX. */
export function chooseSigns({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv, platform = process.platform): void {
  const locale = LC_ALL || LC_CTYPE || LANG || (platform === 'win32' ? 'utf-8' : 'C');
  if (!/utf-?8/i.test(locale)) Object.assign(signs, { cut: '...', bar: '|', branch: '|-', last: '`-' });
}

const hex4 = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

function escapeUnits(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    out += unit < 0x100 ? `\\x${unit.toString(16).padStart(2, '0')}` : hex4(unit);
  }
  return out;
}

/** Multi-line text for a terminal: a carriage return before a newline is dropped, other controls are escaped. */
export function visibleText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(/\r\n/g, '\n').replace(INVISIBLE, escapeUnits);
}

/** One-line text (a path, a symbol) for a terminal: newlines and tabs are escaped too. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\n/g, '\\n').replace(/\t/g, '\\t');
}

/** Length of the longest run of backticks in a text; Markdown needs a longer fence around it. */
export const longestFence = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Span of code in Markdown for any text of one line: spaces separate its own backticks from the fence. A span cannot be empty. */
export function codeSpan(text: string): string {
  const shown = visibleLine(text) || ' ';
  const longest = longestFence(shown);
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/**
 * Quotes a word for a command line that people may paste into a POSIX shell: names of a repository can hold anything. Every
 * name in a printed command is quoted here; a test finds those that are not. At the start of a word, zsh makes a path of
 * `=name`.
 */
export function shellWord(text: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : quotedWord(text);
}

/** A word that is always quoted, as in scripts. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** JSON whose parsed value is exactly `value`, but whose bytes hold no invisible or reordering characters. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  if (PLAIN.test(text)) return text;
  return text.replace(JSON_UNSAFE, (unseen) =>
    Array.from({ length: unseen.length }, (_, i) => hex4(unseen.charCodeAt(i))).join(''),
  );
}

/** A patch as visible text: it applies only with the line ends of its file. */
export function visiblePatch(text: string): string {
  return text.split('\r\n').map(visibleText).join('\r\n');
}

/**
 * Copy of a document without invisible or reordering characters, for readers that get its values, not its JSON. `multiline`: the
 * fields whose text keeps its lines and tabs, by default all. A patch is left as it is where these are named, since whoever prints it knows
 * whether a program reads it.
 */
export function visibleDocument<T>(value: T, multiline?: readonly string[], name = ''): T {
  if (typeof value === 'string') return visibleField(value, multiline, name) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => visibleDocument(entry, multiline, name)) as T;
  const entries = Object.entries(value).map(([key, field]) => [
    multiline === undefined ? visibleText(key) : visibleLine(key),
    visibleDocument(field, multiline, key),
  ]);
  return Object.fromEntries(entries) as T;
}

function visibleField(text: string, multiline: readonly string[] | undefined, name: string): string {
  // A line of a file with CRLF ends in what nobody has to see.
  const line = text.replace(/\r$/, '');
  if (multiline === undefined) return name === 'patch' ? visiblePatch(text) : visibleText(line);
  if (name === 'patch') return text;
  return multiline.includes(name) ? visibleText(line) : visibleLine(text);
}

/** Removes user and password from the URLs in a text. */
export function withoutPassword(text: string): string {
  return text.replace(/(\w+:\/\/)[^/\s]*@/g, '$1');
}

/** Environment variables that hold secret keys. */
const KEY_VARIABLES = [
  'SOCRATICODE_OPENAI_API_KEY',
  'OPENAI_API_KEY',
  'SOCRATICODE_MCP_TOKEN',
  'SOCRATICODE_FLEET_TOKEN',
];
/** Shorter values would match parts of ordinary words. */
const MIN_KEY = 8;

/** Removes user, password and query (which can hold a token) from URLs, and the keys of the environment. */
export function withoutSecrets(text: string): string {
  let clean = withoutPassword(text).replace(/(\w+:\/\/[^\s'"<>?#]*)[?#][^\s'"<>]*/g, '$1');
  for (const name of KEY_VARIABLES) {
    const key = process.env[name] ?? '';
    if (key.length >= MIN_KEY) clean = clean.replaceAll(key, '***');
  }
  return clean;
}

/**
 * An integer with a comma after each three digits: `1,234,567`. `toLocaleString('en')` gives the same text, but its first call
 * loads the tables of all languages, which takes 15 to 20 ms: a seventh of the time of a search without the start of Node.
 */
export const groupDigits = (value: number): string => String(value).replace(/(?<!\..*)\B(?=(?:\d{3})+(?!\d))/g, ',');
