/** Statistics and path terms of one live set, computed once and shared by all queries against the snapshot. */
import { identifierParts, textTerms, wholeTerm } from '../extract/terms.js';
import type { LiveSet } from '../shard/live.js';
import { classifyFiles, type PathClass } from './path-classes.js';

/** A file's path as terms, split where ranking tells the parts apart. */
export interface PathTerms {
  /** Terms of the file name without extension. */
  stem: string[];
  /** Terms of the directories, the parent last. */
  directories: string[];
  /** Terms of the parent directory alone. */
  parent: string[];
  /** Words of the file name, without the whole name that `stem` has too. */
  words: string[];
}

export interface Corpus {
  live: LiveSet;
  /** Average field lengths over the live documents, in terms. */
  averageBody: number;
  averageName: number;
  averageEnclosing: number;
  averagePath: number;
  /** Per file. */
  paths: PathTerms[];
  classes: PathClass[];
  /** Path term -> files that have it, with its frequency in the path field. */
  pathIndex: Map<string, Map<number, number>>;
}

/** The file name counts twice in the path field: it is chosen for what the file is about. */
export const STEM_WEIGHT = 2;

export function createCorpus(live: LiveSet): Corpus {
  const paths = live.files.map((file) => pathTerms(file.path));
  const pathIndex = new Map<string, Map<number, number>>();
  for (const [file, terms] of paths.entries()) {
    for (const term of terms.stem) addPathTerm(pathIndex, term, file, STEM_WEIGHT);
    for (const term of terms.directories) addPathTerm(pathIndex, term, file, 1);
  }
  const classes = classifyFiles(live);
  return { live, paths, classes, pathIndex, ...averages(live, paths) };
}

export function pathTerms(path: string): PathTerms {
  const segments = path.split('/');
  const name = segments.pop() as string;
  const dot = name.lastIndexOf('.');
  const bare = dot > 0 ? name.slice(0, dot) : name;
  const wholes = new Set(
    bare
      .split(/[^\p{L}\p{N}_$]+/u)
      .filter((run) => identifierParts(run).length > 1)
      .map(wholeTerm),
  );
  const stem = textTerms(bare);
  return {
    stem,
    words: stem.filter((term) => !wholes.has(term)),
    directories: segments.flatMap((segment) => textTerms(segment)),
    parent: textTerms(segments[segments.length - 1] ?? ''),
  };
}

/** Length of the path field, as BM25F counts it. */
export function pathLength(terms: PathTerms): number {
  return terms.stem.length * STEM_WEIGHT + terms.directories.length;
}

function addPathTerm(index: Corpus['pathIndex'], term: string, file: number, weight: number): void {
  let files = index.get(term);
  if (files === undefined) {
    files = new Map();
    index.set(term, files);
  }
  files.set(file, (files.get(file) ?? 0) + weight);
}

function averages(live: LiveSet, paths: readonly PathTerms[]) {
  let body = 0;
  let name = 0;
  let enclosing = 0;
  let path = 0;
  for (const [index, file] of live.files.entries()) {
    const shard = live.shards[file.shard];
    const from = shard.unitFirst[file.unit];
    const count = shard.unitDocuments[file.unit];
    path += pathLength(paths[index]) * count;
    for (let i = from; i < from + count; i++) {
      body += shard.columns.bodyLength[i];
      name += shard.columns.nameLength[i];
      enclosing += shard.columns.enclosingLength[i];
    }
  }
  const n = Math.max(1, live.count);
  return { averageBody: body / n, averageName: name / n, averageEnclosing: enclosing / n, averagePath: path / n };
}
