/** Reads parameters as they are written, so that calls can be compared with them. */
import type { ParameterForm } from '../../languages/language.js';
import type { LexicalConventions } from '../../languages/roles/relations.js';
import { skipOpaque } from '../../languages/roles/scan.js';

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
  if (form.bracketsOptional && !BRACKET_FOLLOWS.test(text)) return NOTHING_FOLLOWS.test(text) ? nothing() : null;
  const inside = listBehind(text, lexical);
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
      found.anyKeyword ||= form.anyKeyword?.test(part) ?? false;
      continue;
    }
    (isKeyword ? found.keywords : found.names).push(name);
    found.most++;
    if (!form.optional.test(part)) found.least = isKeyword ? found.least + 1 : found.names.length;
  }
  return found;
}

function listBehind(text: string, lexical: LexicalConventions): string | null {
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
