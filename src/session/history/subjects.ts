/** Subjects of the commits before a snapshot, as an index that ranking asks; kept in a file for each of the last snapshots. */
import { join } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { remember } from '../../base/remember.js';
import { readShallow } from '../../git/log.js';
import type { LexicalScores } from '../../search/bm25.js';
import { encodeSubjects, SubjectIndex } from '../../search/subjects.js';
import { cacheKey } from '../graph/graph-cache.js';
import type { Session } from '../session.js';
import { removeOldest, touch } from '../snapshot/view-cache.js';
import { hasCacheFile, readCacheFile, SUBJECTS_NAME, writeCacheFile } from './cache-file.js';

/** Files kept, as many as views of snapshots. */
const KEPT = { files: 12, bytes: 64 << 20 };

/** Of a session that is asked often, by the name of the file. */
const known = new WeakMap<Session, Map<string, SubjectIndex>>();
/** Histories that are being read, by the name of the file. */
const reading = new WeakMap<Session, Map<string, Promise<SubjectIndex | null>>>();

/**
 * The subjects of the last 5,000 commits up to `tip`; null if git cannot tell them. Commits after `tip` have no say, so a past commit
 * is searched as it was. Throws CANCELLED.
 */
async function readSubjects(session: Session, tip: string, signal?: AbortSignal): Promise<SubjectIndex | null> {
  const { directory } = session.shards;
  const key = cacheKey(tip, [...readShallow(session.repository)].sort());
  const name = `subjects-${key}` as const;
  const open = known.get(session) ?? new Map<string, SubjectIndex>();
  known.set(session, open);
  const found = open.get(name) ?? readCacheFile(directory, name, ({ content }) => opened(directory, name, content));
  if (found !== null) {
    remember(open, name, found, KEPT.files);
    return found;
  }
  const { unlessAborted } = await import('../../base/abortable.js');
  return unlessAborted(readOnce(session, tip, name), signal);
}

/**
 * Reads a history once for all who wait for it, and to its end although some stop waiting: a page cancels a search with the next
 * key, and would otherwise begin anew with each.
 */
function readOnce(session: Session, tip: string, name: `subjects-${string}`): Promise<SubjectIndex | null> {
  const under = reading.get(session) ?? new Map<string, Promise<SubjectIndex | null>>();
  reading.set(session, under);
  let found = under.get(name);
  if (found === undefined) {
    const closing = new AbortController();
    session.onClose(() => closing.abort());
    found = makeSubjects(session, { tip, name, signal: closing.signal }).finally(() => under.delete(name));
    under.set(name, found);
    // Nobody may be left who waits for it.
    found.catch(() => {});
  }
  return found;
}

/** Reads and keeps the subjects; null if git cannot tell them. Throws CANCELLED. */
async function makeSubjects(
  session: Session,
  { tip, name, signal }: { tip: string; name: `subjects-${string}`; signal: AbortSignal },
): Promise<SubjectIndex | null> {
  const { directory } = session.shards;
  try {
    const { bytes, isWhole } = await encoded(session, tip, signal);
    if (isWhole) {
      writeCacheFile(directory, name, bytes, null);
      removeOldest(directory, SUBJECTS_NAME, KEPT);
    }
    const made = new SubjectIndex(bytes, name);
    const open = known.get(session);
    if (open !== undefined) remember(open, name, made, KEPT.files);
    return made;
  } catch (error) {
    if (isSocraticodeError(error, 'CANCELLED')) throw error;
    log.debug(`searched without what commits say: ${(error as Error).message}`);
    return null;
  }
}

/**
 * Makes the subjects up to `tip` ahead of the next search. Only where the history was read before: a repository that nobody searches
 * pays nothing. Throws CANCELLED.
 */
export async function keepSubjects(session: Session, tip: string, signal?: AbortSignal): Promise<void> {
  if (hasCacheFile(session.shards.directory, 'commits')) await readSubjects(session, tip, signal);
}

/** Scores by path of what subjects say; null where the snapshot is of another commit, since HEAD has moved. */
export type HistoryScores = (commit: string | null, lexical: LexicalScores) => ((path: string) => number) | null;

/** Scores over the commits up to `tip`. Throws CANCELLED. */
export async function historyScores(session: Session, tip: string, signal?: AbortSignal): Promise<HistoryScores> {
  const index = await readSubjects(session, tip, signal);
  return (commit, { terms }) => (commit === tip && index ? index.scores(terms.map(({ term }) => term)) : null);
}

function opened(directory: string, name: string, content: Buffer): SubjectIndex {
  touch(join(directory, `${name}.bin`));
  return new SubjectIndex(content, name);
}

async function encoded(
  session: Session,
  tip: string,
  signal?: AbortSignal,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const [{ readChangeLog }, { tellingCommits }] = await Promise.all([
    import('./change-log.js'),
    import('../../history/change-log.js'),
  ]);
  const log = await readChangeLog(session, { tip, signal });
  return { bytes: encodeSubjects(tellingCommits(log)), isWhole: log.unknown === 0 };
}
