/** Summaries that are kept: one set for each model and version of the prompt, found by the hash of what was shown. */
import { createHash } from 'node:crypto';
import type { Config } from '../../config/types.js';
import { EntryStore } from '../../knowledge/store.js';
import { PROMPT_VERSION, SUMMARIES, type Summary, type SummaryBody, summariesOf } from '../../knowledge/summary.js';
import type { Session } from '../session.js';
import { SUMMARY_PREFIXES } from './may-have.js';

export interface KeptSummaries {
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

/** The model that the settings name, as summaries name it; null for none. */
export function ownModel({ name, model }: Config['summarizer']): string | null {
  if (name === 'host') return name;
  return name === 'none' || model === undefined ? null : `${name}:${model}`;
}

/** Summaries of a model; null: of the model that has written last, since a reader without a model takes what the team has. */
export async function readSummaries(session: Session, model: string | null): Promise<KeptSummaries> {
  const profile = model === null ? await lastProfile(session) : profileOf(model);
  if (profile === null) return { byKey: new Map(), store: null, entries: 0 };
  const store = storeOf(session, profile);
  const entries = (await store.read()).entries.map(({ entry }) => entry);
  return { byKey: summariesOf(entries), store: model === null ? null : store, entries: entries.length };
}

/** The set that readers take: of the model of the settings, or of the model that has written last where that has written nothing. */
export async function toldStore(session: Session, model: string | null): Promise<EntryStore<SummaryBody> | null> {
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
