/**
 * Turns planned blobs into facts: from a good record if there is one, else by parsing. Yields in the order of the plan, whatever order
 * the parsers finish in, so that the same plan gives the same shard bytes.
 */
import { log } from '../base/log.js';
import { skipReason } from '../extract/content.js';
import type { BlobFacts, ContentSkipReason, DegradedReason } from '../extract/facts.js';
import type { ObjectReader } from '../git/objects.js';
import { languageOfContent } from '../languages/detect.js';
import { PLAIN_TEXT } from '../languages/registry.js';
import type { SyntaxRecord } from '../record/format.js';
import type { SyntaxStore } from '../record/store.js';
import { contradiction, decodeSyntaxRecord, encodeSyntaxRecord } from '../record/syntax-codec.js';
import type { UnitState } from '../shard/lexical-format.js';
import type { ParserPool } from './parser-pool.js';
import type { PlannedBlob } from './run.js';

/** Facts of one blob in one language, ready for the shard. `state`: why there are none, or why no record may hold them. */
type DerivedUnit =
  | { language: string; facts: BlobFacts; state: UnitState | undefined }
  | { language: string; facts: null; state: UnitState };

export interface DerivedBlob {
  oid: string;
  /** Content of the blob; null if it could not be read or is too large. */
  bytes: Uint8Array | null;
  /** Content as it is stored, if that is not UTF-8. */
  stored?: Buffer;
  size: number;
  units: DerivedUnit[];
  /** Note to write; null if the store has it already or it must not be shared. */
  note: Uint8Array | null;
  source: 'record' | 'parse' | 'none';
}

export type BlobToDerive = Omit<PlannedBlob, 'sharded'>;

interface DeriveContext {
  objects: Pick<ObjectReader, 'read' | 'info'>;
  store: Pick<SyntaxStore, 'read'>;
  pool: Pick<ParserPool, 'parse'> & Partial<Pick<ParserPool, 'size'>>;
  maxFileBytes: number;
  signal?: AbortSignal;
  onBadRecord: (oid: string, reason: string) => void;
  /** True if the caller needs relations. Shards do not. */
  relations?: boolean;
}

/** Bytes of source in flight for each parser: enough to keep it busy at little memory. */
const WINDOW_BYTES = 4 << 20;
const WINDOW_BLOBS = 80;
/** Number of parsers that the window suits at least, even for a caller that mostly reads records. */
const LEAST_PARSERS = 2;

export async function* deriveBlobs(
  blobs: readonly BlobToDerive[],
  context: DeriveContext,
): AsyncGenerator<DerivedBlob> {
  const flying: { result: Promise<DerivedBlob>; size: number }[] = [];
  let flyingBytes = 0;
  let next = 0;
  const sizes = sizeLookup(blobs, context.objects);
  const parsers = Math.max(LEAST_PARSERS, context.pool.size ?? LEAST_PARSERS);
  const [mostBlobs, mostBytes] = [WINDOW_BLOBS * parsers, WINDOW_BYTES * parsers];
  try {
    while (next < blobs.length || flying.length > 0) {
      context.signal?.throwIfAborted();
      // Refilled when half empty, so that many requests to git and to the parsers travel together.
      const refill = flying.length <= mostBlobs / 2;
      while (refill && next < blobs.length && flying.length < mostBlobs && flyingBytes < mostBytes) {
        const blob = blobs[next];
        const size = await sizes(next++);
        const result = deriveBlob(blob, size, context);
        result.catch(() => {}); // The loop below awaits it in order; until then a rejection must not count as unhandled.
        flying.push({ result, size: size ?? 0 });
        flyingBytes += size ?? 0;
      }
      const head = flying.shift() as (typeof flying)[number];
      yield await head.result;
      flyingBytes -= head.size;
    }
  } finally {
    await Promise.allSettled(flying.map((item) => item.result));
  }
}

/**
 * Returns a look-up of blob sizes that asks git for a few hundred blobs ahead: one round trip per blob would cost more than the answer.
 */
function sizeLookup(
  blobs: readonly BlobToDerive[],
  objects: DeriveContext['objects'],
): (index: number) => Promise<number | null> {
  const AHEAD = 256;
  const requested: Promise<number | null>[] = [];
  return (index) => {
    while (requested.length < blobs.length && requested.length <= index + AHEAD) {
      const size = objects.info(blobs[requested.length].oid).then((info) => (info?.type === 'blob' ? info.size : null));
      size.catch(() => {}); // Awaited in its turn, or never if the session is closed before.
      requested.push(size);
    }
    return requested[index];
  };
}

