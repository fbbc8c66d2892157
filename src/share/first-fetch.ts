/**
 * Automatic fetches that no user asked for: the notes of a fresh clone, and notes and blobs that a partial clone lacks.
 * Each makes at most one request, to a remote whose configuration is harmless. A failure is only logged, because
 * everything can be derived locally.
 */
import { groupDigits } from '../base/digits.js';
import { isSocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { Remote, type RemoteOptions } from '../git/remote.js';
import { automaticFault } from '../git/remote-trust.js';
import { listMissing } from '../git/snapshot.js';
import { isPartialClone } from '../git/worktree.js';
import { completeNotes, pullNotes, uniteTracked } from './pull.js';
import { addressKey, RemoteMemory } from './remote-memory.js';
import { chooseRemote, type NotesSelector, type SharedRepository, selectTrackedRefs, trackingRef } from './remotes.js';

type AutomaticOptions = Pick<RemoteOptions, 'signal' | 'onProgress'>;

const NOTHING_THERE_MS = 60 * 60 * 1000;
const UNREACHABLE_MS = 10 * 60 * 1000;
/** Snapshots that lack more blobs than this are not completed automatically; the user is told how to fetch them. */
const MAX_BLOBS = 100_000;

/** Fetches the notes of the default remote, if any. Returns the number of new records. Throws CANCELLED and DISK. */
export async function fetchFirst(
  shared: SharedRepository,
  selectors: readonly NotesSelector[],
  options: AutomaticOptions = {},
): Promise<number> {
  const name = await chooseRemote(shared, undefined, 'fetch').catch(() => null);
  if (name === null || !isSafe(shared, name)) return 0;
  return ask(shared, name, 'index', async () => {
    const { received } = await pullNotes(shared, name, selectors, { ...options, automatic: true });
    if (received > 0) log.info(`fetched ${groupDigits(received)} records from ${name}`);
    return received;
  });
}

/** Unites the notes that `git fetch` brought since the last call. Lists refs only, if there are none. */
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

/** Fetches the notes that a `git fetch` in a partial clone left out. Returns false if some are still missing. */
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
  const asked = await ask(shared, name, 'notes', async () => {
    for (const [, commit] of refs) await completeNotes(repository, remote, commit);
    return refs.length;
  });
  return asked > 0;
}

/**
 * Fetches blobs that a partial clone lacks, in one request. Returns the number of requested blobs. Throws CANCELLED.
 */
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
  return ask(shared, name, 'blobs', async () => {
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
 * Makes one automatic request. If it brings nothing, it is not repeated for an hour (10 minutes after a failure), which
 * also limits the warnings.
 */
async function ask(
  { repository, config }: SharedRepository,
  name: string,
  what: string,
  request: () => Promise<number>,
): Promise<number> {
  const memory = new RemoteMemory(repository);
  const key = addressKey(`${what} ${new Remote(repository, config, name).url}`);
  if (memory.wasAsked(key)) return 0;
  let failed = true;
  const count = await attempt(name, async () => {
    const answer = await request();
    failed = false;
    return answer;
  });
  if (count === 0) memory.setAsked(key, failed ? UNREACHABLE_MS : NOTHING_THERE_MS);
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
