/** Declarations and comments of symbols as single lines, cut from the bytes of their file, and the parameters in a declaration. */
import { signs } from '../../base/printable.js';
import type { ByteRange, CodeSymbol, SymbolKind } from '../../extract/facts.js';
import type { ParameterForm } from '../../languages/language.js';
import { conventionsOf } from '../../languages/registry.js';
import type { LexicalConventions } from '../../languages/roles/relations.js';
import { skipOpaque } from '../../languages/roles/scan.js';

/** Maximum length of a declaration, in UTF-16 units as all lengths here: a longer one is a value or a list of many parameters. */
const MAX_SIGNATURE = 200;
const MAX_DOC = 100;

/** Declaration as one line: white space collapsed, without the sign that opens the body; at most `most` long. */
export function signatureText(
  bytes: Buffer,
  { kind, start, end, signature }: Pick<CodeSymbol, 'kind' | 'start' | 'end' | 'signature'>,
  most = MAX_SIGNATURE,
): string {
  const text = collapsed(bytes, signature, most);
  if (VALUE_KINDS.has(kind)) return text.replace(DEFAULT_VALUE, '');
  if (opensBody(bytes, signature, text)) return text.replace(/,$/, '');
  // A declaration without a body ends on its first line, but its parameters belong to it.
  if (ENDS_IN_LIST.test(text)) return collapsed(bytes, { start, end }, most);
  // A brace of a parameter (`total({ tax }: Rule)`) was taken for that of the body.
  return isOpen(text) ? upToBody(collapsed(bytes, { start, end }, most)) : text;
}

