/** Relinks the graph of a commit with uncommitted files. Imported only when that is done. */
import { log } from '../../base/log.js';
import { factsKey, type LinkedSnapshot, type LinkFacts, type SourceFile } from '../../graph/link-input.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import type { OverlayState } from '../../overlay/overlay.js';
import { decodeLinkFacts, encodeLinkFacts } from '../../record/facts-bytes.js';
import { syntaxStore } from '../../record/store.js';
import { compilerReader } from '../records/compiler-records.js';
import type { Session } from '../session.js';
import type { DirtySnapshot } from '../snapshot/snapshot.js';
import { collectFacts } from './graph-facts.js';
import { byPath, isManifestEntry, type ManifestEntry, readManifests, sourceFiles } from './graph-files.js';
import { linkFiles } from './link-files.js';
import type { UnlinkedEntries } from './linked-files.js';
import type { UnindexedChanges } from './unindexed-changes.js';

interface WorkRequest {
  dirty: DirtySnapshot;
  unindexed: UnindexedChanges;
  /** Linked files of the commit, and its other entries. */
  committed: readonly SourceFile[];
  unlinked: UnlinkedEntries;
  previous: LinkedSnapshot;
  /** Packed facts kept from an earlier link, and facts parsed since; by `factsKey`. */
  kept: ReadonlyMap<string, Uint8Array>;
  parsed: ReadonlyMap<string, LinkFacts>;
  parsers: () => ParserPool;
  signal?: AbortSignal;
}

/** Returns the linked snapshot, and the facts of its uncommitted files for the next link. Throws the errors of parsing. */
export async function linkWork(
  session: Session,
  { dirty, unindexed, committed, unlinked, previous, kept, parsed, parsers, signal }: WorkRequest,
): Promise<{ snapshot: LinkedSnapshot; facts: Map<string, Uint8Array> }> {
  const { objects, state } = dirty;
  const { maxFileBytes } = (await session.configOfOrigin(dirty.origin)).config;
  const store = syntaxStore(session.repository, session.objects, session.profile);
  const files = patchFiles(committed, dirty, maxFileBytes);
  const known = new Map<string, LinkFacts>();
  const collect = async (missing: readonly SourceFile[]) => {
    for (const key of missing.map(factsKey)) {
      const found = parsed.get(key) ?? unpack(kept.get(key));
      if (found) known.set(key, found);
    }
    const rest = missing.filter((file) => !known.has(factsKey(file)));
    const collected = await collectFacts(rest, {
      ...{ objects, store, compiled: compilerReader(session), parsers, maxFileBytes, signal },
    });
    for (const [key, facts] of collected) known.set(key, facts);
    return known;
  };
  const indexed = await readManifests(patchManifests(unlinked.manifests, state), objects);
  const manifests = new Map([...indexed, ...unindexed.manifests]);
  const snapshot = await linkFiles(
    { files, others: patchOthers(unlinked, unindexed, files), manifests },
    collect,
    previous,
  );
  const facts = new Map<string, Uint8Array>();
  for (const key of keysOf(files, state)) {
    const found = parsed.get(key) ?? known.get(key);
    const packed = kept.get(key) ?? (found && pack(found));
    if (packed) facts.set(key, packed);
  }
  return { snapshot, facts };
}

function keysOf(files: readonly SourceFile[], state: OverlayState): string[] {
  const uncommitted = new Set(state.files.map(({ path }) => path));
  return files.filter(({ path, state: known }) => known === 'linked' && uncommitted.has(path)).map(factsKey);
}

function goneFrom(state: OverlayState): ReadonlySet<string> {
  return new Set([...state.replaced, ...state.files].map(({ path }) => path));
}

function patchFiles(
  committed: readonly SourceFile[],
  { state, corpus }: DirtySnapshot,
  maxFileBytes: number,
): readonly SourceFile[] {
  const gone = goneFrom(state);
  const shards = [...corpus.live.shards, ...state.shards];
  const added = sourceFiles(state.files, shards, maxFileBytes);
  return [...committed.filter(({ path }) => !gone.has(path)), ...added].sort(byPath);
}

function patchManifests(committed: readonly ManifestEntry[], state: OverlayState): ManifestEntry[] {
  const differing = new Set([...state.unindexed, ...state.files].map(({ path }) => path));
  return [...committed.filter(({ path }) => !differing.has(path)), ...state.files.filter(isManifestEntry)];
}

function patchOthers(
  { others }: UnlinkedEntries,
  { present, gone }: UnindexedChanges,
  files: readonly SourceFile[],
): Set<string> {
  const patched = new Set([...others, ...present]);
  for (const path of gone) patched.delete(path);
  for (const { path } of files) patched.delete(path);
  return patched;
}

function pack(facts: LinkFacts): Uint8Array | null {
  try {
    return encodeLinkFacts(facts);
  } catch (error) {
    log.debug(`facts are not kept: ${(error as Error).message}`);
    return null;
  }
}

/** Returns null for facts that cannot be read: their file may have come with the repository. */
function unpack(packed: Uint8Array | undefined): LinkFacts | null {
  try {
    return packed === undefined ? null : decodeLinkFacts(packed);
  } catch (error) {
    log.debug(`facts are made anew: ${(error as Error).message}`);
    return null;
  }
}
