/**
 * An entry: a statement by somebody, in the envelope of a record, with an anchor to the code that it is about. Its id is a hash of its
 * payload, so that a set of entries grows by union alone: no two entries share an id, none is ever changed, and clones that exchange
 * entries in any order reach the same set. Sets lie in refs: one is shared, one stays here, and both are read as one (`EntryStore`).
 * Anchors, readers of fields, and the kinds `NOTES`, `TAGS` and `APPROVALS` stand here, too; the other kinds are in codecs.ts.
 */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../base/errors.js';
import { groupDigits } from '../base/printable.js';
import { type NoteEntry as GitNote, listNotes, notesTip, writeNotes } from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import type { Repository } from '../git/repository.js';
import {
  bytesOf,
  type CborLimits,
  type CborValue,
  corrupt,
  count,
  decodeCanonical,
  encodeCanonical,
  open,
  seal,
} from '../record/cbor.js';
import type { Decoded } from '../record/format.js';
import { APPROVALS_KIND, NOTES_KIND, refOfSet, TAGS_KIND } from './kinds.js';

/** Version of all kinds of entries. A reader skips entries of later versions, and no union drops them. */
const ENTRY_FORMAT = 1;
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

/** Author of an entry, by their own account, without proof. */
interface Author {
  name: string;
  /** '' for none. */
  email: string;
  /** `agent`: a program wrote it; the field `agent` then names the program, if known. */
  by: 'person' | 'agent';
  agent?: string;
}

export interface Claim {
  author: Author;
  /** Seconds since 1970, by the author's clock. */
  time: number;
}

/** A kind of entries: how its own fields are written and read. */
export interface EntryKind<Body> {
  readonly name: string;
  /** Fields of the body, which an entry's map has next to `by` and `at`. */
  readonly fields: readonly string[];
  write(body: Body): { readonly [field: string]: CborValue };
  /** Throws RECORD_CORRUPT for anything that `write` cannot have written. */
  read(fields: Readonly<Record<string, unknown>>): Body;
  /** Returns everything that this entry reveals about the repository: its readers must be allowed to see it. */
  reveals(body: Body): Revealed;
}

