/**
 * Reads the change log of a ref. Commits never change, so each is read from git once and cached in a file with this user's seal; later
 * questions read that file and the new commits.
 */
import { cacheKey } from '../../base/cache.js';
import {
  type CommitLines,
  diffCommits,
  diffLines,
  type ListedCommit,
  listCommits,
  parseCommit,
} from '../../git/commits.js';
import { readShallow } from '../../git/log.js';
import { isPartialClone } from '../../git/repository.js';
import {
  type CachedCommit,
  type ChangeLog,
  decodeCommits,
  encodeCommits,
  type LoggedCommit,
  logOf,
  MAX_FILES,
  People,
} from '../../history/change-log.js';
import type { Session } from '../session.js';
import { COMMITS, LINES } from '../state-kinds.js';

/** Limit on a log's commits: half the weight every 500 commits would leave an older one a thousandth. */
const MAX_LOG = 5_000;
/** Limit on cached commits: those of a few branches. */
const MAX_CACHED = 4 * MAX_LOG;
/**
 * New commits are written once there is at least one for so many cached ones: to write 5,000 takes ten times as long as to read the last 50
 * from git.
 */
const CACHED_PER_UNWRITTEN = 100;
/** Limit on tips whose logs are known to be complete: the branches that a person switches between. */
const MAX_TIPS = 15;
/** Characters cached of a message below its first line: enough to find it by its words. */
const MAX_BODY = 1_500;

interface LogQuestion {
  /** Newest commit. */
  tip: string;
  signal?: AbortSignal;
  /** Writes no cache file. */
  readOnly?: boolean;
}

interface LogCache {
  commits: ReadonlyMap<string, CachedCommit>;
  /** Tips whose whole logs are among the commits; each with the ends of a shallow clone. */
  tips: readonly string[];
}

/** Caches of sessions that ask more than once, so that the file is read once. */
const known = new WeakMap<Session, LogCache>();

/** The last log of a session, and its key. */
const newest = new WeakMap<Session, { key: string; log: ChangeLog }>();

/** Reads the last `MAX_LOG` commits. Throws GIT_FAILED or CANCELLED. */
export async function readChangeLog(session: Session, question: LogQuestion): Promise<ChangeLog> {
  const shallow = readShallow(session.repository);
  const key = cacheKey(question.tip, [...shallow].sort());
  const last = newest.get(session);
  if (last?.key === key) return last.log;
  const found = await readLog(session, question, { key, shallow });
  if (isSettled(session, found)) newest.set(session, { key, log: found });
  return found;
}

/** Returns whether a log that is read again is the same, as long as a shallow clone ends where it does now. */
export function isSettled({ repository }: Session, { commits, unknown }: ChangeLog): boolean {
  if (unknown === 0) return true;
  const shallow = readShallow(repository);
  return commits.every(({ commit, files }) => files !== null || shallow.has(commit));
}

async function readLog(
  session: Session,
  { tip, signal, readOnly }: LogQuestion,
  { key, shallow }: { key: string; shallow: ReadonlySet<string> },
): Promise<ChangeLog> {
  const options = { tip, maxCommits: MAX_LOG, shallow };
  const cached = known.get(session) ?? readCache(session);
  known.set(session, cached);
  if (cached.tips.includes(key)) return logOf(cached.commits, options);
  const listed = await listCommits(session.repository.git, { tip, maxCommits: MAX_LOG, signal });
  const missing = listed.filter(({ commit }) => !cached.commits.has(commit));
  const fresh = await readCommits(session, missing, { shallow, signal });
  const commits = new Map([...cached.commits, ...fresh]);
  const next = updatedCache({ commits, tips: cached.tips }, { key, listed, shallow });
  known.set(session, next);
  const isWorthIt = missing.length * CACHED_PER_UNWRITTEN >= cached.commits.size;
  if (readOnly !== true && isWorthIt)
    session.state.write(COMMITS, '', encodeCommits([...next.commits.values()]), { tips: next.tips });
  return logOf(commits, options);
}

/** Leaves out commits that a fetch or `git fetch --unshallow` would complete. */
function updatedCache(
  { commits, tips }: LogCache,
  { key, listed, shallow }: { key: string; listed: readonly ListedCommit[]; shallow: ReadonlySet<string> },
): LogCache {
  // The current commits go last; those that were used longest ago are dropped.
  const current = new Set(listed.map(({ commit }) => commit));
  const others = [...commits.values()].filter(({ commit }) => !current.has(commit));
  const own = listed.flatMap(({ commit }) => commits.get(commit) ?? []).reverse();
  const isLasting = ({ commit, files }: CachedCommit) => files !== null && !shallow.has(commit);
  const lasting = [...others, ...own].filter(isLasting);
  const isWhole = own.every(isLasting);
  const wholeTips = lasting.length > MAX_CACHED ? [] : tips.filter((tip) => tip !== key).slice(-MAX_TIPS);
  return {
    commits: new Map(lasting.slice(-MAX_CACHED).map((commit) => [commit.commit, commit])),
    tips: isWhole ? [...wholeTips, key] : wholeTips,
  };
}