/** Does the text end before a body? In `where T: Rule, {`, a comma ends the list of bounds, and no parameter follows it. */
function opensBody(bytes: Buffer, { end }: ByteRange, text: string): boolean {
  return text.endsWith(',') && !isOpen(text) && /^\s*\{/.test(bytes.toString('utf8', end, end + MAX_GAP));
}

/** Is a bracket of the parameters open? False where the text is cut: its rest may close it. */
function isOpen(text: string): boolean {
  return text.endsWith(signs.cut) ? false : text.split('(').length > text.split(')').length;
}

/** Text up to the bracket that closes the parameters, and the result's type. */
function upToBody(text: string): string {
  let depth = 0;
  for (let at = text.indexOf('('); at >= 0 && at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0)
      return text.slice(0, at + 1) + text.slice(at + 1).replace(/ ?(?:[{;]|=>).*$/, '');
  }
  return text;
}

/** Maximum number of bytes of white space between a declaration and its body. */
const MAX_GAP = 100;

const ENDS_IN_LIST = /[(,[<]$/;

/** Kinds whose default value is cut: name and type suffice. A function as a value stays. */
const VALUE_KINDS: ReadonlySet<SymbolKind> = new Set(['constant', 'variable', 'field', 'property']);
const DEFAULT_VALUE = / ?= ?(?!.*=>|.*\bfunction\b).*$/;

/** Maximum number of code units read of a declaration: documentation within its parameters is left out afterwards. */
const MAX_READ = 20 * MAX_SIGNATURE;

/** Text of a range as one line without comments, and without the sign that opens a body; at most `most` long. */
function collapsed(bytes: Buffer, { start, end }: ByteRange, most: number): string {
  // The order counts: comments end with their lines, so these are joined behind, and `Doc("…")` is a text that `withoutRemarks` shortened.
  const text = withoutRemarks(bytes.toString('utf8', start, Math.min(end, start + MAX_READ)))
    .replace(/\s+/g, ' ')
    // Blanks within brackets, and a comma before the closing one.
    .replace(/([([]) | (?=[)\]])|,(?= ?[)\]])/g, '$1')
    .replace(/\bAnnotated\[([^[\],]+), Doc\("…"\)\]/g, '$1')
    .replace(/ ?(?:\{|=>|=|:|;)? ?$/, '')
    .trim();
  const signature = withShortDecorators(text);
  return signature.length > most ? `${signature.slice(0, most)}${signs.cut}` : signature;
}

/** A declaration and its former one, cut so that the first difference stays in view. */
export function shownDifference(now: string, was: string): [now: string, was: string] {
  let same = 0;
  while (same < now.length && now[same] === was[same]) same++;
  const from = Math.max(now.slice(0, same).lastIndexOf(' ', Math.max(0, same - LEAD_LENGTH)), 0);
  const cut = (text: string) => {
    if (Math.max(now.length, was.length) <= MAX_SIGNATURE || from <= HEAD_LENGTH) return shownSignature(text);
    return shownSignature(`${text.slice(0, HEAD_LENGTH)}${signs.cut} ${text.slice(from).trim()}`);
  };
  return [cut(now), cut(was)];
}

export const shownSignature = (text: string): string =>
  text.length > MAX_SIGNATURE ? `${text.slice(0, MAX_SIGNATURE)}${signs.cut}` : text;

/** Lengths of a cut declaration that are shown from its start, and before its first difference. */
const HEAD_LENGTH = 60;
const LEAD_LENGTH = 20;

/** Shortens arguments of decorators, so that the name stays in view: `@deprecated("…") class Old`. */
function withShortDecorators(text: string): string {
  const name = /^@[\w.:]+\(/.exec(text)?.[0];
  if (name === undefined) return text;
  const end = closingBracket(text, name.length - 1);
  if (end < 0) return text;
  const args = text.slice(name.length, end);
  const rest = text.slice(end + 1);
  const space = /^ */.exec(rest)?.[0] ?? '';
  const short = args.length > MAX_DECORATOR_ARGUMENTS ? signs.cut : args;
  return `${name}${short})${space}${withShortDecorators(rest.slice(space.length))}`;
}

const MAX_DECORATOR_ARGUMENTS = 32;

/** Index of the bracket that closes the one at `open`, outside of strings; -1 if the text ends before. */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let at = open; at < text.length; at++) {
    const character = text[at];
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at;
  }
  return -1;
}

/**
 * Removes comments, and annotations and attributes that do not describe parameters or result: of Elixir and Rust before the declaration, then of
 * Java. Strings of several lines are shortened first: their text may look like comments, and the expression for Elixir expects them as `"…"`.
 */
function withoutRemarks(text: string): string {
  return text
    .replace(/(?:"""[\s\S]*?"""|'''[\s\S]*?''')/g, '"…"')
    .replace(/(^|\s)(?:\/\/.*|#+(?:[ \t].*)?)$/gm, '$1')
    .replace(/(^|[\s(,])\/\*[\s\S]*?\*\/\s*/g, '$1')
    .replace(/^(?:\s*@(?:doc|impl|deprecated|since)\b[ \t]+(?:~[a-zA-Z]?"\u2026"|"(?:[^"\\]|\\.)*"|[^\n]*(?=\n)))+/, '')
    .replace(/^\s*(?:#\[(?:[^[\]"]|"(?:[^"\\]|\\[\s\S])*"|\[[^[\]]*\])*\]\s*)+/, '')
    .replace(REMARKS, '');
}

const REMARKS =
  /@(?:Override|Deprecated|SuppressWarnings|SafeVarargs|CanIgnoreReturnValue|CheckReturnValue|InlineMe)\b(?:\([^)]*\))?\s*/g;

/** First words of a comment, without its marks. */
export function firstLine(comment: string): string {
  for (const line of comment.split('\n')) {
    const text = withoutMarks(line).trim();
    if (text !== '') return text.length > MAX_DOC ? `${text.slice(0, MAX_DOC)}${signs.cut}` : text;
  }
  return '';
}

/** Maximum number of code units of a whole comment. */
const MAX_COMMENT = 4_000;

/** Comment without its marks, line by line. */
export function commentText(comment: string): string {
  const lines = comment.slice(0, MAX_COMMENT).split('\n');
  return lines
    .map((line) => withoutMarks(line).trimEnd())
    .join('\n')
    .trim();
}

function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:\/\*+!?|\*\/|\*|\/\/[/!]?|#+!?|--+|;+|"""|'''|r"""|<!--)?\s*/, '')
    .replace(/\s*(?:\*\/|"""|'''|-->)\s*$/, '');
}

// Declarations for outlines.

/** Maximum length of a declaration: a longer one has its parameters cut, so that its result stays visible. */
const MAX_DECLARATION = 96;
const MIN_PARAMETERS = 24;

/** A signature as an outline shows it: without words that the language always has, and with its parameters cut if it is long. */
export function declarationText(signature: string, language: string): string {
  const { declarationNoise, impliedParameter } = conventionsOf(language);
  let text = declarationNoise === undefined ? signature : signature.replace(declarationNoise, '');
  if (impliedParameter !== undefined) text = text.replace(impliedParameter, '(');
  return text === '' ? signature : withShortParameters(text);
}

/** Cuts parameters: `search(text: string, …): Promise<Result>`. */
function withShortParameters(text: string): string {
  if (text.length <= MAX_DECLARATION) return text;
  const open = text.indexOf('(');
  const close = open < 0 ? -1 : closingParameters(text, open);
  if (close < 0) return cutAt(text, MAX_DECLARATION);
  const result = cutAt(text.slice(close), MAX_DECLARATION / 2);
  const room = Math.max(MIN_PARAMETERS, MAX_DECLARATION - open - result.length);
  return `${text.slice(0, open + 1)}${cutAt(text.slice(open + 1, close), room)}${result}`;
}

const cutAt = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\s…]+$/, '')}…`;

/** Index of the bracket that closes the one at `open`, counting brackets in strings, too; -1 if the text ends before. */
function closingParameters(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

export interface Parameters {
  /** Minimum and maximum number of arguments; Infinity with a rest parameter. */
  least: number;
  most: number;
  /** Names of parameters that are passed by position, in order; `?` for one without a name. */
  names: string[];
  /** Names of parameters that are passed by name only. */
  keywords: string[];
  /** Does it take any named argument? */
  anyKeyword: boolean;
}

/** Parts of a text that is between two brackets, without the commas that separate them. */
export function splitList(text: string, lexical: LexicalConventions): string[] {
  const parts: string[] = [];
  const open: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    if ('([{'.includes(char) || (char === '<' && opensTypes(text, at))) open.push(char);
    else if (char === '>' && open.at(-1) === '<' && !/[=-]/.test(text[at - 1])) open.pop();
    else if (')]}'.includes(char)) {
      while (open.at(-1) === '<') open.pop();
      open.pop();
    } else if (char === ',' && open.length === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
    at = skipOpaque(text, at, text.length, lexical);
  }
  parts.push(text.slice(from));
  return parts.map((part) => withoutComments(part).trim()).filter((part) => part !== '');
}

/** Do type arguments begin here, as in `Map<K, V>`? A name precedes them, and they end nearby, perhaps on another line. */
function opensTypes(text: string, at: number): boolean {
  return /\w/.test(text[at - 1] ?? '') && /^<[^;]*>/.test(text.slice(at, at + MAX_TYPES));
}

const MAX_TYPES = 400;

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(?:^|\s)(?:\/\/|#).*$/gm, '');

/** The text between the brackets at `open`; null if they are not closed. */
export function insideBrackets(text: string, open: number, lexical: LexicalConventions): string | null {
  let depth = 0;
  for (let at = open; at < text.length; ) {
    if ('([{'.includes(text[at])) depth++;
    else if (')]}'.includes(text[at]) && --depth === 0) return text.slice(open + 1, at);
    at = skipOpaque(text, at, text.length, lexical);
  }
  return null;
}

/** Text between a function's name and its parameters: type parameters, `= async function name`. */
const BEFORE_LIST =
  /^\w*[?!]?\s*(?:<[^()]*>\s*|\[[^\]()]*\]\s*)?(?:=\s*(?:async\s+)?(?:function\b\s*(?:\*\s*)?(?:\w+\s*)?)?)?$/;

/** Matches `def total(`, but not `def total`, where a bracket on the next line begins an expression. */
const BRACKET_FOLLOWS = /^\w+[?!]?\(/;
const NOTHING_FOLLOWS = /^\w+[?!]?[ \t]*(?:[\n;#]|$)/;

const nothing = (): Parameters => ({ least: 0, most: 0, names: [], keywords: [], anyKeyword: false });

/** Parameters of a function at whose name `text` begins; null if no list of parameters follows. `isMember`: it has an instance. */
export function parametersOf(
  text: string,
  { form, lexical, isMember }: { form: ParameterForm; lexical: LexicalConventions; isMember: boolean },
): Parameters | null {
  const inside = listBehind(text, form, lexical);
  if (inside === null) return null;
  const found = nothing();
  let isKeyword = false;
  for (const [i, part] of splitList(inside, lexical).entries()) {
    if (i === 0 && isMember && form.implicit?.test(part)) continue;
    if (form.keywordsFrom?.test(part)) isKeyword = true;
    if (form.marker?.test(part)) continue;
    if (form.unclear?.test(part)) return null;
    const name = form.name.exec(part)?.[1] ?? '?';
    if (form.rest.test(part)) {
      found.most = Number.POSITIVE_INFINITY;
      if (form.anyKeyword?.test(part)) found.anyKeyword = true;
      continue;
    }
    (isKeyword ? found.keywords : found.names).push(name);
    found.most++;
    if (!form.optional.test(part)) found.least = isKeyword ? found.least + 1 : found.names.length;
  }
  return found;
}

/** The text between the brackets of a list, empty where the language needs no brackets and has none; null where no list follows. */
function listBehind(text: string, form: ParameterForm, lexical: LexicalConventions): string | null {
  if (form.bracketsOptional && !BRACKET_FOLLOWS.test(text)) return NOTHING_FOLLOWS.test(text) ? '' : null;
  const open = text.indexOf('(');
  return open < 0 || !BEFORE_LIST.test(text.slice(0, open)) ? null : insideBrackets(text, open, lexical);
}

export function fits({ least, most }: Parameters, count: number): boolean {
  return count >= least && count <= most;
}

export const areEqual = (a: Parameters, b: Parameters): boolean =>
  JSON.stringify(describe(a)) === JSON.stringify(describe(b));

const describe = ({ least, most, names, keywords, anyKeyword }: Parameters) => [
  least,
  String(most),
  names,
  keywords,
  anyKeyword,
];
