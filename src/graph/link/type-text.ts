/** Parses written types, as far as needed to look up members. */
import { type TypeExpression, UNKNOWN_EXPRESSION } from '../../languages/roles/type-expressions.js';

/** Maximum depth of nested types, since hostile input can nest them without limit. */
const MAX_DEPTH = 8;
/**
 * Maximum number of remembered results. Few texts (of at most 200 units) occur thousands of times, so remembering saves
 * parsing.
 */
const MAX_REMEMBERED = 20_000;
const remembered = new Map<Reader, Map<string, TypeExpression | null>>();

type Reader = (text: string) => TypeExpression | null;

const PREFIX =
  /^(?:(?:readonly|const|volatile|static|constexpr|mut|dyn|impl|final|in|out|inout|ref|struct|union|class|enum|interface|some|any|typename|unsigned|signed|covariant|late|required|var|val|lazy|async|owned|borrowed|weak|unowned|params|vararg|infer|asserts|extends|super)\s+|'\w+\s+|@\w+\s+|[&*?~!:]+\s*|\.{3}\s*|\\)/;
const SUFFIX = /(?:\s*(?:[?!&*]|\bconst\b|\.\.\.)|\s+(?:where|as)\s.*)$/;
const EMPTY_PARTS: ReadonlySet<string> = new Set([
  'null',
  'undefined',
  'None',
  'nil',
  'void',
  'false',
  'never',
  'Nothing',
]);
const NAME = /^[\p{L}_$@][\p{L}\p{N}_$'-]*(?:\.[\p{L}_$][\p{L}\p{N}_$'-]*)*$/u;

/** Parses a type; null for types without members to look up, such as literals and computed types. */
export function parseType(text: string, read: Reader = parseUsual): TypeExpression | null {
  const texts = remembered.get(read) ?? new Map<string, TypeExpression | null>();
  remembered.set(read, texts);
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MAX_REMEMBERED) texts.clear();
  const parsed = read(text);
  texts.set(text, parsed);
  return parsed;
}

/** Types as most languages write them. */
function parseUsual(text: string): TypeExpression | null {
  return parse(text, 0);
}

function parse(raw: string, depth: number): TypeExpression | null {
  if (depth > MAX_DEPTH) return null;
  let text = unquoted(raw.trim());
  if (text === '') return null;
  if (text.includes('=>') || text.includes('->')) return functionType(text, depth);
  const values = /^typeof\s+([\w$.]+)$/.exec(text);
  if (values !== null) return { is: 'value', chain: values[1] };
  for (const separator of ['|', '&', '+']) {
    const parts = splitOutside(text, separator);
    if (parts.length > 1 && !(separator === '&' && parts.some((part) => part.trim() === ''))) {
      return several(parts, separator, depth);
    }
  }
  text = stripped(text);
  if (text.startsWith('(') && text.endsWith(')') && closes(text, 0) === text.length - 1) {
    return splitOutside(text.slice(1, -1), ',').length === 1 ? parse(text.slice(1, -1), depth + 1) : null;
  }
  if (text.startsWith('[')) return bracketed(text, depth);
  if (text.startsWith('map[')) return listOf(text.slice(closes(text, 3) + 1), depth);
  const channel = /^(?:<-\s*)?chan(?:\s*<-)?\s+/.exec(text);
  if (channel !== null) return listOf(text.slice(channel[0].length), depth);
  return named(text, depth);
}

/** Parses a function type: `(id: string) => Cart`, `((id: string) => Cart) | undefined`, `(Int) -> Cart`. */
function functionType(text: string, depth: number): TypeExpression | null {
  const close = text.startsWith('(') ? closes(text, 0) : -1;
  if (close < 0) return null;
  const rest = text.slice(close + 1).trim();
  if (rest.startsWith('=>') || rest.startsWith('->')) {
    const result = parse(rest.slice(2), depth + 1) ?? UNKNOWN_EXPRESSION;
    return { is: 'function', result, parameters: parametersOf(text.slice(1, close), depth) };
  }
  return /^(?:\?|\|\s*(?:undefined|null))?$/.test(rest) ? parse(text.slice(1, close), depth + 1) : null;
}

/** Types of `id: string, cart?: Cart`, and of `Int, Cart`. */
function parametersOf(text: string, depth: number): TypeExpression[] {
  if (text.trim() === '') return [];
  return splitOutside(text, ',').map((part) => {
    const type = /^\s*(?:\.{3})?[\w$]+\s*\??\s*:([\s\S]*)$/.exec(part)?.[1] ?? part;
    return parse(type, depth + 1) ?? UNKNOWN_EXPRESSION;
  });
}

