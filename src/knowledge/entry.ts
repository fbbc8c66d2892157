/**
 * An entry: one thing that somebody said, in the envelope that records have. Its id is a hash of its payload, so that a set of
 * entries grows by union alone: no two entries share an id, none is ever changed, and clones that exchange entries in any
 * order reach the same set.
 */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../base/errors.js';
import { type CborValue, decodeCanonical, encodeCanonical } from '../record/cbor.js';
import { open, seal } from '../record/envelope.js';
import type { CborLimits } from '../record/prescan.js';
import type { Decoded } from '../record/types.js';
import { countField, mapField, textField, wordField } from './fields.js';

/** Version of all kinds of entries. A reader skips entries of later versions, and no union drops them. */
export const ENTRY_FORMAT = 1;
/** Bytes of an entry: texts of 4,000 characters and a long path take a third of it. */
export const MAX_ENTRY_BYTES = 64 << 10;

const LIMITS: CborLimits = {
  maxBytes: MAX_ENTRY_BYTES,
  maxDepth: 6,
  maxItems: 512,
  maxEntries: 64,
  maxString: 32 << 10,
};

/** UTF-16 code units of a name or an address. */
const MAX_NAME = 200;
const MAX_TIME = 0xffff_ffff;

export const MAX_TEXT = 4_000;

/** Author of an entry, by their own account: nothing proves it. */
export interface Author {
  name: string;
  /** '' for none. */
  email: string;
  /** `agent`: a program wrote it; `agent` then names the program, if it said. */
  by: 'person' | 'agent';
  agent?: string;
}

/** Fields that every entry has. */
export interface Claim {
  author: Author;
  /** Seconds since 1970, by the author's clock. */
  time: number;
}

/** A kind of entries: how its own fields are written and read. */
export interface EntryKind<Body> {
  /** Name as it appears in the envelope and in refs. */
  readonly name: string;
  /** Fields of the body, as the map of an entry holds them beside `by` and `at`. */
  readonly fields: readonly string[];
  write(body: Body): { readonly [field: string]: CborValue };
  /** Throws RECORD_CORRUPT for anything that `write` cannot have written. */
  read(fields: Readonly<Record<string, unknown>>): Body;
  /** Everything that this entry tells of the repository: whoever reads the entry must be allowed to see it. */
  tells(body: Body): Told;
}

/** Objects and branches whose existence an entry tells. */
export interface Told {
  objects: readonly string[];
  branches: readonly string[];
}

export type Entry<Body> = Claim & { id: string; body: Body };

type ObjectFormat = 'sha1' | 'sha256';
const HEX_LENGTH = { sha1: 40, sha256: 64 } as const;

function idOf(kind: string, payload: Uint8Array, hexLength: number): string {
  return createHash('sha256').update(`${kind}\0`).update(payload).digest('hex').slice(0, hexLength);
}

function writeAuthor({ name, email, by, agent }: Author): CborValue {
  return { name, email, by, ...(agent === undefined ? {} : { agent }) };
}

function readAuthor(value: unknown): Author {
  const { name, email, by, agent } = mapField(value, ['name', 'email', 'by', 'agent'], 'the author');
  return {
    name: textField(name, MAX_NAME, 'the name'),
    email: textField(email, MAX_NAME, 'the address', 0),
    by: wordField(by, ['person', 'agent'], 'the author'),
    ...(agent !== undefined && { agent: textField(agent, MAX_NAME, 'the agent') }),
  };
}

/** Encodes an entry. Throws INTERNAL for one that `decodeEntry` would refuse: its caller has checked what people typed. */
export function encodeEntry<Body>(
  kind: EntryKind<Body>,
  { author, time, body }: Claim & { body: Body },
  format: ObjectFormat,
): { id: string; bytes: Uint8Array } {
  const payload = encodeCanonical({ by: writeAuthor(author), at: time, ...kind.write(body) });
  const id = idOf(kind.name, payload, HEX_LENGTH[format]);
  const bytes = seal(kind.name, ENTRY_FORMAT, id, payload);
  const check = bytes === null ? null : decodeEntry(kind, bytes, id);
  if (bytes === null || check?.ok !== true)
    throw new SocraticodeError('INTERNAL', `an entry would be ${check?.ok === false ? check.detail : 'too large'}`);
  return { id, bytes };
}

/** Decodes an entry. Never throws, and takes well under a millisecond for any input. */
export function decodeEntry<Body>(kind: EntryKind<Body>, bytes: Uint8Array, id: string): Decoded<Entry<Body>> {
  if (bytes.length > MAX_ENTRY_BYTES) return { ok: false, reason: 'too-large', detail: `${bytes.length} bytes` };
  const opened = open(kind.name, ENTRY_FORMAT, id, bytes);
  if (!opened.ok) return opened;
  if (idOf(kind.name, opened.payload, id.length) !== id)
    return { ok: false, reason: 'wrong-blob', detail: 'the id is not that of the entry' };
  try {
    const payload = decodeCanonical(opened.payload, LIMITS);
    const { by, at, ...fields } = mapField(payload, ['by', 'at', ...kind.fields], 'the entry');
    const claim: Claim = { author: readAuthor(by), time: countField(at, MAX_TIME, 'the time') };
    return { ok: true, record: { id, ...claim, body: kind.read(fields) } };
  } catch (error) {
    return { ok: false, reason: 'malformed', detail: error instanceof Error ? error.message : String(error) };
  }
}
