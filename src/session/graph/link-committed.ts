/** Links a committed snapshot that is indexed. Loaded where one is linked. */
import { Graph } from '../../graph/graph.js';
import type { LinkedSnapshot } from '../../graph/link-input.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import { syntaxStore } from '../../record/store.js';
import type { ScopeOrigin, Session } from '../session.js';
import type { Prepared } from '../snapshot/prepare.js';
import { collectFacts } from './graph-facts.js';
import { manifestsOf, otherPaths, readManifests, sourceFiles } from './graph-files.js';
import { linkFiles } from './link-files.js';
import type { LinkedGraph } from './linked-files.js';

export interface CommittedRequest {
  origin: ScopeOrigin;
  /** The indexed snapshot. */
  prepared: Prepared;
  /** Linked before, of whatever commit. */
  previous: LinkedSnapshot | null;
  parsers: () => ParserPool;
  signal?: AbortSignal;
}

/** Throws what parsing throws, GIT_FAILED and CANCELLED. */
export async function linkCommitted(
  session: Session,
  { origin, prepared, previous, parsers, signal }: CommittedRequest,
): Promise<Pick<LinkedGraph, 'graph' | 'relinking'>> {
  const { objects } = session;
  const [scope, entries] = await Promise.all([session.scopeOf(origin), objects.list(origin.resolved.tree)]);
  const { maxFileBytes } = scope.config;
  const files = sourceFiles(scope.catalog.files, prepared.corpus.live.shards, maxFileBytes);
  const others = otherPaths(entries, files);
  const manifests = manifestsOf(entries);
  const store = syntaxStore(session.repository, objects, session.profile);
  const { tables, memory } = await linkFiles(
    { files, others, manifests: await readManifests(manifests, objects) },
    (missing) => collectFacts(missing, { objects, store, parsers, maxFileBytes, signal }),
    previous,
  );
  return { graph: new Graph(tables), relinking: { memory, surroundings: { others: [...others], manifests } } };
}