/** Removes modifiers that tell how a value is held, such as `const`, `&` and `?`. */
function stripped(from: string): string {
  let text = from;
  for (let i = 0; i < MAX_DEPTH; i++) {
    const shorter = text.replace(PREFIX, '').replace(SUFFIX, '').trim();
    if (shorter === text || shorter === '') break;
    text = shorter;
  }
  return text;
}

/** Parses a type in brackets: `[]Cart`, `[5]Cart`, `[Cart]`, `[Key: Cart]`. */
function bracketed(text: string, depth: number): TypeExpression | null {
  const close = closes(text, 0);
  if (close < 0) return null;
  const inside = text.slice(1, close).trim();
  const rest = text.slice(close + 1);
  if (rest !== '' && rest !== '[]') return listOf(rest, depth);
  const items = splitOutside(inside, /[A-Za-z]\s*;/.test(inside) ? ';' : ':');
  if (splitOutside(inside, ',').length > 1) return null;
  return items.length > 1 && !inside.includes(';') ? listOf(items[1], depth) : listOf(items[0], depth);
}

function listOf(text: string, depth: number): TypeExpression | null {
  const element = parse(text, depth + 1);
  return element === null ? null : { is: 'list', element };
}

function several(texts: readonly string[], separator: string, depth: number): TypeExpression | null {
  const parts: TypeExpression[] = [];
  for (const text of texts) {
    if (EMPTY_PARTS.has(text.trim()) || text.trim().startsWith('{')) continue;
    const part = parse(text, depth + 1);
    if (part !== null) parts.push(part);
    // One unknown part makes a union (`A | …`) unknown, but not an intersection (`A & …`).
    else if (separator === '|') return null;
  }
  if (parts.length === 0) return null;
  return parts.length === 1 ? parts[0] : { is: 'several', parts };
}

function named(text: string, depth: number): TypeExpression | null {
  const open = text.search(/[<[]/);
  if (open < 0) return headOnly(text);
  const close = closes(text, open);
  const head = text.slice(0, open).trim();
  // The facts cut long types off; the name before `<` is complete.
  if (close < 0) return text[open] === '<' ? headOnly(head) : null;
  const inside = text.slice(open + 1, close).trim();
  const rest = text.slice(close + 1).trim();
  if (text[open] === '[' && /^\d*$/.test(inside)) {
    return /^(?:\[\d*\])*$/.test(rest) ? listOf(head + rest, depth) : null;
  }
  if (text[open] === '[' && /^["'`]/.test(inside)) return null;
  if (/^\[\d*\]/.test(rest)) return listOf(text.slice(0, -rest.length) + rest.replace(/^\[\d*\]/, ''), depth);
  const base = headOnly(head);
  if (base === null || base.is !== 'named') return null;
  // A type nested in a generic one: `Outer<A>.Inner`, `Outer<A>::Inner`.
  const inner = /^(?:\.|::)([\w$.:]+)$/.exec(rest);
  if (inner !== null) return headOnly(`${head}.${inner[1]}`);
  if (rest !== '') return null;
  const args: TypeExpression[] = [];
  for (const part of splitOutside(inside, ','))
    args.push(parse(part, depth + 1) ?? { is: 'named', head: '', args: [] });
  return { is: 'named', head: base.head, args };
}

function headOnly(text: string): TypeExpression | null {
  const head = text
    .replace(/::|\\|->|#/g, '.')
    .replace(/^\.+/, '')
    .trim();
  return NAME.test(head) ? { is: 'named', head, args: [] } : null;
}

function unquoted(text: string): string {
  const match = /^(["'])(.*)\1$/.exec(text);
  return match === null || match[2].includes(match[1]) ? text : match[2].trim();
}

const OPENING = '<([{';
const CLOSING = '>)]}';

/** Index of the bracket that closes the one at `open`, -1 if there is none. */
function closes(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (OPENING.includes(text[i])) depth++;
    else if (CLOSING.includes(text[i]) && text[i - 1] !== '=' && text[i - 1] !== '-' && --depth === 0) return i;
  }
  return -1;
}

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (OPENING.includes(text[i])) depth++;
    else if (CLOSING.includes(text[i])) depth--;
    else if (
      depth === 0 &&
      text[i] === separator &&
      !(separator === ':' && (text[i + 1] === ':' || text[i - 1] === ':'))
    ) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts[0].trim() === '' && parts.length > 1 ? parts.slice(1) : parts;
}
