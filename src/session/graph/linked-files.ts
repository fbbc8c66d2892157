/** Linked snapshots to and from the cache. What only relinking needs is read when something is relinked. */

import { log } from '../../base/log.js';
import { packSections, Sections } from '../../base/sections.js';
import { Graph } from '../../graph/graph.js';
import { LINK_VERSION } from '../../graph/link/version.js';
import type { LinkedSnapshot } from '../../graph/link-input.js';
import { decodeMemory, decodeTables, encodeMemory, encodeTables } from '../../graph/store/index.js';
import type { GraphTables } from '../../graph/types.js';
import type { GraphCache } from './graph-cache.js';

/** What is said about a graph beside it. */
export interface GraphNote {
  coverage: { covered: number; total: number };
  /** The local state that an incomplete graph depends on; null for one that nothing can make better. */
  state: string | null;
}

/** What the snapshot has beside its files, for linking it again with a few of them changed. */
export interface Surroundings {
  others: string[];
  manifests: { path: string; oid: string }[];
}

/** The graph of a committed snapshot. */
export interface LinkedGraph {
  key: string;
  graph: Graph;
  note: GraphNote;
  /** Null as long as it is only in a file. */
  relinking: { memory: unknown; surroundings: Surroundings } | null;
}

const WORK_MAGIC = 'GSCWORK1';

export function readGraph(cache: GraphCache, key: string): LinkedGraph | null {
  const file = cache.read('graph', key);
  const note = file && noteOf(file.note);
  const tables = note && decoded('graph', () => decodeTables(file.content));
  // Whoever asks about a commit may have uncommitted files next, which are linked from it.
  if (tables) cache.touch('memory', key);
  return tables && { key, graph: new Graph(tables), note, relinking: null };
}

export function writeGraph(cache: GraphCache, { key, graph, note, relinking }: LinkedGraph): void {
  cache.write('graph', key, encodeTables(graph.tables), note);
  if (relinking === null) return;
  const { memory, surroundings } = relinking;
  cache.write('memory', key, encodeMemory(memory), { version: LINK_VERSION, ...surroundings });
}

/** What a graph can be linked again from; null if it is no longer there. */
export function relinkable(cache: GraphCache, linked: LinkedGraph): LinkedGraph['relinking'] {
  linked.relinking ??= readRelinking(cache, linked.key);
  return linked.relinking;
}

function readRelinking(cache: GraphCache, key: string): LinkedGraph['relinking'] {
  const file = cache.read('memory', key);
  const { version, ...beside } = (file?.note ?? {}) as { version?: unknown };
  const surroundings = surroundingsOf(beside);
  if (file === null || version !== LINK_VERSION || surroundings === null) return null;
  const memory = decoded('memory', () => decodeMemory(file.content));
  return memory === null ? null : { memory, surroundings };
}

/** Null for a note that was never written here: the file may have come with the repository. */
function noteOf(value: unknown): GraphNote | null {
  const { coverage, state } = (value ?? {}) as Partial<GraphNote>;
  if (!isCount(coverage?.covered) || !isCount(coverage.total)) return null;
  if (state !== null && typeof state !== 'string') return null;
  return { coverage: { covered: coverage.covered, total: coverage.total }, state };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function surroundingsOf({ others, manifests }: Partial<Surroundings>): Surroundings | null {
  if (!Array.isArray(others) || !others.every((path) => typeof path === 'string')) return null;
  if (!Array.isArray(manifests)) return null;
  const areEntries = manifests.every((entry) => typeof entry?.path === 'string' && typeof entry.oid === 'string');
  return areEntries ? { others, manifests } : null;
}

/** The snapshot linked last of all in this repository, to link the next one from. */
export function readLatest(cache: GraphCache): LinkedSnapshot | null {
  for (const key of cache.keys('memory')) {
    const relinking = readRelinking(cache, key);
    const linked = relinking && readGraph(cache, key);
    if (linked) return { tables: linked.graph.tables, memory: relinking.memory };
  }
  return null;
}

/** The graph of a snapshot with uncommitted files, and the facts that no record has. */
export interface WorkFile {
  tables: GraphTables;
  /** Packed, by `factsKey`. */
  facts: ReadonlyMap<string, Uint8Array>;
}

export function encodeWork({ tables, facts }: WorkFile): Buffer {
  const lengths = Uint32Array.from(facts.values(), (bytes) => bytes.length);
  const sections = { tables: encodeTables(tables), lengths, facts: Buffer.concat([...facts.values()]) };
  return packSections(WORK_MAGIC, [...facts.keys()], sections);
}

export function decodeWork(bytes: Buffer): WorkFile | null {
  return decoded('work', () => {
    const sections = new Sections<string[]>(bytes, WORK_MAGIC, 'graph with uncommitted files');
    return { tables: decodeTables(sections.bytes('tables')), facts: factsOf(sections) };
  });
}

/** The facts alone: those of an older state are as good. */
export function decodeWorkFacts(bytes: Buffer): WorkFile['facts'] {
  return decoded('work', () => factsOf(new Sections<string[]>(bytes, WORK_MAGIC, 'facts of files'))) ?? new Map();
}

function factsOf(sections: Sections<string[]>): WorkFile['facts'] {
  const all = sections.u8('facts');
  let at = 0;
  return new Map(
    Array.from(sections.u32('lengths'), (length, i): [string, Uint8Array] => {
      at += length;
      return [sections.meta[i], all.subarray(at - length, at)];
    }),
  );
}

/** A file of another version, or one that somebody made, is as good as none. */
function decoded<T>(what: string, decode: () => T): T | null {
  try {
    return decode();
  } catch (error) {
    log.debug(`a cached ${what} is made anew: ${(error as Error).message}`);
    return null;
  }
}
