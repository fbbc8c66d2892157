/** Does a shard say what its records say? It is built again from them, and compared byte by byte. */
import { createHash } from 'node:crypto';
import { presentObjects } from '../../../git/ref-check.js';
import { decodeChunksAndSymbols } from '../../../record/codec.js';
import { MAX_BLOB_BYTES, MAX_RECORD_BYTES } from '../../../record/limits.js';
import { LexicalBuilder } from '../../../shard/builder.js';
import { DOCUMENT_COLUMNS, encodeLexical } from '../../../shard/columns.js';
import { LexicalShard } from '../../../shard/lexical.js';
import { mergeLexical } from '../../../shard/merge.js';
import { type Check, placeOf } from '../check.js';
import type { CheckedNotes } from './check-notes.js';
import { readNotes } from './note-reader.js';

/** Input from which a shard is built again. */
interface Rebuilding {
  check: Check;
  shard: LexicalShard;
  notes: CheckedNotes | null;
  /** Units that nothing here can be compared with, by reason, and their blobs. */
  left: Map<string, number>;
  leftBlobs: Set<string>;
  /** Blobs whose record says something else, as was seen on the way. */
  wrong: Set<string>;
}

/** Reports what differs; true if nothing does. */
export async function compareShard(check: Check, shard: LexicalShard, notes: CheckedNotes | null): Promise<boolean> {
  const rebuilding: Rebuilding = { check, shard, notes, left: new Map(), leftBlobs: new Set(), wrong: new Set() };
  await markMissing(check, shard);
  const plan = planUnits(rebuilding);
  const rebuilt = await rebuild(rebuilding, plan);
  check.counts.units += plan.length;
  const { left, wrong } = rebuilding;
  if (left.size > 0) {
    const reasons = [...left].map(([reason, count]) => `${count} ${reason}`).join(', ');
    check.findings.add('units-not-compared', shard.name, `blobs that nothing here can be compared with: ${reasons}`);
  }
  if (wrong.size === 0 && isSame(rebuilding, rebuilt)) return true;
  report(rebuilding, rebuilt);
  return false;
}

/** In a partial clone git would fetch what is asked for. */
async function markMissing({ isPartial, objects, session }: Check, shard: LexicalShard): Promise<void> {
  if (!isPartial) return;
  const wanted = new Set(Array.from({ length: shard.meta.units }, (_, unit) => shard.unitOid(unit)));
  const present = await presentObjects(session.repository.git, wanted);
  objects.setMissing([...wanted].filter((oid) => !present.has(oid)));
}

interface PlannedUnit {
  unit: number;
  oid: string;
  language: string;
  /** The note; null for a unit without chunks. */
  note: string | null;
}

/** Units in the order of their documents, as they were added, but those that cannot be built again. */
function planUnits({ shard, notes, left, leftBlobs, wrong }: Rebuilding): PlannedUnit[] {
  const { meta, unitFirst, unitDocuments } = shard;
  const order = Array.from({ length: meta.units }, (_, unit) => unit);
  // Units without chunks precede the one whose first chunk they share.
  order.sort((a, b) => unitFirst[a] - unitFirst[b] || unitDocuments[a] - unitDocuments[b]);
  const leave = (oid: string, reason: string) => {
    left.set(reason, (left.get(reason) ?? 0) + 1);
    leftBlobs.add(oid);
  };
  const planned: PlannedUnit[] = [];
  for (const unit of order) {
    const [oid, language, state] = [shard.unitOid(unit), shard.unitLanguageId(unit), shard.unitState(unit)];
    const shape = notes?.shapes.get(oid);
    if (state !== null && unitDocuments[unit] === 0) {
      planned.push({ unit, oid, language, note: null });
      if (shape?.has(language) && state !== 'too-large') wrong.add(oid);
    } else if (state !== null) leave(oid, state);
    else if (shape === null) wrong.add(oid);
    else if (!shape?.has(language)) leave(oid, 'without a record');
    else planned.push({ unit, oid, language, note: notes?.good.get(oid) ?? null });
  }
  return planned;
}

