/** Links an indexed snapshot as committed. Imported only when something is linked. */
import { Graph } from '../../graph/graph.js';
import type { LinkedSnapshot, SourceFile } from '../../graph/link-input.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import { syntaxStore } from '../../record/store.js';
import { compilerReader, openCompilerStore, withCompilerRecords } from '../records/compiler-records.js';
import type { Session } from '../session.js';
import type { IndexedSnapshot, SnapshotOrigin } from '../snapshot/snapshot.js';
import { collectFacts } from './graph-facts.js';
import { manifestsOf, otherPaths, readManifests, sourceFiles } from './graph-files.js';
import { linkFiles } from './link-files.js';
import type { LinkedGraph } from './linked-files.js';

interface CommittedRequest {
  origin: SnapshotOrigin;
  snapshot: IndexedSnapshot;
  /** Finds a graph linked before, of any commit: the fewer of these files differ in it, the less is linked again. */
  previous: (files: readonly SourceFile[]) => LinkedSnapshot | null;
  parsers: () => ParserPool;
  signal?: AbortSignal;
}

/** Throws the errors of parsing, GIT_FAILED and CANCELLED. */
export async function linkCommitted(
  session: Session,
  { origin, snapshot, previous, parsers, signal }: CommittedRequest,
): Promise<Pick<LinkedGraph, 'graph' | 'relinking'>> {
  const { objects } = session;
  const [{ catalog, config }, entries] = await Promise.all([
    session.filesOf(origin),
    objects.list(origin.resolved.tree),
  ]);
  const { maxFileBytes } = config;
  const files = await compiledFiles(
    session,
    origin,
    sourceFiles(catalog.files, snapshot.corpus.live.shards, maxFileBytes),
  );
  const others = otherPaths(entries, files);
  const manifests = manifestsOf(entries);
  const store = syntaxStore(session.repository, objects, session.profile);
  const { tables, memory } = await linkFiles(
    { files, others, manifests: await readManifests(manifests, objects) },
    (missing) =>
      collectFacts(missing, { objects, store, compiled: compilerReader(session), parsers, maxFileBytes, signal }),
    previous(files),
  );
  return { graph: new Graph(tables), relinking: { memory, unlinked: { others: [...others], manifests } } };
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
