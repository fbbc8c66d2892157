/** JSON as people write it into configurations: comments and trailing commas are nothing. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Undefined for what can't be understood. */
export function parseJson(text: string): Json | undefined {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return parseStrict(json) ?? parseStrict(withoutComments(json));
}

function parseStrict(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A field that the object has itself; undefined for everything else, whatever `value` is. */
export function field(value: Json | undefined, name: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The strings of an array; none for everything else. */
export function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Fields in the order of the text; none for everything else. */
export function entries(value: Json | undefined): [string, Json][] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}

const PLAIN = /[^"/,\s}\]]+|[\s}\]/]/y;

/** One pass: a comma is kept back until it is known not to stand before a closing bracket. */
function withoutComments(json: string): string {
  const kept: string[] = [];
  let comma = false;
  for (let at = 0; at < json.length; ) {
    const comment = commentEnd(json, at);
    if (comment > at) {
      at = comment;
      continue;
    }
    const end = json[at] === '"' ? stringEnd(json, at) : json[at] === ',' ? at + 1 : plainEnd(json, at);
    const token = json.slice(at, end);
    at = end;
    const isSpace = token.trim() === '';
    if (comma && !isSpace) {
      if (token !== '}' && token !== ']') kept.push(',');
      comma = false;
    }
    if (token === ',') comma = true;
    else kept.push(token);
  }
  return kept.join('');
}

/** One past the comment at `at`; `at` itself if there is none. */
function commentEnd(json: string, at: number): number {
  if (json[at] !== '/') return at;
  if (json[at + 1] === '/') {
    const end = json.indexOf('\n', at);
    return end < 0 ? json.length : end;
  }
  if (json[at + 1] !== '*') return at;
  const end = json.indexOf('*/', at + 2);
  return end < 0 ? json.length : end + 2;
}

function stringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === '\\') at++;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

function plainEnd(json: string, at: number): number {
  PLAIN.lastIndex = at;
  return PLAIN.test(json) ? PLAIN.lastIndex : at + 1;
}
