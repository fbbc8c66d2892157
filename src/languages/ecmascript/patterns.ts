/** Patterns of ECMAScript: `{ a, b: c, ...rest }`, `[a, b]`. */

import type { Reading } from '../roles/relations.js';
import { skipSpace, splitList } from '../roles/scan.js';
import { isGlobal } from './callbacks.js';

/** Patterns in patterns. */
const DEEPEST_PATTERN = 4;
const NAME = /[\p{L}_$#][\p{L}\p{N}_$]*/uy;

interface FoundName {
  at: number;
  name: string;
  /** The property it is taken from, '' for rests and elements of arrays. */
  key: string;
  value: string;
  /** 0: not in a pattern inside of the pattern. */
  depth: number;
}

/** Names that the pattern [from, to) binds, with brackets; `value` is the chain of what is taken apart, '' if it isn't known. */
export function patternNames(reading: Reading, from: number, to: number, value: string, depth = 0): FoundName[] {
  const { source, rules } = reading;
  const found: FoundName[] = [];
  if (depth > DEEPEST_PATTERN) return found;
  const isObject = source[from] === '{';
  const element = isObject || value === '' || isGlobal(value) ? '' : `${value}[]`;
  for (const part of splitList(source, from + 1, to - 1, ',', rules.spelling)) {
    let at = part.start;
    let key = '';
    const isRest = source.startsWith('...', at);
    if (isRest) at = skipSpace(source, at + 3, part.end, rules.spelling);
    if (isObject && !isRest) {
      PROPERTY.lastIndex = at;
      const match = PROPERTY.exec(source);
      if (match === null) continue;
      key = match[1];
      if (match[2] === ':') at = skipSpace(source, at + match[0].length, part.end, rules.spelling);
    }
    const inner = isObject && value !== '' && key !== '' ? `${value}.${key}` : isRest ? '' : element;
    if (source[at] === '{' || source[at] === '[') {
      found.push(...patternNames(reading, at, reading.closing(at, part.end), inner, depth + 1));
      continue;
    }
    const name = nameAt(source, at);
    if (name !== '') found.push({ at, name, key, value: inner, depth });
  }
  return found;
}

const PROPERTY = /(?:["']?)([\p{L}_$][\p{L}\p{N}_$-]*)["']?\s*(:?)/uy;

export function nameAt(source: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(source)?.[0] ?? '';
}

/** A type that can be looked up by its name. */
const NAMED_TYPE = /^[\p{L}_$][\p{L}\p{N}_$.]*(?:<[^{}]*>)?$/u;

/**
 * `{ total, items }: Cart` and `{ total }: { total: Money }`. What is taken apart has no name by which its parts could be followed: it
 * gets one that no source can write.
 */
export function takenApart(from: number, to: number, type: string, value: string, reading: Reading): void {
  const isNamed = type !== '' && NAMED_TYPE.test(type) && reading.source[from] === '{';
  const whole = isNamed ? `#${from}` : '';
  if (isNamed) reading.local(from, whole, type, '');
  const types = type[0] === '{' ? memberTypes(type, reading) : null;
  for (const found of patternNames(reading, from, to, isNamed ? whole : value)) {
    const written = found.depth === 0 ? types?.get(found.key) : undefined;
    reading.local(found.at, found.name, written ?? '', found.value);
  }
}

/** Types by the names of members: `{ total: Money; items?: Item[] }`. */
function memberTypes(type: string, { rules }: Reading): Map<string, string> {
  const types = new Map<string, string>();
  const end = type.endsWith('}') ? type.length - 1 : type.length;
  for (const line of splitList(type, 1, end, ';', rules.spelling, true)) {
    for (const { start, end: to } of splitList(type, line.start, line.end, ',', rules.spelling, true)) {
      const member = /^(?:readonly\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*\??\s*:\s*(.+)$/su.exec(type.slice(start, to));
      if (member !== null) types.set(member[1], member[2]);
    }
  }
  return types;
}
