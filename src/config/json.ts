/**
 * Parses JSON from a repository, up to a size, and reports the line and column of the first error: on Node 20,
 * `JSON.parse` gives no position for most errors.
 */

interface JsonFault {
  reason: string;
  /** Both 1-based; columns count UTF-16 code units. */
  line: number;
  column: number;
}

const MAX_JSON_BYTES = 65_536;
const MAX_DEPTH = 8;

const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
const SPACE = /[ \t\r\n]*/y;

/** Token that is expected next. The `first…` states follow an opening bracket, which may also close at once. */
type State = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end';
const EXPECTED: Record<State, string> = {
  value: 'a value',
  'first value': 'a value or "]"',
  key: 'a key in double quotes',
  'first key': 'a key in double quotes or "}"',
  colon: '":"',
  comma: '"," or the closing bracket',
  end: 'the end',
};

/** State after a token; null if the token is not allowed here. `stack` holds the open brackets. */
function step(state: State, punctuation: string, isString: boolean, stack: string[]): State | null {
  const wantsValue = state === 'value' || state === 'first value';
  if (punctuation === '') {
    if (state === 'key' || state === 'first key') return isString ? 'colon' : null;
    return wantsValue ? (stack.length === 0 ? 'end' : 'comma') : null;
  }
  if (punctuation === '{' || punctuation === '[') {
    if (!wantsValue) return null;
    stack.push(punctuation);
    return punctuation === '{' ? 'first key' : 'first value';
  }
  if (punctuation === ':') return state === 'colon' ? 'value' : null;
  const open = stack.at(-1);
  if (punctuation === ',') return state === 'comma' ? (open === '{' ? 'key' : 'value') : null;
  const closes = punctuation === '}' ? open === '{' && state !== 'key' : open === '[' && state !== 'value';
  if (!closes || state === 'colon' || (punctuation === '}' && wantsValue)) return null;
  stack.pop();
  return stack.length === 0 ? 'end' : 'comma';
}

function faultAt(text: string, offset: number, reason: string): JsonFault {
  const before = text.slice(0, offset);
  return { reason, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Offset behind white space. */
function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(text)?.[0].length ?? 0);
}

/** First error of `text`, null if it is JSON. */
export function jsonFault(text: string): JsonFault | null {
  if (Buffer.byteLength(text) > MAX_JSON_BYTES)
    return { reason: `more than ${MAX_JSON_BYTES} bytes`, line: 1, column: 1 };
  const stack: string[] = [];
  let state: State = 'value';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const next: State | null = match === null ? null : step(state, match[1] ?? '', match[2] !== undefined, stack);
    if (match === null || next === null) return faultAt(text, at, `expected ${EXPECTED[state]}`);
    if (stack.length > MAX_DEPTH) return faultAt(text, at, `more than ${MAX_DEPTH} levels`);
    state = next;
    at = skipSpace(text, TOKEN.lastIndex);
  }
  return state === 'end' ? null : faultAt(text, at, `ends where ${EXPECTED[state]} is expected`);
}
