/** Fetches records and file contents from a remote before anything is parsed. */
import { createProgress } from '../../base/progress.js';
import type { Config, Resolved } from '../../config/types.js';
import { listMissing } from '../../git/snapshot.js';
import { isPartialClone } from '../../git/worktree.js';
import { SYNTAX_KIND } from '../../record/codec.js';
import { COMPILER_KIND } from '../../record/limits.js';
import { syntaxStore } from '../../record/store.js';
import { VECTORS_KIND } from '../../record/vector-codec.js';
import { lookUpUnit } from '../../shard/live.js';
import { fetchBlobs, fetchFirst, uniteFetched } from '../../share/first-fetch.js';
import { KNOWLEDGE } from '../../share/notes-refs.js';
import type { NotesSelector, SharedRepository } from '../../share/remotes.js';
import { sharesVectors } from '../indexing/known-snapshot.js';
import { COMPILER_PROFILE, type Session } from '../session.js';
import type { SnapshotFiles, SnapshotOrigin } from '../snapshot/snapshot.js';
import { vectorSource } from '../vectors/vector-source.js';

export function sharedRepository({ repository, gitConfig }: Session): SharedRepository {
  return { repository, config: gitConfig };
}

/** Returns the notes of the profiles that apply to HEAD, without vectors that are computed faster than fetched. */
export async function selectorsInUse(session: Session, direction: 'push' | 'fetch'): Promise<NotesSelector[]> {
  // A repository without a commit has settings as well.
  const origin = await session.origin().catch(() => null);
  const { config } = origin === null ? await session.configOf(null, true) : await session.configOfOrigin(origin);
  return selectorsOf(session, config, direction);
}

function selectorsOf(session: Session, config: Config, direction: 'push' | 'fetch'): NotesSelector[] {
  const source = vectorSource(session, config);
  const hasVectors = direction === 'push' ? sharesVectors(source, config) : source.costly;
  const syntax = { kind: SYNTAX_KIND, profile: session.profile };
  const used = [syntax, { kind: COMPILER_KIND, profile: COMPILER_PROFILE }];
  return hasVectors ? [...used, { kind: VECTORS_KIND, profile: source.profile }] : used;
}

/**
 * Unites fetched notes with the local ones. In a repository without records it first fetches those of the default remote.
 * The caller holds the writer lock. Throws CANCELLED and DISK; a remote's failure is only logged.
 */
export async function bringRecords(session: Session, origin: SnapshotOrigin, signal?: AbortSignal): Promise<void> {
  if (!session.gitConfig.some(({ key }) => key.startsWith('remote.'))) return;
  const shared = sharedRepository(session);
  const settings = await session.configOfOrigin(origin);
  const selectors = [...selectorsOf(session, settings.config, 'fetch'), ...KNOWLEDGE];
  await uniteFetched(shared, selectors, { signal });
  if (!mayFetch(session, settings)) return;
  const store = syntaxStore(session.repository, session.objects, session.profile);
  if ((await store.readTip()) !== null) return;
  await withMeter('fetching the index', (onProgress) => fetchFirst(shared, selectors, { signal, onProgress }));
}

/** Fetches the missing blobs of the files to be indexed, all at once, in a partial clone. Throws CANCELLED. */
export async function bringBlobs(
  session: Session,
  origin: SnapshotOrigin,
  { tree, catalog }: SnapshotFiles,
  signal?: AbortSignal,
): Promise<void> {
  if (!isPartialClone(session.gitConfig) || !mayFetch(session, await session.configOfOrigin(origin))) return;
  const missing = new Set(await listMissing(session.repository.git, tree));
  if (missing.size === 0) return;
  const shards = session.shards.openShards(session.shards.readManifest());
  const wanted = catalog.files.filter((file) => missing.has(file.oid) && lookUpUnit(shards, file) === null);
  const oids = [...new Set(wanted.map(({ oid }) => oid))];
  const shared = sharedRepository(session);
  const count = await withMeter('fetching files', (onProgress) => fetchBlobs(shared, oids, { signal, onProgress }));
  // Makes the reader notice the new objects.
  if (count > 0) await session.objects.list(tree);
}

/** Returns whether fetching is allowed: a repository's settings cannot revoke a "never" of the user's configuration. */
function mayFetch({ gitConfig }: Session, { config, origins }: Resolved<Config>): boolean {
  if (config.share.fetch === 'never') return false;
  if (/^(environment|command line)/.test(origins['share.fetch'] ?? '')) return true;
  const isUsers = (scope: string) => scope === 'global' || scope === 'system';
  const mine = gitConfig.filter(({ key, scope }) => key === 'socraticode.share.fetch' && isUsers(scope)).at(-1);
  return mine?.value !== 'never';
}

export async function withMeter<T>(
  label: string,
  work: (onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(label, 'objects');
  try {
    return await work((done, total) => progress.update(done, total));
  } finally {
    progress.finish();
  }
}
