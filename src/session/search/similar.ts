/** Finds the chunks nearest to a place in the code. */
import { SocraticodeError } from '../../base/errors.js';
import { nearestPaths } from '../../base/spelling.js';
import { type Prefix, spellings } from '../../graph/query/node-place.js';
import { allPaths } from '../../search/filter.js';
import type { RankedChunk } from '../../search/scoring.js';
import { documentsOf, type LiveSet, locate } from '../../shard/live-set.js';
import type { VectorIndex } from '../../shard/nearest.js';
import type { Neighbour } from '../../shard/vector-shard.js';

export interface Location {
  path: string;
  /** Counted from 1. */
  line: number;
}

/** Parses `src/a.ts:12`, or a path, which stands for its first line. Throws BAD_ARGUMENT. */
export function parseLocation(text: string): Location {
  const match = /^(?<path>.+?)(?::(?<line>\d+))?(?::\d+)?$/s.exec(text.trim());
  const line = Number(match?.groups?.line ?? 1);
  const path = match?.groups?.path?.replace(/^\.\//, '');
  if (!path || !Number.isSafeInteger(line) || line < 1) {
    throw new SocraticodeError('BAD_ARGUMENT', `not a place in a file: ${text}`, {
      hint: 'Name a file of the repository and a line: git socraticode similar src/index.ts:42',
    });
  }
  return { path, line };
}

/** Returns the place with its path from the top and the number of its file. Throws BAD_ARGUMENT if the file is not indexed. */
export function findPlace(live: LiveSet, { path, line }: Location, prefix?: Prefix): Location & { file: number } {
  for (const spelling of spellings(path, prefix)) {
    const file = findFile(live, spelling);
    if (file >= 0) return { path: spelling, line, file };
  }
  const near = nearestPaths(allPaths(live), path);
  throw new SocraticodeError('BAD_ARGUMENT', `no file ${path} is indexed in this snapshot`, {
    hint: near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'Paths start at the current directory or at the top.',
    file: path,
  });
}

/** Returns the smallest document of a file around a line; if there is none, the nearest. */
export function documentAt(live: LiveSet, { file, line }: { file: number; line: number }): number {
  const { first, end } = documentsOf(live, file);
  let best = first;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let document = first; document < end; document++) {
    const { shard, local } = locate(live, document);
    const from = shard.columns.startLine[local];
    const to = shard.columns.endLine[local];
    // Among chunks around the line the smallest is nearest. Chunks elsewhere are farther than all of these.
    const distance = line < from ? 1e9 + from - line : line > to ? 1e9 + line - to : to - from;
    if (distance < bestDistance) [best, bestDistance] = [document, distance];
  }
  return best;
}

function findFile(live: LiveSet, path: string): number {
  for (let file = 0; file < live.files.length; file++) if (live.files.paths(file).includes(path)) return file;
  return -1;
}

export function asRanked(live: LiveSet, document: number, similarity: number): RankedChunk {
  return { document, file: live.fileOf[document], score: similarity, explain: { similarity } };
}

interface NearestOptions {
  count: number;
  accept: ((document: number, file: number) => boolean) | undefined;
  fileOf: Int32Array;
}

/** Factor by which more neighbours are requested until enough pass the filter. */
const FILTER_GROWTH = 8;

/** Returns up to `count` accepted neighbours of a document with a positive similarity, best first. */
export function nearestTo(
  vectors: VectorIndex,
  document: number,
  { count, accept, fileOf }: NearestOptions,
): Neighbour[] {
  for (let requested = count; ; requested *= FILTER_GROWTH) {
    const all = vectors.similarTo(document, requested);
    const near = all.filter(({ score }) => score > 0);
    const found = near.filter((neighbour) => accept?.(neighbour.document, fileOf[neighbour.document]) ?? true);
    if (found.length >= count || near.length < requested) return found.slice(0, count);
  }
}