/** Objects and branches whose existence an entry reveals. */
export interface Revealed {
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

// An anchor: the code that an entry is about, by the hash of its bytes. Path, symbol, blob and commit are hints where to look first;
// whether the entry still holds is decided by the bytes alone.

/** Lines counted from 1, both included. */
export interface Lines {
  start: number;
  end: number;
}

export interface Anchor {
  path: string;
  /** Qualified name of the symbol; null for lines and files. */
  symbol: string | null;
  /** Null for a whole file. */
  lines: Lines | null;
  /** Blob that the bytes were read from. */
  blob: string;
  /** Commit that was checked out; null without one, or if the bytes were not committed. */
  commit: string | null;
  size: number;
  /** First 16 bytes of the SHA-256 of the bytes, in hex. */
  content: string;
}

const HASH_BYTES = 16;
const MAX_PATH = 4_096;
const MAX_SYMBOL = 512;
const MAX_LINE = 0x7fff_ffff;
const FIELDS = ['path', 'symbol', 'lines', 'blob', 'commit', 'size', 'content'] as const;

/** Largest file that anchors can be set in, in bytes. */
export const MAX_ANCHORED_BYTES = 16 << 20;

export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256')
    .update(bytes)
    .digest('hex')
    .slice(0, HASH_BYTES * 2);
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Offsets of lines in a text, without the end of the last line; the whole text for null. Null if there are no such lines. */
export function spanOf(bytes: Buffer, lines: Lines | null): { start: number; end: number } | null {
  if (lines === null) return { start: 0, end: bytes.length };
  let start = 0;
  for (let line = 1; line < lines.start; line++) {
    const next = bytes.indexOf(NEWLINE, start);
    if (next < 0) return null;
    start = next + 1;
  }
  let end = start;
  for (let line = lines.start; ; line++) {
    const next = bytes.indexOf(NEWLINE, end);
    if (next < 0) return line < lines.end ? null : { start, end: bytes.length };
    if (line === lines.end) return { start, end: next > start && bytes[next - 1] === RETURN ? next - 1 : next };
    end = next + 1;
  }
}

interface Place {
  path: string;
  symbol: string | null;
  lines: Lines | null;
  blob: string;
  commit: string | null;
}

/** Anchors lines of a file's text; null if the file has no such lines. */
export function anchorAt(bytes: Buffer, place: Place): Anchor | null {
  const span = spanOf(bytes, place.lines);
  if (span === null) return null;
  const text = bytes.subarray(span.start, span.end);
  return { ...place, size: text.length, content: contentHash(text) };
}

function writeAnchor({ path, symbol, lines, blob, commit, size, content }: Anchor): CborValue {
  return {
    ...{ path, size, blob: oidBytes(blob), content: Buffer.from(content, 'hex') },
    ...(symbol !== null && { symbol }),
    ...(lines !== null && { lines: [lines.start, lines.end] }),
    ...(commit !== null && { commit: oidBytes(commit) }),
  };
}

/** Throws RECORD_CORRUPT for anything that `writeAnchor` cannot have written. */
function readAnchor(value: unknown): Anchor {
  const { path, symbol, lines, blob, commit, size, content } = mapField(value, FIELDS, 'the anchor');
  const hash = bytesOf(content, 'the content');
  if (hash.length !== HASH_BYTES) corrupt('the content is no hash');
  return {
    path: textField(path, MAX_PATH, 'the path'),
    symbol: optional(symbol, (it) => textField(it, MAX_SYMBOL, 'the symbol')) ?? null,
    lines: optional(lines, readLines) ?? null,
    blob: oidField(blob, 'the blob'),
    commit: optional(commit, (it) => oidField(it, 'the commit')) ?? null,
    size: countField(size, MAX_ANCHORED_BYTES, 'the size'),
    content: Buffer.from(hash).toString('hex'),
  };
}

function readLines(value: unknown): Lines {
  if (!Array.isArray(value) || value.length !== 2) corrupt('the lines are no pair');
  const [start, end] = value.map((line) => countField(line, MAX_LINE, 'a line'));
  if (start < 1 || end < start) corrupt('the lines are in no order');
  return { start, end };
}

// Reads the fields of untrusted CBOR maps. Each check throws RECORD_CORRUPT.

/** A text of at least one and at most `max` UTF-16 code units. */
export function textField(value: unknown, max: number, what: string, min = 1): string {
  if (typeof value !== 'string' || value.length < min || value.length > max)
    corrupt(`${what} is no text of ${min} to ${max} characters`);
  return value;
}

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** An id of 20 or 32 bytes as hex. */
export function oidField(value: unknown, what: string): string {
  const hex = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : '';
  return OID.test(hex) ? hex : corrupt(`${what} is no object id`);
}

export const isOid = (text: string): boolean => OID.test(text);

/** Bytes of an id, as entries hold it. */
export const oidBytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

/** A map whose keys are all in `keys`; missing ones are undefined. */
function mapField<const K extends string>(
  value: unknown,
  keys: readonly K[],
  what: string,
): Partial<Record<K, unknown>> {
  if (!(value instanceof Map)) corrupt(`${what} is no map`);
  for (const key of value.keys()) if (!keys.includes(key)) corrupt(`${what} has the unknown field ${String(key)}`);
  return Object.fromEntries(value) as Partial<Record<K, unknown>>;
}

/** One of a closed list of words. */
export function wordField<const W extends string>(value: unknown, words: readonly W[], what: string): W {
  const found = words.find((word) => word === value);
  return found ?? corrupt(`${what} is none of ${words.join(', ')}`);
}

export const countField = count;

/** A field that may be missing. */
export function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}

/** A note about a piece of code, or a statement that one is settled. */
export type NoteBody =
  | { text: string; anchor: Anchor }
  /** `text`: the reason; '' for none. */
  | { settles: string; text: string };

