/** Reads and writes cached graphs. The memory for relinking is read only when something is relinked. */
import { packSections, Sections } from '../../base/binary.js';
import type { StateFile, StateFiles } from '../../base/cache.js';
import { Graph } from '../../graph/graph.js';
import { decodeMemory, decodeTables, encodeMemory, encodeTables } from '../../graph/store.js';
import type { GraphTables, LinkedSnapshot, SourceFile } from '../../graph/tables.js';
import { GRAPHS, MEMORIES } from '../state-kinds.js';

/** Facts about a graph that are cached with it. */
export interface GraphNote {
  coverage: { covered: number; total: number };
  /** Local state that an incomplete graph depends on; null if no other record can improve the graph. */
  state: string | null;
}

/** Tree entries of a snapshot that are not linked. Relinking with a few changed files needs them. */
export interface UnlinkedEntries {
  others: string[];
  manifests: { path: string; oid: string }[];
}

/** The graph of a committed snapshot. */
export interface LinkedGraph {
  key: string;
  graph: Graph;
  note: GraphNote;
  /** Memory for linking the next graph; null until it is read from its file. */
  relinking: { memory: unknown; unlinked: UnlinkedEntries } | null;
  /** Set on a graph that has only the files that were read so far; the whole graph follows. */
  isPart?: true;
}

const WORK_MAGIC = 'GSCWORK1';

export function readGraph(state: StateFiles, key: string): LinkedGraph | null {
  const linked = state.read(GRAPHS, key, (file) => {
    const found = graphIn(file);
    return found && { key, graph: new Graph(found.tables), note: found.note, relinking: null };
  });
  // The next question may have uncommitted files, which are linked from this memory. Marked as used, it is not pruned.
  if (linked !== null) state.touch(MEMORIES, key);
  return linked;
}

function graphIn({ content, note }: StateFile): { tables: GraphTables; note: GraphNote } | null {
  const about = noteOf(note);
  return about && { tables: decodeTables(content), note: about };
}

export function writeGraph(state: StateFiles, { key, graph, note, relinking }: LinkedGraph): void {
  state.write(GRAPHS, key, encodeTables(graph.tables), note);
  if (relinking !== null) state.write(MEMORIES, key, encodeMemory(relinking.memory), relinking.unlinked);
}

/** Returns the memory that a graph can be relinked from; null if its file is gone. */
export function relinkable(state: StateFiles, linked: LinkedGraph): LinkedGraph['relinking'] {
  linked.relinking ??= readRelinking(state, linked.key);
  return linked.relinking;
}

function readRelinking(state: StateFiles, key: string): LinkedGraph['relinking'] {
  return state.read(MEMORIES, key, ({ content, note }) => {
    const unlinked = unlinkedEntriesOf((note ?? {}) as Partial<UnlinkedEntries>);
    return unlinked && { memory: decodeMemory(content), unlinked };
  });
}

/** Returns null for metadata that this program never writes: the file may have come with the repository. */
function noteOf(value: unknown): GraphNote | null {
  const { coverage, state } = (value ?? {}) as Partial<GraphNote>;
  if (!isCount(coverage?.covered) || !isCount(coverage.total)) return null;
  if (state !== null && typeof state !== 'string') return null;
  return { coverage: { covered: coverage.covered, total: coverage.total }, state };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function unlinkedEntriesOf({ others, manifests }: Partial<UnlinkedEntries>): UnlinkedEntries | null {
  if (!Array.isArray(others) || !others.every((path) => typeof path === 'string')) return null;
  if (!Array.isArray(manifests)) return null;
  const areEntries = manifests.every((entry) => typeof entry?.path === 'string' && typeof entry.oid === 'string');
  return areEntries ? { others, manifests } : null;
}

/** Number of differing files up to which no nearer graph is looked for: reading one takes as long as linking 60 files. */
const NEAR = 60;

/** Returns whether so few files differ that a search for a nearer graph does not pay. */
export function isNear(before: GraphTables['files'], files: readonly SourceFile[]): boolean {
  return countDiffering(before, files) <= NEAR;
}

/** Finds the graph with the fewest differing files among those used last. */
export function readNearest(state: StateFiles, files: readonly SourceFile[]): LinkedSnapshot | null {
  const found: { key: string; tables: GraphTables; distance: number }[] = [];
  for (const key of state.keys(MEMORIES)) {
    const tables = state.read(GRAPHS, key, graphIn, { marks: false })?.tables;
    if (tables === undefined) continue;
    const distance = countDiffering(tables.files, files);
    found.push({ key, tables, distance });
    if (distance <= NEAR) break;
  }
  for (const { key, tables } of found.sort((a, b) => a.distance - b.distance)) {
    const relinking = readRelinking(state, key);
    if (relinking !== null) return { tables, memory: relinking.memory };
  }
  return null;
}

/** Counts the files that one of the two snapshots lacks, and those whose content differs. */
function countDiffering(before: readonly Pick<SourceFile, 'path' | 'oid'>[], files: readonly SourceFile[]): number {
  const oids = new Map(before.map(({ path, oid }) => [path, oid]));
  const same = files.filter(({ path, oid }) => oids.get(path) === oid).length;
  return Math.max(before.length, files.length) - same;
}

/** Graph of a snapshot with uncommitted files, and the facts of those files, which have no records. */
interface WorkFile {
  tables: GraphTables;
  /** Packed facts by `factsKey`. */
  facts: ReadonlyMap<string, Uint8Array>;
}

export function encodeWork({ tables, facts }: WorkFile): Buffer {
  const lengths = Uint32Array.from(facts.values(), (bytes) => bytes.length);
  const sections = { tables: encodeTables(tables), lengths, facts: Buffer.concat([...facts.values()]) };
  return packSections(WORK_MAGIC, [...facts.keys()], sections);
}

export function decodeWork(bytes: Buffer): WorkFile {
  const sections = new Sections<string[]>(bytes, WORK_MAGIC, 'graph with uncommitted files');
  return { tables: decodeTables(sections.bytes('tables')), facts: factsOf(sections) };
}

/** Decodes only the facts. Those of an older state can be used again. */
export function decodeWorkFacts(bytes: Buffer): WorkFile['facts'] {
  return factsOf(new Sections<string[]>(bytes, WORK_MAGIC, 'facts of files'));
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
