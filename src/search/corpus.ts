/**
 * A live set with the data that every query against it needs: average lengths, path postings, classes, centrality.
 * Built once per snapshot. As a cached view it loads in milliseconds, while listing a tree of 30,000 files takes a
 * second.
 */
import { SocraticodeError } from '../base/errors.js';
import { packSections, Sections } from '../base/sections.js';
import type { LexicalShard } from '../shard/lexical.js';
import { documentsOf, FileTable, type LiveSet, liveSetOf } from '../shard/live.js';
import { StringTable } from '../shard/strings.js';
import { PathPostings } from './paths.js';

/** Classes of files, told by their paths; the rules are in `path-classes.ts`. The order gives the codes in cached views. */
export const PATH_CLASSES = [
  'source',
  'test',
  'example',
  'legacy',
  'generated',
  'vendored',
  'declaration',
  'forwarding',
  'document',
  'data',
] as const;
export type PathClass = (typeof PATH_CLASSES)[number];

/** Average field lengths over the live documents, in terms. */
interface Averages {
  body: number;
  name: number;
  enclosing: number;
  path: number;
}

export interface Corpus {
  live: LiveSet;
  averages: Averages;
  pathPostings: PathPostings;
  /** Length of the path field in terms, by file. */
  pathLengths: Uint16Array;
  /** Index into PATH_CLASSES, by file. */
  classes: Uint8Array;
  /** Centrality by file; the values sum to 1. */
  centrality: Float64Array;
}

export function averageLengths(live: LiveSet, pathLengths: Uint16Array): Averages {
  const sum: Averages = { body: 0, name: 0, enclosing: 0, path: 0 };
  for (let file = 0; file < live.files.length; file++) {
    const index = live.files.shard[file];
    const { columns } = live.shards[index];
    const { first, end } = documentsOf(live, file);
    sum.path += pathLengths[file] * (end - first);
    for (let local = first - live.bases[index]; local < end - live.bases[index]; local++) {
      sum.body += columns.bodyLength[local];
      sum.name += columns.nameLength[local];
      sum.enclosing += columns.enclosingLength[local];
    }
  }
  const n = Math.max(1, live.count);
  return { body: sum.body / n, name: sum.name / n, enclosing: sum.enclosing / n, path: sum.path / n };
}

/** Kind and version of cached views. Change it with their content, including path terms and centrality. */
const VIEW_MAGIC = 'GSCVIEW8';

interface ViewMeta<T> {
  averages: Averages;
  /** Data that the caller stores together with the corpus. */
  extra: T;
}

/** Encodes the corpus without its shards. */
export function encodeView<T>({ live, averages, ...corpus }: Corpus, extra: T): Buffer {
  const { files } = live;
  return packSections(VIEW_MAGIC, { averages, extra } satisfies ViewMeta<T>, {
    fileShard: files.shard,
    fileUnit: files.unit,
    pathStart: files.pathStart,
    ...files.table.sections('path'),
    ...corpus.pathPostings.sections(),
    pathLengths: corpus.pathLengths,
    classes: corpus.classes,
    centrality: new Uint8Array(corpus.centrality.buffer, corpus.centrality.byteOffset, corpus.centrality.byteLength),
  });
}

/** Decodes a view over exactly the shards that it was made from. Throws SHARD_CORRUPT if the shards do not match. */
export function decodeView<T>(
  file: Buffer,
  shards: readonly LexicalShard[],
  name: string,
): { corpus: Corpus; extra: T } {
  const sections = new Sections<ViewMeta<T>>(file, VIEW_MAGIC, name);
  const table = StringTable.of(sections, 'path');
  const files = new FileTable(
    shards,
    sections.u32('fileShard'),
    sections.u32('fileUnit'),
    sections.u32('pathStart'),
    table,
  );
  for (let i = 0; i < files.length; i++) {
    const units = shards[files.shard[i]]?.meta.units ?? 0;
    if (files.unit[i] >= units) throw new SocraticodeError('SHARD_CORRUPT', `${name} does not fit its shards`);
  }
  const centrality = sections.bytes('centrality');
  const corpus: Corpus = {
    live: liveSetOf(shards, files),
    averages: sections.meta.averages,
    pathPostings: PathPostings.read(sections),
    pathLengths: sections.u16('pathLengths'),
    classes: sections.u8('classes'),
    centrality: new Float64Array(centrality.buffer, centrality.byteOffset, centrality.byteLength / 8),
  };
  return { corpus, extra: sections.meta.extra };
}
