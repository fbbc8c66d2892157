/** Chains of names as they are written (see `extract/relations.ts`), cut into their links. */

export interface Segment {
  name: string;
  /** Calls and indexes after it. */
  marks: readonly ('()' | '[]')[];
}

export interface AccessPath {
  /** Begins with `new`. */
  makes: boolean;
  segments: readonly Segment[];
}

/** Chains are at most 200 units long; one with more links than this is no expression that anybody follows. */
const MAX_SEGMENTS = 40;
const SEGMENT = /^([^\s()[\]?]+)((?:\(\)|\[\])*)$/;

/** Texts are mostly the same few: remembering them saves parsing each many times. */
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, AccessPath | null>();

/** Null for what can't be followed. */
export function parseAccessPath(text: string): AccessPath | null {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const parsed = parse(text);
  remembered.set(text, parsed);
  return parsed;
}

function parse(text: string): AccessPath | null {
  const makes = text.startsWith('new ');
  const texts = (makes ? text.slice(4) : text).split('.');
  if (texts.length > MAX_SEGMENTS) return null;
  const segments: Segment[] = [];
  for (const part of texts) {
    const match = SEGMENT.exec(part);
    if (match === null) return null;
    segments.push({ name: match[1], marks: (match[2].match(/../g) ?? []) as ('()' | '[]')[] });
  }
  return { makes, segments };
}