async function readCommits(
  { repository, objects, gitConfig }: Session,
  listed: readonly ListedCommit[],
  { shallow, signal }: { shallow: ReadonlySet<string>; signal?: AbortSignal },
): Promise<Map<string, CachedCommit>> {
  const compared = listed.filter(({ commit, parents }) => parents.length < 2 && !shallow.has(commit));
  const files = new Map<string, Pick<CachedCommit, 'files' | 'paths' | 'renames'>>();
  const partial = isPartialClone(gitConfig);
  const compare = (isPartial: boolean) => {
    const rest = compared.map(({ commit }) => commit).filter((commit) => !files.has(commit));
    return diffCommits(repository.git, rest, { partial: isPartial, signal }, ({ commit, paths, renames }) => {
      const recorded = paths.length <= MAX_FILES ? paths : [];
      files.set(commit, { files: paths.length, paths: recorded, renames });
    });
  };
  // If a blob is missing, a comparison of object ids alone may succeed.
  const isComplete = (await compare(partial)) || (!partial && (await compare(true)));
  const NOTHING = { files: 0, paths: [], renames: [] };
  const isCompared = new Set(compared.map(({ commit }) => commit));
  const read = await Promise.all(
    listed.map(async ({ commit, parents, time }) => {
      const object = await objects.read(commit);
      const { author, email, authored, subject, body } = parseCommit(commit, object?.content ?? Buffer.alloc(0));
      const isUnknown = shallow.has(commit) || (isCompared.has(commit) && !isComplete);
      const changed = files.get(commit) ?? { ...NOTHING, files: isUnknown ? null : 0 };
      return {
        commit,
        parents,
        time,
        author,
        email,
        authored: authored ?? time,
        subject,
        body: body.slice(0, MAX_BODY),
        ...changed,
      };
    }),
  );
  return new Map(read.map((commit) => [commit.commit, commit]));
}

function readCache({ state }: Session): LogCache {
  const cached = state.read(COMMITS, '', ({ content, note }) => ({
    commits: new Map(decodeCommits(content).map((commit) => [commit.commit, commit])),
    tips: (note as { tips: string[] }).tips,
  }));
  return cached ?? { commits: new Map(), tips: [] };
}

/** Newer commits up to which their lines are compared again in the next process: to write all takes longer. */
const MAX_UNWRITTEN_LINES = 16;
/** Files of a commit from which on its lines are not read: it is generated, or imported. */
const MAX_LINE_FILES = 300;

/** A changed file as it is kept. */
type LineRow = [path: string | null, from: string | null, hunks: number[]];

/**
 * Reads what lines each commit of a log changed, newest first; none of the oldest ones of a shallow clone. Commits never change, so each
 * is compared once. Throws GIT_FAILED, UNREADABLE_OBJECT or CANCELLED.
 */
export async function readChangedLines(
  session: Session,
  { commits }: Pick<ChangeLog, 'commits'>,
  signal?: AbortSignal,
): Promise<CommitLines[]> {
  const { state } = session;
  const cached = state.readMap<LineRow[]>(LINES);
  const shallow = readShallow(session.repository);
  const isCompared = ({ commit, parents }: LoggedCommit) => parents.length < 2 && !shallow.has(commit);
  const compared = commits.filter((each) => isCompared(each)).map(({ commit }) => commit);
  const unwritten = cached.size === 0 ? 0 : MAX_UNWRITTEN_LINES;
  const missing = compared.filter((commit) => !cached.has(commit));
  for (const commit of missing) cached.set(commit, []);
  if (missing.length > 0)
    await diffLines(session.repository.git, missing, signal, ({ commit, files }) => {
      if (files.length > MAX_LINE_FILES) return;
      cached.set(
        commit,
        files.map(({ path, from, hunks }) => [path, from, hunks]),
      );
    });
  const found = compared.map((commit) => {
    const rows = cached.get(commit) ?? [];
    return { commit, files: rows.map(([path, from, hunks]) => ({ path, from, hunks })) };
  });
  if (missing.length > unwritten) state.writeMap(LINES, cached, { used: [...compared].reverse(), most: MAX_CACHED });
  return found;
}

type Author = Pick<LoggedCommit, 'author' | 'email'>;

/** Finds the people behind the identities of commits. `commits`: newest first. */
export async function peopleOf(
  { repository: { git } }: Session,
  commits: readonly Author[],
  signal?: AbortSignal,
): Promise<People> {
  const contacts = new Map(commits.map(({ author, email }) => [`${author}\0${email}`, { author, email }]));
  const { mappedContacts } = await import('../../git/blame.js');
  const mapped = await mappedContacts(git, [...contacts.values()], signal);
  // The mailmap's name comes first, so it becomes the person's. The identity before it has the new address too, which joins the two.
  const now = mapped.map(({ now: contact }) => contact);
  const bridge = mapped.map(({ was, now: { email } }) => ({ author: was.author, email }));
  return new People([...now, ...bridge, ...commits]);
}
