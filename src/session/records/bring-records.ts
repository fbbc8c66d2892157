/** Fetches records and file contents from a remote before anything is parsed, and takes exported records of the tree. */
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { groupDigits } from '../../base/printable.js';
import { createProgress } from '../../base/progress.js';
import type { Config, Resolved } from '../../config/settings.js';
import { listMissing } from '../../git/objects.js';
import { Remote, type RemoteOptions } from '../../git/remote.js';
import { automaticFault } from '../../git/remote-trust.js';
import { isPartialClone } from '../../git/repository.js';
import type { ImportReport } from '../../questions/import/question.js';
import { COMPILER_KIND } from '../../record/format.js';
import { type RecordStore, syntaxStore, vectorStore } from '../../record/store.js';
import { SYNTAX_KIND } from '../../record/syntax-codec.js';
import { VECTORS_KIND } from '../../record/vector-codec.js';
import { lookUpUnit } from '../../shard/live-set.js';
import { EXPORT_DIRECTORY, type ExportSource, importRecordSet, treeSource } from '../../share/exported-records.js';
import { KNOWLEDGE } from '../../share/notes-refs.js';
import {
  addressKey,
  chooseRemote,
  completeNotes,
  type NotesSelector,
  pullNotes,
  RemoteMemory,
  type SharedRepository,
  selectTrackedRefs,
  trackingRef,
  uniteTracked,
} from '../../share/pull.js';
import { sharesVectors } from '../indexing/known-snapshot.js';
import { COMPILER_PROFILE, type Session } from '../session.js';
import type { SnapshotFiles, SnapshotOrigin } from '../snapshot/snapshot.js';
import { vectorSource } from '../vectors/vector-source.js';

export function sharedRepository({ repository, gitConfig }: Session): SharedRepository {
  return { repository, config: gitConfig };
}

/** Returns the notes of the profiles that apply to HEAD, without vectors that are faster computed than fetched. */
export async function selectorsInUse(session: Session, direction: 'push' | 'fetch'): Promise<NotesSelector[]> {
  // Settings exist in a repository without a commit, too.
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
  // The reader notices the new objects only after this.
  if (count > 0) await session.objects.list(tree);
}

/** Returns whether fetching is allowed. A repository's settings cannot revoke a "never" of the user's configuration. */
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

type AutomaticOptions = Pick<RemoteOptions, 'signal' | 'onProgress'>;

const NOTHING_THERE_MS = 60 * 60 * 1000;
const UNREACHABLE_MS = 10 * 60 * 1000;
/** Limit on missing blobs. A snapshot that lacks more is not completed automatically; the user is told how to fetch them. */
const MAX_BLOBS = 100_000;

/** Fetches the notes of the default remote, if there is one. Returns the number of new records. Throws CANCELLED and DISK. */
export async function fetchFirst(
  shared: SharedRepository,
  selectors: readonly NotesSelector[],
  options: AutomaticOptions = {},
): Promise<number> {
  const name = await chooseRemote(shared, undefined, 'fetch').catch(() => null);
  if (name === null || !isSafe(shared, name)) return 0;
  return requestOnce(shared, name, 'index', async () => {
    const { received } = await pullNotes(shared, name, selectors, { ...options, automatic: true });
    if (received > 0) log.info(`fetched ${groupDigits(received)} records from ${name}`);
    return received;
  });
}

/** Unites the notes that `git fetch` brought since the last call. If there are none, it only lists refs. */
export async function uniteFetched(
  shared: SharedRepository,
  selectors: readonly NotesSelector[],
  options: AutomaticOptions = {},
): Promise<number> {
  const { repository, config } = shared;
  const memory = new RemoteMemory(repository);
  let received = 0;
  for (const [name, refs] of await selectTrackedRefs(shared, selectors)) {
    const news = [...refs].filter(([ref, commit]) => !memory.isUnited(trackingRef(name, ref), commit));
    if (news.length === 0) continue;
    received += await attempt(name, async () => {
      if (isPartialClone(config) && !(await complete(shared, name, news, options))) return 0;
      return (await uniteTracked(shared, name, new Map(news))).received;
    });
  }
  return received;
}

/** Fetches the notes that a `git fetch` left out in a partial clone. Returns false if some are still missing. */
async function complete(
  shared: SharedRepository,
  name: string,
  refs: readonly [ref: string, commit: string][],
  options: AutomaticOptions,
): Promise<boolean> {
  const { repository, config } = shared;
  const missing = await Promise.all(refs.map(([, commit]) => listMissing(repository.git, commit)));
  if (missing.every((oids) => oids.length === 0)) return true;
  if (!isSafe(shared, name)) return false;
  const remote = new Remote(repository, config, name, { ...options, automatic: true });
  const received = await requestOnce(shared, name, 'notes', async () => {
    for (const [, commit] of refs) await completeNotes(repository, remote, commit);
    return refs.length;
  });
  return received > 0;
}