/** The shard as its records have it. */
async function rebuild(rebuilding: Rebuilding, plan: readonly PlannedUnit[]): Promise<Buffer> {
  const { check, shard, left, leftBlobs } = rebuilding;
  const builder = new LexicalBuilder(shard.meta.oidBytes);
  const noted = new Set(plan.filter(({ oid, note }) => note !== null && !leftBlobs.has(oid)));
  const notes = readNotes(noted, check.objects, ({ note }) => note as string, MAX_RECORD_BYTES);
  const blobs = readNotes(noted, check.objects, ({ oid }) => oid, MAX_BLOB_BYTES);
  for (const planned of plan) {
    check.signal?.throwIfAborted();
    const { unit, oid, language } = planned;
    if (!noted.has(planned)) {
      if (leftBlobs.has(oid)) continue;
      const state = shard.unitState(unit);
      const info = await check.objects.info(oid);
      if (state !== null) builder.addSkipped(oid, language, state, info?.size ?? shard.unitSize[unit]);
      continue;
    }
    const note = (await notes.next()).value?.content;
    const bytes = (await blobs.next()).value?.content;
    const decoded = note ? decodeChunksAndSymbols(note, oid) : null;
    const facts = decoded?.ok && 'facts' in decoded.record ? decoded.record.facts[language] : undefined;
    if (!bytes || facts === undefined) {
      left.set('that are not here', (left.get('that are not here') ?? 0) + 1);
      leftBlobs.add(oid);
    } else builder.add(oid, language, facts, bytes);
  }
  return encodeLexical(builder.finish());
}

function isSame({ shard, leftBlobs }: Rebuilding, rebuilt: Buffer): boolean {
  // Names are made of contents.
  if (leftBlobs.size === 0) return shard.name === `lexical-${sha256(rebuilt).slice(0, 16)}.bin`;
  try {
    const rest = encodeLexical(mergeLexical([shard], (oid) => !leftBlobs.has(oid)));
    return rest.equals(encodeLexical(mergeLexical([new LexicalShard(rebuilt, shard.name)])));
  } catch {
    return false;
  }
}

/** Says which blobs differ, as far as that can be said. */
function report({ check, shard, leftBlobs, wrong }: Rebuilding, rebuilt: Buffer): void {
  const differing = new Set([...wrong, ...differingBlobs(shard, new LexicalShard(rebuilt, shard.name), leftBlobs)]);
  for (const oid of differing)
    check.findings.add('shard-differs', shard.name, 'a blob is not what its record says', placeOf(check, oid));
  if (differing.size === 0)
    check.findings.add('shard-differs', shard.name, 'its words differ from the words of its blobs');
}

function differingBlobs(shard: LexicalShard, rebuilt: LexicalShard, leftBlobs: ReadonlySet<string>): string[] {
  const differing: string[] = [];
  for (let unit = 0; unit < shard.meta.units; unit++) {
    const oid = shard.unitOid(unit);
    if (leftBlobs.has(oid)) continue;
    const other = rebuilt.findUnit(oid, shard.unitLanguageId(unit));
    if (other < 0 || describeUnit(shard, unit) !== describeUnit(rebuilt, other)) differing.push(oid);
  }
  return differing;
}

function describeUnit(shard: LexicalShard, unit: number): string {
  const first = shard.unitFirst[unit];
  const documents = Array.from({ length: shard.unitDocuments[unit] }, (_, i) => {
    const columns = DOCUMENT_COLUMNS.map((name) => (name === 'symbol' ? 0 : shard.columns[name][first + i]));
    return [...columns, symbolOf(shard, first + i)];
  });
  return JSON.stringify([shard.unitFlags[unit], shard.unitSize[unit], documents]);
}

function symbolOf(shard: LexicalShard, document: number): string | null {
  try {
    return shard.documentSymbol(document);
  } catch {
    return null;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
