/** Summaries of files as an index: ranking asks it by blob, since the same bytes have the same words under any name, at any ref. */
import { join } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { remember } from '../../base/remember.js';
import { summariesOf } from '../../knowledge/summary.js';
import type { LexicalScores } from '../../search/bm25.js';
import { encodeSubjects, SubjectIndex } from '../../search/subjects.js';
import { cacheKey } from '../graph/graph-cache.js';
import { readCacheFile, SUMMARIES_NAME, writeCacheFile } from '../history/cache-file.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { removeOldest, touch } from '../snapshot/view-cache.js';
import { ownModel, toldStore } from '../summaries/kept.js';

/** Files kept: one for each state of the summaries, of which few are looked at. */
const KEPT = { files: 4, bytes: 32 << 20 };

/** Of a session that is asked often, by the name of the file. */
const known = new WeakMap<Session, Map<string, SubjectIndex>>();

/** Scores by blob of what a model wrote about a file and its definitions. */
export type SummaryScores = (lexical: LexicalScores) => (blob: string) => number;

/** Null where no model has written anything, or what it wrote cannot be read. Throws CANCELLED. */
export async function summaryScores(session: Session, origin: SnapshotOrigin): Promise<SummaryScores | null> {
  try {
    const index = await readIndex(session, origin);
    return index && (({ terms }) => index.scores(terms.map(({ term }) => term)));
  } catch (error) {
    if (isSocraticodeError(error, 'CANCELLED')) throw error;
    log.debug(`searched without summaries: ${(error as Error).message}`);
    return null;
  }
}

async function readIndex(session: Session, origin: SnapshotOrigin): Promise<SubjectIndex | null> {
  const { summarizer } = (await session.configOfOrigin(origin)).config;
  const store = await toldStore(session, ownModel(summarizer));
  if (store === null) return null;
  const { directory } = session.shards;
  const name = `summaries-${cacheKey(await store.tips())}` as const;
  const open = known.get(session) ?? new Map<string, SubjectIndex>();
  known.set(session, open);
  const found = open.get(name) ?? readCacheFile(directory, name, ({ content }) => opened(directory, name, content));
  if (found !== null) {
    remember(open, name, found, KEPT.files);
    return found;
  }
  const entries = (await store.read()).entries.map(({ entry }) => entry);
  const bytes = encodeSubjects(aboutBlobs(summariesOf(entries).values()));
  writeCacheFile(directory, name, bytes, null);
  removeOldest(directory, SUMMARIES_NAME, KEPT);
  const made = new SubjectIndex(bytes, name);
  remember(open, name, made, KEPT.files);
  return made;
}

/** Words about folders say little of each file in them; `summarize` shows them, and search leaves them out. */
function aboutBlobs(summaries: Iterable<{ kind: string; text: string; objects: readonly string[] }>) {
  return [...summaries].flatMap(({ kind, text, objects }) =>
    kind === 'file' || kind === 'symbol' ? [{ subject: text, paths: objects.slice(0, 1) }] : [],
  );
}

function opened(directory: string, name: string, content: Buffer): SubjectIndex {
  touch(join(directory, `${name}.bin`));
  return new SubjectIndex(content, name);
}