export const NOTES: EntryKind<NoteBody> = {
  name: NOTES_KIND,
  fields: ['text', 'about', 'settles'],
  write(body): { readonly [field: string]: CborValue } {
    if ('anchor' in body) return { text: body.text, about: writeAnchor(body.anchor) };
    return { settles: oidBytes(body.settles), ...(body.text !== '' && { text: body.text }) };
  },
  read({ text, about, settles }) {
    if (settles === undefined) return { text: textField(text, MAX_TEXT, 'the text'), anchor: readAnchor(about) };
    if (about !== undefined) corrupt('an entry both says and settles something');
    const why = optional(text, (value) => textField(value, MAX_TEXT, 'the text')) ?? '';
    return { settles: oidField(settles, 'the note that is settled'), text: why };
  },
  reveals: (body) => ('anchor' in body ? revealedBy(body.anchor) : { objects: [], branches: [] }),
};

/** Objects that an anchor names, whose existence it reveals. */
function revealedBy({ blob, commit }: Anchor): { objects: string[]; branches: string[] } {
  return { objects: commit === null ? [blob] : [blob, commit], branches: [] };
}

export interface Note extends Claim {
  id: string;
  text: string;
  anchor: Anchor;
  /** First statement that settled it; null while it is open. */
  settled: (Claim & { text: string }) | null;
}

type NoteEntry = Entry<NoteBody>;

/** Sorts earlier entries first, and equal times by id, so that every clone has one order. */
export const inTime = (a: Claim & { id: string }, b: Claim & { id: string }): number =>
  a.time - b.time || (a.id < b.id ? -1 : 1);

/** The notes of a set of entries, oldest first. */
export function notesOf(entries: Iterable<NoteEntry>): Note[] {
  const all = [...entries].sort(inTime);
  const settled = new Map<string, NonNullable<Note['settled']>>();
  for (const { author, time, body } of all)
    if ('settles' in body && !settled.has(body.settles)) settled.set(body.settles, { author, time, text: body.text });
  return all.flatMap(({ id, author, time, body }) =>
    'anchor' in body ? [{ id, author, time, ...body, settled: settled.get(id) ?? null }] : [],
  );
}

const MAX_TAG = 64;

export interface TagBody {
  tag: string;
  anchor: Anchor;
  /** The code does not have the tag, whatever rules or earlier entries say. */
  isOff: boolean;
}

export const TAGS: EntryKind<TagBody> = {
  name: TAGS_KIND,
  fields: ['tag', 'about', 'off'],
  write: ({ tag, anchor, isOff }): { readonly [field: string]: CborValue } => ({
    ...{ tag, about: writeAnchor(anchor) },
    ...(isOff && { off: true }),
  }),
  read({ tag, about, off }) {
    if (off !== undefined && off !== true) corrupt('off is neither true nor missing');
    return { tag: textField(tag, MAX_TAG, 'the tag'), anchor: readAnchor(about), isOff: off === true };
  },
  reveals: ({ anchor }) => revealedBy(anchor),
};

/** A tag that somebody gave or took away by hand. */
export interface HandTag extends Claim, TagBody {
  id: string;
}

/** Returns the last entry about each tag of the very same bytes, oldest first. */
export function handTagsOf(entries: Iterable<Entry<TagBody>>): HandTag[] {
  const last = new Map<string, HandTag>();
  for (const { id, author, time, body } of [...entries].sort(inTime)) {
    const { tag, anchor } = body;
    const key = JSON.stringify([tag, anchor.path, anchor.symbol, anchor.lines, anchor.content]);
    last.delete(key);
    last.set(key, { id, author, time, ...body });
  }
  return [...last.values()];
}

/** Limit on the entries of a set, so that a reader's memory stays below 100 MB. */
export const MAX_ENTRIES = 20_000;
const READ_AT_ONCE = 512;

export interface StoredEntry<Body> {
  entry: Entry<Body>;
  /** True in the ref that pushes send. */
  isShared: boolean;
}

export interface EntrySet<Body> {
  entries: StoredEntry<Body>[];
  /** Entries that this version cannot read: damaged, or of a later version. */
  unreadable: number;
}

interface Source {
  repository: Repository;
  objects: ObjectReader;
}

/** One set. `refOf(true)`: the shared ref; `refOf(false)`: the private one. */
export class EntryStore<Body> {
  constructor(
    private readonly source: Source,
    private readonly kind: EntryKind<Body>,
    private readonly set: string,
  ) {}

