/** Tells what words that are set as code stand for: a name, a path, or nothing of the repository. */
import type { Mention } from './facts.js';

const IDENTIFIER = String.raw`[A-Za-z_$\u00c0-\uffff][\w$\u00c0-\uffff]*`;
const NAME = new RegExp(String.raw`^(@)?(?:new |await )?(${IDENTIFIER}(?:(?:\.|::|#|->)${IDENTIFIER}){0,8})(.*)$`, 's');
/** Arguments, type arguments, brackets of a list, a mark of a macro: whatever may follow a name without changing it. */
const TAIL = /^(?:<[^<>()]{0,100}>)?(!?\(.{0,200}\)|\[\])?[;?!]?$/s;
const PATH = /^(?:\.{0,2}\/)?(?:[\w@.+-]+\/)+[\w@.+-]*$/;
/** Path with a line: `src/cart.ts:42`, `src/cart.ts#L42`. */
const PLACE = /(?::|#L)(\d{1,7})(?:[-:]\d{1,7})?$/;
/** Words of languages, of command lines and of data, which name nothing although they look like names. */
const ORDINARY = new Set(
  'true false null undefined none nil self this super any void unknown never string number boolean object function class int str float bool list dict set tuple array map async await return yield if else for while try catch import export from default new typeof keyof extends const let var enum type interface public private protected static readonly get post put delete patch head options error exception index main test name id key value data type types args kwargs'.split(
    ' ',
  ),
);

/** Null for commands, values, punctuation, text. `isReference`: the markup says that it is code. */
export function mentionOf(text: string, isReference = false): Pick<Mention, 'kind' | 'text' | 'isCall' | 'to'> | null {
  const place = PLACE.exec(text);
  const path = place === null ? text : text.slice(0, place.index);
  if (PATH.test(path) && path.length > 3)
    return { kind: 'path', text: path, ...(place !== null && { to: Number(place[1]) }) };
  const match = NAME.exec(text);
  if (match === null) return null;
  const [, mark, name, rest] = match;
  const tail = TAIL.exec(rest);
  if (tail === null || name.length < 2) return null;
  if (!isReference && ORDINARY.has(name.toLowerCase())) return null;
  const isCall = mark !== undefined || tail[1] !== undefined;
  return { kind: isReference ? 'reference' : 'name', text: name, ...(isCall && { isCall }) };
}

/** Parts of a name, whatever is between them. */
export const partsOf = (text: string): string[] => text.split(/\.|::|#|->/);

/** `getItem`, `get_item`, `DataSource`: no word of a sentence is written so. */
export function isDistinctive(word: string): boolean {
  return /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[A-Z]{2}[a-z]/.test(word);
}

/** `Repository`: the name of a type by its form, and a word at the beginning of a sentence. */
export const isCapitalized = (word: string): boolean => /^[A-Z][a-z]/.test(word);

/** `c`, `ctx` and `context` of `Context`: its first letter, and others in their order. */
export function abbreviates(variable: string, type: string): boolean {
  const [short, long] = [variable.toLowerCase(), type.toLowerCase()];
  if (short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}
