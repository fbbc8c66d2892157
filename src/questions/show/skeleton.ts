/** Files without the bodies of their functions, but for the lines that were asked for. */
import type { BlobFacts } from '../../extract/facts.js';
import type { Located } from './locate.js';
import { TextLines, unite } from './parts.js';
import type { LineRange } from './target.js';

const BODIES: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'macro']);
/** Shorter bodies are shown: a mark for what is left out would be as long. */
const SHORTEST = 2;
/** A line that only closes a body. */
const CLOSES = /^\s*(?:[)\]}]+[;,]?|end)\s*$/;

/** One target for each file: the targets in it are shown as a whole. Files whose symbols are not known stay as they are. */
export async function skeletons(
  located: readonly Located[],
  factsOf: (path: string) => Promise<BlobFacts | null>,
): Promise<Located[]> {
  const byFile = new Map<string, Located[]>();
  for (const each of located) byFile.set(each.file.path, [...(byFile.get(each.file.path) ?? []), each]);
  const files = [...byFile.values()].map(async (targets) => {
    const [{ target, file }] = targets;
    const facts = await factsOf(file.path);
    if (facts === null) return targets;
    const kept = targets.flatMap(({ ranges }) => ranges).filter(({ start, end }) => start > 1 || end !== Infinity);
    return [{ target, file, symbol: null, ranges: skeletonOf(facts, file.bytes, kept) }];
  });
  return (await Promise.all(files)).flat();
}

function skeletonOf({ symbols }: BlobFacts, bytes: Buffer, kept: readonly LineRange[]): LineRange[] {
  const text = new TextLines(bytes);
  const lineAt = lineCounter(bytes);
  const functions = symbols.filter(({ kind }) => BODIES.has(kind)).sort((a, b) => a.signature.end - b.signature.end);
  const hidden = functions.flatMap(({ signature, endLine }) => {
    const first = lineAt(signature.end) + 1;
    const last = CLOSES.test(text.slice({ start: endLine, end: endLine })) ? endLine - 1 : endLine;
    return last - first + 1 < SHORTEST ? [] : [{ start: first, end: last }];
  });
  return unite([...complement(unite(hidden), text.count), ...kept]);
}

const NEWLINE = 0x0a;

/** Counts lines up to offsets, of which each is asked for in ascending order: linear in the file. */
export function lineCounter(bytes: Buffer): (offset: number) => number {
  let line = 1;
  let next = bytes.indexOf(NEWLINE);
  return (offset) => {
    for (; next >= 0 && next < offset; next = bytes.indexOf(NEWLINE, next + 1)) line++;
    return line;
  };
}

/** Lines from 1 to `count` that are in no range. */
function complement(ranges: readonly LineRange[], count: number): LineRange[] {
  const rest: LineRange[] = [];
  let next = 1;
  for (const { start, end } of [...ranges, { start: count + 1, end: count + 1 }]) {
    if (start > next) rest.push({ start: next, end: start - 1 });
    next = Math.max(next, end + 1);
  }
  return rest;
}
