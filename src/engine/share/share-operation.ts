/** `push`, `pull` and `share`, and what `index` does by itself before it starts: bring what others have derived already. */
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { createProgress } from '../../base/progress.js';
import { canonicalJson } from '../../config/profile.js';
import type { Config, Resolved } from '../../config/types.js';
import { Remote } from '../../git/remote.js';
import { listMissing } from '../../git/snapshot.js';
import { isPartialClone } from '../../git/worktree.js';
import { SYNTAX_KIND } from '../../record/codec.js';
import { syntaxStore } from '../../record/store.js';
import { VECTORS_KIND } from '../../record/vector-codec.js';
import { lookUpUnit } from '../../shard/live.js';
import { fetchBlobs, fetchFirst, uniteFetched } from '../../share/first-fetch.js';
import { pullNotes } from '../../share/pull.js';
import { type Pushed, pushNotes } from '../../share/push.js';
import { compare, disable, enable, readNotesFetchConfig } from '../../share/remote-config.js';
import { addressKey, RemoteMemory } from '../../share/remote-memory.js';
import { chooseRemote, type NotesSelector, type SharedRepository } from '../../share/remotes.js';
import type { PullReport, PushReport, ShareReport } from '../contract.js';
import { sharesVectors } from '../indexing/known-snapshot.js';
import type { Scope, ScopeOrigin, Session } from '../session.js';
import { vectorSource } from '../vectors/vector-source.js';
import { checkedAbout } from './profile-use.js';

export interface ShareOptions {
  /** Name of a configured remote; default: the current branch's, else `origin`, else the only one. */
  remote?: string;
  /** Every profile, not only those in use. */
  all?: boolean;
  signal?: AbortSignal;
}

export interface PushOptions extends ShareOptions {
  /** Nobody typed this: a remote that denied it once is not asked again, and that is said once. */
  quiet?: boolean;
}

const ALL: readonly NotesSelector[] = [
  { kind: SYNTAX_KIND, profile: null },
  { kind: VECTORS_KIND, profile: null },
];

/** Throws NO_REMOTE, REMOTE_DENIED, REMOTE_UNREACHABLE, REMOTE_BUSY, GIT_FAILED, DISK or CANCELLED; nothing local is lost. */
export async function pushIndex(session: Session, options: PushOptions = {}): Promise<PushReport> {
  const shared = sharedRepository(session);
  const name = await chooseRemote(shared, options.remote, 'push');
  const memory = new RemoteMemory(session.repository);
  const key = addressKey(new Remote(session.repository, session.gitConfig, name).url);
  const denied: PushReport = {
    ...{ remote: name, status: 'denied', refs: [], sent: 0, withheld: 0, received: 0, bytes: 0, attempts: 0 },
  };
  if (options.quiet && memory.isDenied(key)) return denied;
  try {
    const selectors = options.all ? ALL : await selectorsInUse(session, 'push');
    const pushed = await withMeter(`pushing to ${name}`, (onProgress) =>
      pushNotes(shared, name, selectors, { signal: options.signal, onProgress, automatic: options.quiet, describe }),
    );
    memory.setDenied(key, false);
    // The worker of the hooks writes its own line.
    if (!options.quiet) logShared('push', name, pushed);
    return reportOf(name, pushed);
  } catch (error) {
    if (!isSocraticodeError(error, 'REMOTE_DENIED')) throw error;
    memory.setDenied(key, true);
    if (!options.quiet) throw error;
    log.warn(`${error.message}; the index stays local (git socraticode push tries again)`);
    return denied;
  }
}

/** Written anew: one JSON text can say more than what its fingerprint proves. */
function describe(profile: string, text: string): string | null {
  const about = checkedAbout(profile, text);
  return about === null ? null : canonicalJson(about);
}

function reportOf(remote: string, pushed: Pushed): PushReport {
  return { remote, status: pushed.sent > 0 ? 'sent' : 'up-to-date', ...pushed };
}

/** Throws NO_REMOTE, REMOTE_DENIED, REMOTE_UNREACHABLE, GIT_FAILED, DISK or CANCELLED. */
export async function pullIndex(session: Session, options: ShareOptions = {}): Promise<PullReport> {
  const shared = sharedRepository(session);
  const remote = await chooseRemote(shared, options.remote, 'fetch');
  const selectors = options.all ? ALL : await selectorsInUse(session, 'fetch');
  const pulled = await withMeter(`pulling from ${remote}`, (onProgress) =>
    pullNotes(shared, remote, selectors, { signal: options.signal, onProgress }),
  );
  logShared('pull', remote, { sent: 0, ...pulled });
  return { remote, ...pulled };
}

