/** Keeps the tags of the snapshot that was asked about last: in a file of the local state, sealed as other caches. */
import { readCacheFile, writeCacheFile } from '../../history/cache-file.js';
import type { TaggedPlace } from './derive.js';

export interface KeptTags {
  places: TaggedPlace[];
  coverage: { covered: number; total: number };
  /** Files in which an expression took too long. */
  unread: number;
}

/** Numbers of a row: path, name (-1 for a whole file), first and last line, number of rules; their indexes follow. */
const FIXED = 5;

export function readKeptTags(directory: string, key: string): KeptTags | null {
  return readCacheFile(directory, 'tags', ({ content, note }) => {
    const { key: own, coverage, unread } = note as { key: string } & Omit<KeptTags, 'places'>;
    if (own !== key) throw new Error('of another snapshot, or of other rules');
    return { places: decode(content), coverage, unread };
  });
}

export function writeKeptTags(directory: string, key: string, { places, coverage, unread }: KeptTags): void {
  writeCacheFile(directory, 'tags', encode(places), { key, coverage, unread });
}

function encode(places: readonly TaggedPlace[]): Buffer {
  const texts = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = texts.get(text) ?? texts.size;
    texts.set(text, known);
    return known;
  };
  const rows = places.flatMap(({ path, symbol, startLine, endLine, rules }) => [
    ...[numberOf(path), symbol === null ? -1 : numberOf(symbol), startLine, endLine, rules.length],
    ...rules,
  ]);
  return Buffer.from(JSON.stringify({ texts: [...texts.keys()], rows }));
}

function decode(content: Buffer): TaggedPlace[] {
  const { texts, rows } = JSON.parse(content.toString('utf8')) as { texts: string[]; rows: number[] };
  const places: TaggedPlace[] = [];
  for (let at = 0; at < rows.length; ) {
    const [path, symbol, startLine, endLine, count] = rows.slice(at, at + FIXED);
    const rules = rows.slice(at + FIXED, at + FIXED + count);
    places.push({ path: texts[path], symbol: symbol < 0 ? null : texts[symbol], startLine, endLine, rules });
    at += FIXED + count;
  }
  return places;
}
