/**
 * Links the facts of all files of a snapshot to one graph. After a small change only the affected files are linked
 * again.
 */
import { Project } from '../../languages/roles/project.js';
import { factsKey, LINK_VERSION, type LinkedSnapshot, type LinkInput, type SourceFile } from '../link-input.js';
import type { GraphTables } from '../types.js';
import { assemble } from './assemble.js';
import { filesToLink } from './changes.js';
import { Context } from './context.js';
import type { LinkedEdge } from './edges.js';
import { type Before, factsByKey, hasFacts, SnapshotFiles } from './files.js';
import { importEdges } from './imports.js';
import type { LinkMemory } from './memory.js';
import { Nodes } from './nodes.js';
import { QUESTIONS } from './questions.js';
import { type Recorded, Recorder } from './recorder.js';
import { referenceEdges } from './references.js';
import { MemoryWriter } from './remember.js';
import { ResolutionTexts, resolveInputOf, resolverOver } from './resolutions.js';
import { Strings } from './strings.js';
import { Snapshot } from './symbol-table.js';

interface LinkedFile {
  edges: LinkedEdge[];
  recorded: Recorded;
}

/**
 * Links a snapshot. `previous` is a linked snapshot of any commit; it saves work and never changes the result. Throws
 * RECORD_CORRUPT if facts in it are damaged; the caller then links without it.
 */
export function linkSnapshot(input: LinkInput, previous: LinkedSnapshot | null): LinkedSnapshot {
  const before = usable(previous);
  const files = new SnapshotFiles(input, before);
  const nodes = nodesOf(files);
  const resolver = resolverOver(input, files, nodes);
  const fingerprint = resolver.fingerprint();
  if (previous !== null && before !== null && isSame(files, before, fingerprint)) return previous;
  const texts = new ResolutionTexts(resolver);
  const dirty = filesToLink(files, texts, fingerprint === before?.memory.fingerprint);
  const snapshot = new Snapshot(input.files, nodes, resolver, files.index);
  const linked = input.files.map((_, file) => (dirty[file] === 1 ? linkFile(snapshot, file) : null));
  const tables = assemble(files, nodes, (file) => linked[file]?.edges ?? null);
  const memory = new MemoryWriter(files, texts, fingerprint, LINK_VERSION);
  memory.addAll(linked.map((file) => file?.recorded ?? null));
  return { tables, memory: memory.finish() };
}

/** Reads a snapshot as linking reads it: all files need their facts. `project`: its files and manifests, as resolvers look at them. */
export function openSnapshot(input: LinkInput): { snapshot: Snapshot; project: Project } {
  const files = new SnapshotFiles(input, null);
  const nodes = nodesOf(files);
  const snapshot = new Snapshot(input.files, nodes, resolverOver(input, files, nodes), files.index);
  return { snapshot, project: new Project(resolveInputOf(input, files, nodes)) };
}

/** Are all files unchanged, and everything that import resolution depends on? */
function isSame({ kept, newer }: SnapshotFiles, { memory }: Before, fingerprint: string): boolean {
  return fingerprint === memory.fingerprint && kept.length === newer.length && !kept.includes(0);
}

/** Files whose facts `previous` lacks, so that `LinkInput.facts` needs them. */
export function missingFacts(files: readonly SourceFile[], previous: LinkedSnapshot | null): SourceFile[] {
  const before = usable(previous);
  const held = before === null ? null : factsByKey(before);
  return files.filter((file) => hasFacts(file) && !held?.has(factsKey(file)));
}

function usable(previous: LinkedSnapshot | null): Before | null {
  const memory = previous?.memory as LinkMemory | undefined;
  if (previous === null || memory?.version !== LINK_VERSION) return null;
  // The graph and the memory are read from two files, so they may belong to different snapshots.
  return memory.facts.length === previous.tables.files.length ? { tables: previous.tables, memory } : null;
}

function nodesOf(files: SnapshotFiles): Nodes {
  const { before } = files;
  const tables: GraphTables | null = before?.tables ?? null;
  const source = (file: number) => {
    if (files.kept[file] === 1) return { before: files.older[file], symbols: [], monikers: null, lines: 0 };
    const { symbols, facts, monikers } = files.index(file);
    return { before: -1, symbols, monikers, lines: facts.lines };
  };
  return new Nodes(files.files, source, tables, new Strings(tables?.strings ?? []));
}

function linkFile(snapshot: Snapshot, file: number): LinkedFile {
  const recorder = new Recorder(file);
  const ctx = new Context(snapshot, recorder, QUESTIONS);
  const uses = referenceEdges(ctx);
  return { edges: [...importEdges(ctx, uses), ...uses], recorded: recorder.finish() };
}