  refOf(isShared: boolean): string {
    return refOfSet(this.kind.name, this.set, isShared);
  }

  /** Commits of the shared and the private ref; null for a missing one. Two look-ups in a process that runs anyway. */
  async tips(): Promise<[shared: string | null, own: string | null]> {
    const [shared, own] = await Promise.all([true, false].map((is) => notesTip(this.source.objects, this.refOf(is))));
    return [shared, own];
  }

  /** Reads all entries. One that is in both refs counts as shared. Throws what git's failures throw. */
  async read(): Promise<EntrySet<Body>> {
    const [shared, own] = await this.tips();
    const found = new Map<string, StoredEntry<Body>>();
    let unreadable = 0;
    for (const [tip, isShared] of [[shared, true] as const, [own, false] as const]) {
      if (tip === null) continue;
      const { notes } = await listNotes(this.source.repository.git, tip);
      const fresh = [...notes].filter(([id]) => !found.has(id)).slice(0, MAX_ENTRIES);
      unreadable += Math.max(0, notes.size - MAX_ENTRIES);
      for (let at = 0; at < fresh.length; at += READ_AT_ONCE) {
        const read = await Promise.all(fresh.slice(at, at + READ_AT_ONCE).map(([id, blob]) => this.readOne(id, blob)));
        for (const entry of read)
          if (entry === null) unreadable++;
          else found.set(entry.id, { entry, isShared });
      }
    }
    return { entries: [...found.values()], unreadable };
  }

  private async readOne(id: string, blob: string): Promise<Entry<Body> | null> {
    const info = await this.source.objects.info(blob);
    if (info?.type !== 'blob' || info.size > MAX_ENTRY_BYTES) return null;
    const object = await this.source.objects.read(blob);
    const decoded = object === null ? null : decodeEntry(this.kind, object.content, id);
    return decoded?.ok ? decoded.record : null;
  }

  /** Adds an entry and returns its id. Throws BAD_ARGUMENT for a full set, and what `writeNotes` throws. */
  async add(claim: Claim & { body: Body }, isShared: boolean, known: number): Promise<string> {
    const [id] = await this.addAll([claim], isShared, known);
    return id;
  }

  /** Adds entries together, as one commit. `known`: number of entries in the set. Throws as `add` does. */
  async addAll(claims: readonly (Claim & { body: Body })[], isShared: boolean, known: number): Promise<string[]> {
    if (claims.length === 0) return [];
    if (known + claims.length > MAX_ENTRIES)
      throw new SocraticodeError(
        'BAD_ARGUMENT',
        `there are ${groupDigits(known)} entries, and ${groupDigits(MAX_ENTRIES)} are the most that are kept`,
      );
    const { objectFormat } = this.source.repository;
    const encoded = claims.map((claim) => encodeEntry(this.kind, claim, objectFormat));
    await this.write(
      encoded.map(({ id, bytes }) => ({ target: id, note: bytes })),
      isShared,
    );
    return encoded.map(({ id }) => id);
  }

  /** Copies private entries to the shared ref, which pushes send. */
  async share(entries: readonly Entry<Body>[]): Promise<void> {
    const { objectFormat } = this.source.repository;
    const notes = entries.map((entry) => {
      const { id, bytes } = encodeEntry(this.kind, entry, objectFormat);
      return { target: id, note: bytes };
    });
    await this.write(notes, true);
  }

  private async write(notes: readonly GitNote[], isShared: boolean): Promise<void> {
    await writeNotes(this.source.repository, this.refOf(isShared), notes);
  }
}

// Approvals: code that somebody has seen and agreed to, by its content.

/** Kinds of changed code. `outside`: text of a file outside of its symbols; `file`: a file that is compared as a whole. */
const APPROVED = ['symbol', 'outside', 'file', 'mode', 'removed'] as const;
export type ApprovedKind = (typeof APPROVED)[number];

/** Hashes of one text: as it is, without its own name, and without indentation. */
export interface SeenHashes {
  exact: string;
  nameless: string;
  loose: string;
}

export interface ApprovedCode extends SeenHashes {
  what: ApprovedKind;
  path: string;
  /** Qualified name; '' where there is none. */
  symbol: string;
  /** Blob that the text was read from. */
  blob: string;
}