async function deriveBlob(blob: BlobToDerive, size: number | null, context: DeriveContext): Promise<DerivedBlob> {
  const { oid } = blob;
  if (size === null) return { oid, bytes: null, size: 0, units: [], note: null, source: 'none' };
  if (size > context.maxFileBytes) {
    const units = blob.languages.map((language) => ({
      language: language ?? PLAIN_TEXT,
      facts: null,
      state: 'too-large' as const,
    }));
    return { oid, bytes: null, size, units, note: null, source: 'none' };
  }
  // Both at once, since each answer is a round trip to git.
  const whole = context.relations === true;
  const [object, found] = await Promise.all([context.objects.read(oid), knownRecord(oid, context, { whole })]);
  if (object === null) return { oid, bytes: null, size: 0, units: [], note: null, source: 'none' };
  const { content: bytes, stored } = object;
  const noted = believed(found, oid, bytes, context);
  const languages = [...new Set(blob.languages.map((language) => language ?? languageOfContent(bytes)))];
  if (noted !== null && missingLanguages(noted, languages).length === 0) {
    return { oid, bytes, stored, size, units: unitsOf(noted, languages), note: null, source: 'record' };
  }
  // The facts of its other languages are written again together with the missing ones, so the whole record is read.
  const read = noted === null || whole ? noted : await knownRecord(oid, context, { whole: true });
  const known = believed(read, oid, bytes, context);
  const missing = known === null ? languages : missingLanguages(known, languages);
  return { ...(await parseBlob(oid, bytes, { languages, missing, known }, context)), stored, size };
}

async function knownRecord(
  oid: string,
  context: DeriveContext,
  options: { whole: boolean },
): Promise<SyntaxRecord | null> {
  const decoded = await context.store.read(oid, options);
  if (decoded === null) return null;
  if (!decoded.ok) context.onBadRecord(oid, `${decoded.reason}: ${decoded.detail}`);
  return decoded.ok ? decoded.record : null;
}

/** Returns the record if the content confirms what it claims, else null. */
function believed(
  record: SyntaxRecord | null,
  oid: string,
  bytes: Uint8Array,
  context: DeriveContext,
): SyntaxRecord | null {
  if (record === null) return null;
  const isFalse = 'skip' in record && skipReason(bytes) !== record.skip;
  const wrong = isFalse
    ? `the record says ${record.skip}, but the blob's content does not`
    : contradiction(record, bytes);
  if (wrong !== null) context.onBadRecord(oid, wrong);
  return wrong === null ? record : null;
}

function missingLanguages(record: SyntaxRecord, languages: readonly string[]): string[] {
  return 'skip' in record ? [] : languages.filter((language) => record.facts[language] === undefined);
}

function unitsOf(record: SyntaxRecord, languages: readonly string[]): DerivedUnit[] {
  return languages.map((language): DerivedUnit => {
    if ('skip' in record) return { language, facts: null, state: record.skip satisfies ContentSkipReason };
    return { language, facts: record.facts[language], state: undefined };
  });
}

interface ParseRequest {
  languages: string[];
  missing: string[];
  known: SyntaxRecord | null;
}

async function parseBlob(
  oid: string,
  bytes: Buffer,
  request: ParseRequest,
  context: DeriveContext,
): Promise<DerivedBlob> {
  const { known } = request;
  const shared: Record<string, BlobFacts> = known !== null && 'facts' in known ? { ...known.facts } : {};
  const present = request.languages.filter((language) => !request.missing.includes(language));
  const units: DerivedUnit[] = unitsOf({ facts: shared }, present);
  const notes: Uint8Array[] = [];
  for (const language of request.missing) {
    const { record, state, encoded } = await parseOne(oid, bytes, language, context);
    if ('skip' in record) {
      const note = encoded ?? encodeSyntaxRecord(oid, record);
      const skipped = request.languages.map((each) => ({ language: each, facts: null, state: record.skip }));
      return { oid, bytes, size: bytes.length, units: skipped, note, source: 'parse' };
    }
    const facts = record.facts[language];
    units.push({ language, facts, state });
    if (encoded === null) continue;
    shared[language] = facts;
    notes.push(encoded);
  }
  // The child's encoding is the whole record, unless facts of other languages have to be added.
  const alone = notes.length === 1 && Object.keys(shared).length === 1;
  const note = notes.length === 0 ? null : alone ? notes[0] : encodeSyntaxRecord(oid, { facts: shared });
  return { oid, bytes, size: bytes.length, units, note, source: 'parse' };
}

interface ParsedBlob {
  record: SyntaxRecord;
  state: UnitState | undefined;
  /** Record as bytes for a note; null if it must not be shared. */
  encoded: Uint8Array | null;
}

async function parseOne(oid: string, bytes: Buffer, language: string, context: DeriveContext): Promise<ParsedBlob> {
  const outcome = await context.pool.parse({ oid, language, bytes });
  let degrade: DegradedReason;
  if ('record' in outcome) {
    const decoded = decodeSyntaxRecord(outcome.record, oid);
    const state = outcome.degraded ?? undefined;
    if (decoded.ok) return { record: decoded.record, state, encoded: state === undefined ? outcome.record : null };
    degrade = decoded.reason === 'too-large' ? 'record-too-large' : 'record-refused';
    log.debug(`the record of ${oid} is refused: ${decoded.reason}, ${decoded.detail}`);
  } else degrade = outcome.failed;
  // Imported on demand: this is rare, and the parsers' rule tables take a while to load.
  const [{ extract }, { loadRules }] = await Promise.all([
    import('../extract/extract.js'),
    import('../languages/registry.js'),
  ]);
  await loadRules(language);
  const extraction = extract(bytes, language, { degrade });
  if ('skip' in extraction)
    return { record: extraction, state: undefined, encoded: encodeSyntaxRecord(oid, extraction) };
  return { record: { facts: { [language]: extraction.facts } }, state: degrade, encoded: null };
}