/** Fetches blobs that a partial clone lacks, in one request. Returns the number of requested blobs. Throws CANCELLED. */
export async function fetchBlobs(
  shared: SharedRepository,
  oids: readonly string[],
  options: AutomaticOptions = {},
): Promise<number> {
  const { repository, config } = shared;
  const name = promisorOf(shared);
  if (oids.length === 0 || name === undefined || !isSafe(shared, name)) return 0;
  if (oids.length > MAX_BLOBS) {
    log.warn(
      `${groupDigits(oids.length)} files are not in this partial clone; git fetch --refetch --no-filter brings them`,
    );
    return 0;
  }
  return requestOnce(shared, name, 'blobs', async () => {
    await new Remote(repository, config, name, { ...options, automatic: true }).fetchObjects(oids);
    return oids.length;
  });
}

function promisorOf({ config }: SharedRepository): string | undefined {
  const promisors = config.filter(({ value }) => value !== 'false');
  return promisors.flatMap(({ key }) => /^remote\.(.+)\.promisor$/s.exec(key)?.[1] ?? []).at(0);
}

function isSafe({ repository, config }: SharedRepository, name: string): boolean {
  const fault = automaticFault(repository, config, name);
  if (fault !== null)
    log.info(`${name} is not contacted automatically, only by \`git socraticode pull\`: .git/config has ${fault}`);
  return fault === null;
}

/**
 * Makes one automatic request. If it brings nothing, it is not repeated for an hour (10 minutes after a failure), which also limits the
 * warnings.
 */
async function requestOnce(
  { repository, config }: SharedRepository,
  name: string,
  what: string,
  request: () => Promise<number>,
): Promise<number> {
  const memory = new RemoteMemory(repository);
  const key = addressKey(`${what} ${new Remote(repository, config, name).url}`);
  if (memory.wasRequested(key)) return 0;
  let failed = true;
  const count = await attempt(name, async () => {
    const answer = await request();
    failed = false;
    return answer;
  });
  if (count === 0) memory.setRequested(key, failed ? UNREACHABLE_MS : NOTHING_THERE_MS);
  return count;
}

async function attempt(name: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!isSocraticodeError(error) || error.code === 'CANCELLED' || error.code === 'DISK') throw error;
    log.warn(`nothing was fetched from ${name}; continuing without it: ${error.message}`);
    return 0;
  }
}

// Exported records, in a folder of the tree

interface UsedStore {
  kind: 'syntax' | 'vectors';
  profile: string;
  store: RecordStore<unknown>;
}

/** Returns the stores that apply under a configuration. Vectors only if it shares them, or takes those of others. */
export function usedStores(session: Session, config: SnapshotFiles['config'], direction: 'out' | 'in'): UsedStore[] {
  const { repository, objects, profile, about } = session;
  const syntax = syntaxStore(repository, objects, profile, about);
  const stores: UsedStore[] = [{ kind: SYNTAX_KIND, profile, store: syntax }];
  const source = vectorSource(session, config);
  const wanted = direction === 'out' ? sharesVectors(source, config) : source.costly;
  if (wanted) {
    const store = vectorStore(repository, objects, source.profile, source.about);
    stores.push({ kind: VECTORS_KIND, profile: source.profile, store });
  }
  return stores;
}

/** Imports records into their stores. The caller holds the writer lock. Throws CANCELLED, GIT_FAILED and DISK. */
export async function importStores(
  { objects }: Session,
  place: ExportSource,
  stores: readonly UsedStore[],
  signal?: AbortSignal,
): Promise<ImportReport> {
  const profiles: ImportReport['profiles'] = [];
  for (const { kind, profile, store } of stores) {
    const imported = await importRecordSet(place, { kind, profile }, { store, objects, signal });
    if (imported.files > 0 || imported.bad > 0) profiles.push({ kind, profile, ...imported });
  }
  return { source: place.name, profiles, otherProfiles: await otherRecordSets(place, stores) };
}

/** Lists the record sets of a source that belong to no store, as `<kind>/<profile>`. */
export async function otherRecordSets(place: ExportSource, stores: readonly UsedStore[]): Promise<string[]> {
  const names = (await place.recordSets()).map(({ kind, profile }) => `${kind}/${profile}`);
  return names.filter((name) => !stores.some(({ kind, profile }) => name === `${kind}/${profile}`));
}

/**
 * Imports `.socraticode/` of the snapshot into each store that has no notes yet, before anything is parsed or fetched. The
 * caller holds the writer lock. Throws CANCELLED, GIT_FAILED and DISK.
 */
export async function bringPortable(session: Session, origin: SnapshotOrigin, signal?: AbortSignal): Promise<void> {
  const { repository, objects } = session;
  const { config } = await session.configOfOrigin(origin);
  const stores = usedStores(session, config, 'in');
  const tips = await Promise.all(stores.map(({ store }) => store.readTip()));
  const empty = stores.filter((_, i) => tips[i] === null);
  if (empty.length === 0) return;
  const place = await treeSource(repository, objects, origin.resolved.tree);
  if (place === null) return;
  const { profiles } = await importStores(session, place, empty, signal);
  for (const { kind, added, bad } of profiles) {
    log.info(`${groupDigits(added)} ${kind} records taken from ${EXPORT_DIRECTORY}/`);
    if (bad > 0) log.warn(`${bad} unusable items in ${EXPORT_DIRECTORY}/ were passed over`);
  }
}