export interface ApprovalBody {
  /** Newer side of the change that was reviewed. */
  commit: string;
  code: readonly ApprovedCode[];
  /** True if these approvals of the author are taken back. */
  isOff: boolean;
  /** A commit whose message is the digest of this approval, as `git commit-tree -S` signed it; '' for none. */
  signature: string;
}

/** Approvals of one entry, and bytes of their texts; more make further entries. */
const MAX_APPROVED = 60;
const MAX_APPROVED_BYTES = 40_000;
export const MAX_SIGNATURE = 16_000;
const SEEN_BYTES = 3 * 32;

/** Text that a signature is about: the hash, in hex, of the entry without its signature. */
export function signedDigest<Body>(kind: EntryKind<Body>, { author, time, body }: Claim & { body: Body }): string {
  const said = encodeCanonical({ by: writeAuthor(author), at: time, ...kind.write(body) });
  return createHash('sha256').update(`${kind.name}\0`).update(said).digest('hex');
}

export const approvalDigest = (claim: Claim & { body: ApprovalBody }): string =>
  signedDigest(APPROVALS, { ...claim, body: { ...claim.body, signature: '' } });

export const APPROVALS: EntryKind<ApprovalBody> = {
  name: APPROVALS_KIND,
  fields: ['commit', 'code', 'off', 'signature'],
  write: ({ commit, code, isOff, signature }): { readonly [field: string]: CborValue } => ({
    commit: oidBytes(commit),
    code: code.map(({ what, path, symbol, blob, exact, nameless, loose }) => [
      ...[APPROVED.indexOf(what), path, symbol, oidBytes(blob)],
      Buffer.from(`${exact}${nameless}${loose}`, 'hex'),
    ]),
    ...(isOff && { off: true }),
    ...(signature !== '' && { signature }),
  }),
  read({ commit, code, off, signature }) {
    if (off !== undefined && off !== true) corrupt('off is neither true nor missing');
    if (!Array.isArray(code) || code.length === 0 || code.length > MAX_APPROVED) corrupt('the code is no list');
    return {
      commit: oidField(commit, 'the commit'),
      code: code.map(readApproved),
      isOff: off === true,
      signature: optional(signature, (text) => textField(text, MAX_SIGNATURE, 'the signature')) ?? '',
    };
  },
  reveals: ({ commit, code }) => ({ objects: [...new Set([commit, ...code.map(({ blob }) => blob)])], branches: [] }),
};

function readApproved(value: unknown): ApprovedCode {
  if (!Array.isArray(value) || value.length !== 5) corrupt('approved code has another form');
  const [what, path, symbol, blob, hashes] = value;
  const bytes = bytesOf(hashes, 'the hashes');
  if (bytes.length !== SEEN_BYTES) corrupt('the hashes are none');
  const hex = Buffer.from(bytes).toString('hex');
  return {
    what: APPROVED[countField(what, APPROVED.length - 1, 'the kind')],
    path: textField(path, MAX_PATH, 'the path'),
    symbol: textField(symbol, MAX_SYMBOL, 'the symbol', 0),
    blob: oidField(blob, 'the blob'),
    ...{ exact: hex.slice(0, 64), nameless: hex.slice(64, 128), loose: hex.slice(128) },
  };
}

/** Groups code into as many entries as it takes. */
export const packApproved = (all: readonly ApprovedCode[]): ApprovedCode[][] =>
  packed(
    all,
    ({ path, symbol }) => 2 * SEEN_BYTES + 4 * (path.length + symbol.length),
    MAX_APPROVED,
    MAX_APPROVED_BYTES,
  );

/** Parts of a list, in its order, that each have no more items and bytes than an entry may have. */
export function packed<T>(all: readonly T[], sizeOf: (one: T) => number, most: number, mostBytes: number): T[][] {
  const packs: T[][] = [];
  let bytes = 0;
  for (const one of all) {
    const size = sizeOf(one);
    if (packs.length === 0 || bytes + size > mostBytes || packs[packs.length - 1].length === most) {
      packs.push([]);
      bytes = 0;
    }
    packs[packs.length - 1].push(one);
    bytes += size;
  }
  return packs;
}