function logShared(
  event: 'push' | 'pull',
  remote: string,
  { sent, received }: Pick<Pushed, 'sent' | 'received'>,
): void {
  if (sent + received === 0) return;
  log.event(event, `${event}: ${remote}, ${sent} records sent, ${received} received`, { remote, sent, received });
}

export type ShareAction = 'enable' | 'disable' | 'status';

/** Throws NO_REMOTE or GIT_FAILED. */
export async function shareIndex(session: Session, action: ShareAction, named?: string): Promise<ShareReport> {
  const shared = sharedRepository(session);
  const remote = await chooseRemote(shared, named, 'fetch');
  const change = { enable, disable, status: async () => false }[action];
  const changed = await change(shared, remote);
  const { enabled, refspec, isMirrored } = readNotesFetchConfig(shared, remote);
  const refs = await compare(shared, remote, ALL);
  return {
    ...{ remote, enabled: changed ? action === 'enable' : enabled, changed, refspec, mirrored: isMirrored },
    refs: refs.map(({ ref, ahead, behind, hasLocal, hasRemote }) => ({
      ...{ ref, ahead, behind, local: hasLocal, tracked: hasRemote },
    })),
  };
}

function sharedRepository({ repository, gitConfig }: Session): SharedRepository {
  return { repository, config: gitConfig };
}

/** The profiles that apply to HEAD; vectors that are made faster than fetched stay out. */
async function selectorsInUse(session: Session, direction: 'push' | 'fetch'): Promise<NotesSelector[]> {
  // A repository without a commit has settings too.
  const origin = await session.origin().catch(() => null);
  const { config } = origin === null ? await session.configOf(null, true) : await session.configOfOrigin(origin);
  return selectorsOf(session, config, direction);
}

function selectorsOf(session: Session, config: Config, direction: 'push' | 'fetch'): NotesSelector[] {
  const source = vectorSource(session, config);
  const hasVectors = direction === 'push' ? sharesVectors(source, config) : source.costly;
  const syntax = { kind: SYNTAX_KIND, profile: session.profile };
  return hasVectors ? [syntax, { kind: VECTORS_KIND, profile: source.profile }] : [syntax];
}

/**
 * Brings into the local notes what a `git fetch` has left, and in a repository without any record what the default remote
 * has. Called before planning, under the writer lock. Throws CANCELLED and DISK; a remote's failures are only said.
 */
export async function bringRecords(session: Session, origin: ScopeOrigin, signal?: AbortSignal): Promise<void> {
  if (!session.gitConfig.some(({ key }) => key.startsWith('remote.'))) return;
  const shared = sharedRepository(session);
  const settings = await session.configOfOrigin(origin);
  const selectors = selectorsOf(session, settings.config, 'fetch');
  await uniteFetched(shared, selectors, { signal });
  if (!mayFetch(session, settings)) return;
  const store = syntaxStore(session.repository, session.objects, session.profile);
  if ((await store.readTip()) !== null) return;
  await withMeter('fetching the index', (onProgress) => fetchFirst(shared, selectors, { signal, onProgress }));
}

/** In a partial clone, brings the text of the files to be indexed, all at once. Throws CANCELLED. */
export async function bringBlobs(
  session: Session,
  origin: ScopeOrigin,
  { tree, catalog }: Scope,
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
  // The reader has to learn that they are here now.
  if (count > 0) await session.objects.list(tree);
}

/** A "never" in the user's own configuration is not for a repository's to take back. */
function mayFetch({ gitConfig }: Session, { config, origins }: Resolved<Config>): boolean {
  if (config.share.fetch === 'never') return false;
  if (/^(environment|command line)/.test(origins['share.fetch'] ?? '')) return true;
  const isUsers = (scope: string) => scope === 'global' || scope === 'system';
  const mine = gitConfig.filter(({ key, scope }) => key === 'socraticode.share.fetch' && isUsers(scope)).at(-1);
  return mine?.value !== 'never';
}

async function withMeter<T>(
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
