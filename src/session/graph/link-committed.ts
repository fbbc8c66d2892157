/** Links an indexed snapshot as committed. Imported only when something is linked. */
import { Graph } from '../../graph/graph.js';
import type { LinkedSnapshot, SourceFile } from '../../graph/link-input.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import { hasRelations } from '../../languages/registry.js';
import { type SyntaxStore, syntaxStore } from '../../record/store.js';
import type { LexicalShard } from '../../shard/lexical.js';
import { compilerReader, openCompilerStore, withCompilerRecords } from '../records/compiler-records.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { collectFacts } from './graph-facts.js';
import { manifestsOf, otherPaths, readManifests, sourceFiles } from './graph-files.js';
import { linkFiles } from './link-files.js';
import type { LinkedGraph } from './linked-files.js';

interface CommittedRequest {
  origin: SnapshotOrigin;
  shards: readonly LexicalShard[];
  /** Finds a graph linked before, of any commit: the fewer of these files differ in it, the less is linked again. */
  previous: (files: readonly SourceFile[]) => LinkedSnapshot | null;
  /** Null for a graph of what is read so far: nothing else is parsed for it, and a file with a record counts as read. */
  parsers: (() => ParserPool) | null;
  signal?: AbortSignal;
}

/** Throws the errors of parsing, GIT_FAILED and CANCELLED. */
export async function linkCommitted(
  session: Session,
  { origin, shards, previous, parsers, signal }: CommittedRequest,
): Promise<Pick<LinkedGraph, 'graph' | 'relinking'>> {
  const { objects } = session;
  const [{ catalog, config }, entries] = await Promise.all([
    session.filesOf(origin),
    objects.list(origin.resolved.tree),
  ]);
  const { maxFileBytes } = config;
  const store = syntaxStore(session.repository, objects, session.profile);
  const indexed = sourceFiles(catalog.files, shards, maxFileBytes);
  const known = parsers === null ? await withRecords(indexed, store) : indexed;
  const files = await compiledFiles(session, origin, known);
  const others = otherPaths(entries, files);
  const manifests = manifestsOf(entries);
  const { tables, memory } = await linkFiles(
    { files, others, manifests: await readManifests(manifests, objects) },
    (missing) =>
      collectFacts(missing, { objects, store, compiled: compilerReader(session), parsers, maxFileBytes, signal }),
    previous(files),
  );
  return { graph: new Graph(tables), relinking: { memory, unlinked: { others: [...others], manifests } } };
}

/** Records are written more often than shards are published: a file that has one was parsed. */
async function withRecords(files: readonly SourceFile[], store: SyntaxStore): Promise<SourceFile[]> {
  await store.load();
  return files.map((file) => {
    const isRead = file.state === 'unreadable' && store.has(file.oid);
    return isRead ? { ...file, state: hasRelations(file.language) ? 'linked' : 'none' } : file;
  });
}

async function compiledFiles(
  session: Session,
  { compiled }: SnapshotOrigin,
  files: readonly SourceFile[],
): Promise<readonly SourceFile[]> {
  if (compiled === undefined) return files;
  const store = openCompilerStore(session);
  await store.load();
  return withCompilerRecords(files, store);
}
