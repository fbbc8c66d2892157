/**
 * Summaries of files: one set for each model and version of the prompt. They are found by the hash of the text that was shown, and
 * through an index that ranking reads.
 */
import { createHash } from 'node:crypto';
import { cacheKey, Memory } from '../../base/cache.js';
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import type { Config } from '../../config/settings.js';
import { PROMPT_VERSION, SUMMARIES, type Summary, type SummaryBody, summariesOf } from '../../knowledge/codecs.js';
import { EntryStore } from '../../knowledge/entry.js';
import { SUMMARY_PREFIXES } from '../../knowledge/kinds.js';
import { encodeSubjects, SubjectIndex } from '../../search/commit-subjects.js';
import type { LexicalScores } from '../../search/lexical.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { SUMMARIES as KIND } from '../state-kinds.js';

export interface StoredSummaries {
  byKey: Map<string, Summary>;
  store: EntryStore<SummaryBody> | null;
  entries: number;
}

/** Name of the set of a model. */
export function profileOf(model: string): string {
  return createHash('sha256')
    .update(JSON.stringify([PROMPT_VERSION, model]))
    .digest('hex')
    .slice(0, 16);
}

/** Name of the settings' model in summaries; null for none. */
export function ownModel({ name, model }: Config['summarizer']): string | null {
  if (name === 'host') return name;
  return name === 'none' || model === undefined ? null : `${name}:${model}`;
}

/**
 * Reads the summaries of a model; with null those of the model that wrote last, so that a reader without a model gets what the team has.
 */
export async function readSummaries(session: Session, model: string | null): Promise<StoredSummaries> {
  const profile = model === null ? await lastProfile(session) : profileOf(model);
  if (profile === null) return { byKey: new Map(), store: null, entries: 0 };
  const store = storeOf(session, profile);
  const entries = (await store.read()).entries.map(({ entry }) => entry);
  return { byKey: summariesOf(entries), store: model === null ? null : store, entries: entries.length };
}

/** Returns the set for readers: the settings' model, or the one that wrote last if that has written nothing. */
async function readersStore(session: Session, model: string | null): Promise<EntryStore<SummaryBody> | null> {
  if (model !== null) {
    const own = storeOf(session, profileOf(model));
    if ((await own.tips()).some((tip) => tip !== null)) return own;
  }
  const profile = await lastProfile(session);
  return profile === null ? null : storeOf(session, profile);
}

function storeOf({ repository, objects }: Session, profile: string): EntryStore<SummaryBody> {
  return new EntryStore({ repository, objects }, SUMMARIES, profile);
}

async function lastProfile({ repository }: Session): Promise<string | null> {
  if (repository.git === undefined) return null;
  const refs = await repository.git.text([
    ...['for-each-ref', '--sort=-committerdate', '--format=%(refname)', '--end-of-options'],
    ...SUMMARY_PREFIXES.map((prefix) => `${prefix}/`),
  ]);
  return /\/([0-9a-f]{16})$/m.exec(refs)?.[1] ?? null;
}

/** Indexes of sessions that ask more than once. */
const known = new Memory<SubjectIndex>(4);

/** Scores by blob of what a model wrote about a file and its definitions. */
export type SummaryScores = (lexical: LexicalScores) => (blob: string) => number;

/** Null if no model has written anything, or if it cannot be read. Throws CANCELLED. */
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
  const store = await readersStore(session, ownModel(summarizer));
  if (store === null) return null;
  const { state } = session;
  const key = cacheKey(await store.tips());
  const read = () => state.read(KIND, key, ({ content, path }) => new SubjectIndex(content, path));
  const found = known.find(session, key, read);
  if (found !== null) return found;
  const entries = (await store.read()).entries.map(({ entry }) => entry);
  const bytes = encodeSubjects(aboutBlobs(summariesOf(entries).values()));
  state.write(KIND, key, bytes);
  return known.set(session, key, new SubjectIndex(bytes, KIND.name));
}

/** Leaves out summaries of folders: they say little about a file in them. `summarize` shows them. */
function aboutBlobs(summaries: Iterable<{ kind: string; text: string; objects: readonly string[] }>) {
  return [...summaries].flatMap(({ kind, text, objects }) =>
    kind === 'file' || kind === 'symbol' ? [{ subject: text, paths: objects.slice(0, 1) }] : [],
  );
}
