/** Summaries: what a model wrote about code, found by the hash of everything that the model was shown. */
import { createHash } from 'node:crypto';
import { bytesOf, corrupt } from '../record/cbor.js';
import { type Claim, type Entry, type EntryKind, inTime, oidBytes, oidField, textField, wordField } from './entry.js';
import { SUMMARIES_KIND } from './kinds.js';

export const SUMMARY_KINDS = ['symbol', 'file', 'folder', 'repository'] as const;
export type SummaryKind = (typeof SUMMARY_KINDS)[number];

/** Version of the prompt and of what models are shown: part of the profile in the name of the ref. */
export const PROMPT_VERSION = 1;

export const MAX_SUMMARY = 1_000;
const MAX_MODEL = 200;
const MAX_OBJECTS = 8;
const KEY_BYTES = 16;

export interface SummaryBody {
  kind: SummaryKind;
  /** First 16 bytes of the SHA-256 of what the model was shown, in hex. */
  key: string;
  model: string;
  text: string;
  /** Blobs and trees that were shown: readers of the summary must be allowed to see them. */
  objects: readonly string[];
}

export const SUMMARIES: EntryKind<SummaryBody> = {
  name: SUMMARIES_KIND,
  fields: ['kind', 'key', 'model', 'text', 'objects'],
  write: ({ kind, key, model, text, objects }) => ({
    ...{ kind, key: Buffer.from(key, 'hex'), model, text, objects: objects.map(oidBytes) },
  }),
  read({ kind, key, model, text, objects }) {
    const hash = bytesOf(key, 'the key');
    if (hash.length !== KEY_BYTES) corrupt('the key is no hash');
    if (!Array.isArray(objects) || objects.length > MAX_OBJECTS) corrupt('the objects are no list, or too many');
    return {
      kind: wordField(kind, SUMMARY_KINDS, 'the kind'),
      key: Buffer.from(hash).toString('hex'),
      model: textField(model, MAX_MODEL, 'the model'),
      text: textField(text, MAX_SUMMARY, 'the text'),
      objects: objects.map((oid) => oidField(oid, 'an object')),
    };
  },
  reveals: ({ objects }) => ({ objects: [...objects], branches: [] }),
};

export function summaryKey(kind: SummaryKind, shown: string): string {
  return createHash('sha256')
    .update(`${kind}\0${shown}`)
    .digest('hex')
    .slice(0, 2 * KEY_BYTES);
}

export type Summary = Claim & SummaryBody;

/** Returns summaries by key. If two clones requested the same, the earlier answer counts in both. */
export function summariesOf(entries: Iterable<Entry<SummaryBody>>): Map<string, Summary> {
  const found = new Map<string, Summary>();
  for (const { author, time, body } of [...entries].sort(inTime))
    if (!found.has(body.key)) found.set(body.key, { author, time, ...body });
  return found;
}
