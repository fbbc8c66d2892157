/** Summaries that are kept: one set for each model and version of the prompt, found by the hash of what was shown. */
import { createHash } from 'node:crypto';
import type { Config } from '../../../config/types.js';
import { NOTES_PREFIX } from '../../../git/notes.js';
import { PRIVATE_PREFIX, SUMMARIES_KIND } from '../../../knowledge/kinds.js';
import { EntryStore } from '../../../knowledge/store.js';
import { SUMMARIES, type Summary, type SummaryBody, summariesOf } from '../../../knowledge/summary.js';
import type { Session } from '../../../session/session.js';
import { PROMPT_VERSION } from './prompt.js';

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
  const { repository, objects } = session;
  const store = new EntryStore({ repository, objects }, SUMMARIES, profile);
  const entries = (await store.read()).entries.map(({ entry }) => entry);
  return { byKey: summariesOf(entries), store: model === null ? null : store, entries: entries.length };
}

async function lastProfile({ repository }: Session): Promise<string | null> {
  if (repository.git === undefined) return null;
  const prefixes = [NOTES_PREFIX, PRIVATE_PREFIX].map((prefix) => `${prefix}/${SUMMARIES_KIND}/`);
  const refs = await repository.git.text([
    ...['for-each-ref', '--sort=-committerdate', '--format=%(refname)', '--end-of-options'],
    ...prefixes,
  ]);
  return /\/([0-9a-f]{16})$/m.exec(refs)?.[1] ?? null;
}
