/** Links a snapshot again with the uncommitted files in their places. Loaded where that is done. */
import { log } from '../../base/log.js';
import { factsKey, type LinkedSnapshot, type LinkFacts, type SourceFile } from '../../graph/link-input.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import type { OverlayState } from '../../overlay/overlay.js';
import { decodeLinkFacts, encodeLinkFacts } from '../../record/facts-bytes.js';
import { syntaxStore } from '../../record/store.js';
import type { Searched } from '../overlay/overlay.js';
import type { Session } from '../session.js';
import { collectFacts } from './graph-facts.js';
import { byPath, isManifestEntry, type ManifestEntry, readManifests, sourceFiles } from './graph-files.js';
import { linkFiles } from './link-files.js';
import type { Surroundings } from './linked-files.js';
import type { Beside } from './work-beside.js';

/** A search that has uncommitted files. */
export type Dirty = Searched & { state: OverlayState };

export interface WorkRequest {
  searched: Dirty;
  /** Its changes that are in no index. */
  beside: Beside;
  /** Files of the commit, and what it has beside them. */
  committed: readonly SourceFile[];
  surroundings: Surroundings;
  previous: LinkedSnapshot;
  /** Facts that were kept from an earlier link, packed, and those that were parsed since; by `factsKey`. */
  kept: ReadonlyMap<string, Uint8Array>;
  parsed: ReadonlyMap<string, LinkFacts>;
  parsers: () => ParserPool;
  signal?: AbortSignal;
}

/** The linked snapshot, and the facts of its uncommitted files to keep for the next. Throws what parsing throws. */
export async function linkWork(
  session: Session,
  { searched, beside, committed, surroundings, previous, kept, parsed, parsers, signal }: WorkRequest,
): Promise<{ snapshot: LinkedSnapshot; facts: Map<string, Uint8Array> }> {
  const { objects, state } = searched;
  const { maxFileBytes } = (await session.configOfOrigin(searched.origin)).config;
  const store = syntaxStore(session.repository, session.objects, session.profile);
  const files = patchFiles(committed, searched, maxFileBytes);
  const known = new Map<string, LinkFacts>();
  const collect = async (missing: readonly SourceFile[]) => {
    for (const key of missing.map(factsKey)) {
      const found = parsed.get(key) ?? unpack(kept.get(key));
      if (found) known.set(key, found);
    }
    const rest = missing.filter((file) => !known.has(factsKey(file)));
    const collected = await collectFacts(rest, { objects, store, parsers, maxFileBytes, signal });
    for (const [key, facts] of collected) known.set(key, facts);
    return known;
  };
  const indexed = await readManifests(patchManifests(surroundings.manifests, state), objects);
  const manifests = new Map([...indexed, ...beside.manifests]);
  const snapshot = await linkFiles(
    { files, others: patchOthers(surroundings, beside, files), manifests },
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
  { state, prepared }: Dirty,
  maxFileBytes: number,
): readonly SourceFile[] {
  const gone = goneFrom(state);
  const shards = [...prepared.corpus.live.shards, ...state.shards];
  const added = sourceFiles(state.files, shards, maxFileBytes);
  return [...committed.filter(({ path }) => !gone.has(path)), ...added].sort(byPath);
}

function patchManifests(committed: readonly ManifestEntry[], state: OverlayState): ManifestEntry[] {
  const differing = new Set([...state.unindexed, ...state.files].map(({ path }) => path));
  return [...committed.filter(({ path }) => !differing.has(path)), ...state.files.filter(isManifestEntry)];
}

function patchOthers({ others }: Surroundings, { present, gone }: Beside, files: readonly SourceFile[]): Set<string> {
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

/** What was kept may have come with the repository. */
function unpack(packed: Uint8Array | undefined): LinkFacts | null {
  try {
    return packed === undefined ? null : decodeLinkFacts(packed);
  } catch (error) {
    log.debug(`facts are made anew: ${(error as Error).message}`);
    return null;
  }
}
