/** Checks the shards of the manifest: whether they are the published files, and hold what the records say. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isLink, plainFileAt, readPlainFile } from '../../base/atomic.js';
import type { Progress } from '../../base/progress.js';
import { MAX_BLOB_BYTES, MAX_RECORD_BYTES } from '../../record/format.js';
import { decodeChunksAndSymbols } from '../../record/syntax-codec.js';
import { snapshotKey } from '../../session/indexing/known-snapshot.js';
import { countUnits } from '../../session/snapshot/coverage.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { LexicalBuilder } from '../../shard/builder.js';
import type { CompleteSnapshot, Manifest, ShardEntry } from '../../shard/directory.js';
import { DOCUMENT_COLUMNS, encodeLexical, hnswPath, needsRecord, vectorPath } from '../../shard/lexical-format.js';
import { LexicalShard } from '../../shard/lexical-shard.js';
import { mergeLexical } from '../../shard/merge.js';
import { type Check, type FindingKind, markMissing, placeOf, readNotes, unlessThrown } from './check.js';
import type { CheckedNotes } from './check-notes.js';

export interface CheckedShards {
  manifest: Manifest;
  /** Usable shards, in the order of the manifest. */
  sound: LexicalShard[];
  /** Absolute paths of files that must not be used any more. */
  bad: string[];
  /** The manifest contradicts the notes. */
  isWrongAboutNotes: boolean;
  /** Keys of snapshots that the manifest falsely calls complete. */
  incomplete: string[];
  /** False if a link leads out of the local state, so that nothing there is ours. */
  isOurs: boolean;
}

/** `notes` are the checked notes of this version's syntax records; null if there are none. */
export async function checkShards(
  check: Check,
  notes: CheckedNotes | null,
  progress: Progress,
): Promise<CheckedShards> {
  const { shards, repository } = check.session;
  const { directory } = shards;
  const { state, manifest } = shards.inspectManifest();
  const checked: CheckedShards = {
    ...{ manifest, sound: [], bad: [], isWrongAboutNotes: false, incomplete: [], isOurs: true },
  };
  for (const path of [join(repository.commonDir, 'socraticode'), directory]) {
    if (!isLink(path)) continue;
    const hint = `Remove it, then run again: ${path}`;
    check.findings.add('state-link', path, 'it is a symbolic link, which is not followed', { hint });
    return { ...checked, isOurs: false };
  }
  if (state === 'damaged') {
    check.findings.add('manifest-damaged', 'manifest.json', 'it is damaged, or was not written here by this user');
    checked.bad.push(join(directory, 'manifest.json'));
  }
  let done = 0;
  for (const entry of manifest.shards) {
    check.signal?.throwIfAborted();
    const shard = openShard(check, directory, entry, checked);
    progress.update(++done, manifest.shards.length);
    if (shard === null) continue;
    const isSame = await compareShard(check, shard, notes);
    if (isSame) checked.sound.push(shard);
    else checked.bad.push(join(directory, entry.file));
  }
  checkVectorFiles(check, checked);
  checked.isWrongAboutNotes = checkUnrecorded(check, checked, notes);
  // Every snapshot lacks the wrong shards, which were reported already.
  if (checked.sound.length === manifest.shards.length) checked.incomplete = await checkSnapshots(check, checked);
  return checked;
}

/** Null for an unusable file, which is added to `checked.bad` if it exists. */
function openShard(
  check: Check,
  directory: string,
  entry: ShardEntry,
  checked: Pick<CheckedShards, 'bad'>,
): LexicalShard | null {
  const path = join(directory, entry.file);
  const opened = readShard(path, entry);
  if (opened instanceof LexicalShard) {
    check.counts.shards++;
    return opened;
  }
  const [kind, message, twice] = opened;
  check.findings.add(kind, entry.file, message, twice === undefined ? {} : placeOf(check, twice));
  if (kind !== 'shard-missing') checked.bad.push(path);
  return null;
}

/** `blob`: the one that the fault is about. */
type ShardFault = readonly [kind: FindingKind, message: string, blob?: string];

/** A shard that is the published file and consistent in itself, or the first fault of the file. */
function readShard(path: string, entry: ShardEntry): LexicalShard | ShardFault {
  const stat = plainFileAt(path);
  if (stat === null) return ['shard-missing', 'the manifest names it, and there is no such file'];
  if (stat.size !== entry.bytes) return ['shard-damaged', `it has ${stat.size} bytes instead of ${entry.bytes}`];
  const bytes = readPlainFile(path, entry.bytes);
  if (bytes === null || sha256(bytes) !== entry.sha256) return ['shard-damaged', 'it fails its checksum'];
  const shard = tryOpen(bytes, entry.file);
  const fault = typeof shard === 'string' ? shard : countFault(shard, entry);
  if (typeof shard === 'string' || fault !== null) return ['shard-counts', fault ?? 'it cannot be opened'];
  const twice = unitTwice(shard);
  return twice === null ? shard : ['unit-twice', 'it lists a blob twice', twice];
}

function tryOpen(bytes: Buffer, name: string): LexicalShard | string {
  try {
    return new LexicalShard(bytes, name);
  } catch (error) {
    return (error as Error).message;
  }
}

/** First inconsistency as a sentence, or null. It bounds the loops below by the length of the columns. */
function countFault(shard: LexicalShard, entry: ShardEntry): string | null {
  const { units, documents, oidBytes } = shard.meta;
  if (units !== entry.units || documents !== entry.documents)
    return `it says ${units} units and ${documents} chunks, the manifest ${entry.units} and ${entry.documents}`;
  const perUnit = [shard.unitFlags, shard.unitSize, shard.unitFirst, shard.unitDocuments];
  const isWhole =
    (oidBytes === 20 || oidBytes === 32) &&
    perUnit.every((column) => column.length === units) &&
    DOCUMENT_COLUMNS.every((name) => shard.columns[name].length === documents);
  if (!isWhole) return 'its columns have different lengths';
  let sum = 0;
  for (let unit = 0; unit < units; unit++) {
    sum += shard.unitDocuments[unit];
    if (shard.unitFirst[unit] + shard.unitDocuments[unit] > documents) return 'a unit reaches beyond the last chunk';
  }
  return sum === documents ? null : `its units have ${sum} chunks, ${documents} are there`;
}

/** Finds a repeated unit. Units are sorted by blob and language. */
function unitTwice(shard: LexicalShard): string | null {
  const nameOf = (unit: number) => `${shard.unitOid(unit)} ${shard.unitLanguageId(unit)}`;
  const seen = new Set<string>();
  for (let unit = 0; unit < shard.meta.units; unit++) {
    if (seen.has(nameOf(unit))) return shard.unitOid(unit);
    seen.add(nameOf(unit));
  }
  return null;
}

/** If the manifest vouches for the notes, each unit has a record, or is listed as having none. */
function checkUnrecorded(check: Check, { manifest, sound }: CheckedShards, notes: CheckedNotes | null): boolean {
  if (manifest.notes === null || manifest.notes !== notes?.commit) return false;
  // Bad notes were reported already.
  const listed = new Set([...(manifest.unrecorded ?? []), ...notes.bad.map(({ target }) => target)]);
  let isWrong = false;
  for (const shard of sound) {
    for (let unit = 0; unit < shard.meta.units; unit++) {
      const oid = shard.unitOid(unit);
      if (!needsRecord(shard.unitState(unit)) || notes.good.has(oid) || listed.has(oid)) continue;
      check.findings.add(
        'unit-unrecorded',
        shard.name,
        'a blob has no record, and the manifest does not say so',
        placeOf(check, oid),
      );
      isWrong = true;
    }
  }
  return isWrong;
}

// Checks snapshots that the manifest calls complete.

/** Most branches and earlier HEADs whose trees are tried: the manifest has keys of snapshots, not trees. */
const LATEST_BRANCHES = 24;
const LATEST_HEADS = 24;

/** Keys of snapshots that the manifest falsely calls complete. */
async function checkSnapshots(check: Check, shards: CheckedShards): Promise<string[]> {
  const { manifest } = shards;
  const claims = new Map(manifest.complete.map((snapshot) => [snapshot.key, snapshot]));
  const wrong: string[] = [];
  for (const ref of claims.size === 0 ? [] : [undefined, ...(await candidates(check))]) {
    check.signal?.throwIfAborted();
    const origin = await check.session.origin(ref).catch(() => null);
    const claim = origin && claims.get(snapshotKey(origin));
    if (!origin || !claim) continue;
    claims.delete(claim.key);
    const fault = await faultOf(check, origin, claim, shards);
    if (fault === null) continue;
    check.findings.add('snapshot-incomplete', 'manifest.json', `${ref ?? 'HEAD'} is said to be complete: ${fault}`);
    wrong.push(claim.key);
  }
  return wrong;
}

/** Tips of branches, latest first, and recent values of HEAD. */
async function candidates({ session }: Check): Promise<string[]> {
  const { git } = session.repository;
  const format = ['--sort=-committerdate', `--count=${LATEST_BRANCHES}`, '--format=%(objectname)'];
  const tips = await git.run(['for-each-ref', ...format, '--end-of-options', 'refs/heads/'], { allow: [128] });
  const walk = ['log', '--walk-reflogs', `--max-count=${LATEST_HEADS}`, '--format=%H', '--end-of-options', 'HEAD'];
  const heads = await git.run(walk, { allow: [128] });
  const lines = `${tips.stdout.toString('latin1')}\n${heads.stdout.toString('latin1')}`.split('\n');
  return [...new Set(lines.filter((line) => line !== ''))];
}

async function faultOf(
  check: Check,
  origin: SnapshotOrigin,
  claim: CompleteSnapshot,
  { sound, manifest }: CheckedShards,
): Promise<string | null> {
  const scope = await check.session.filesOf(origin).catch(() => null);
  if (scope === null) return null;
  check.counts.snapshots++;
  const counts = countUnits(scope, sound, manifest);
  if (counts.missing > 0) return `${counts.missing} of its files are in no shard`;
  const { files, chunks, skipped, degraded, parseErrors } = counts;
  const said = [claim.files, claim.chunks, claim.blobs, claim.skipped, claim.degraded, claim.parseErrors ?? 0];
  const isSo = isDeepStrictEqual(said, [files, chunks, scope.catalog.blobs, skipped, degraded, parseErrors]);
  return isSo ? null : `it says ${claim.files} files and ${claim.chunks} chunks, ${files} and ${chunks} are there`;
}

/** Checks the vectors of the current profile that complete snapshots need. */
function checkVectorFiles(check: Check, { manifest, sound }: CheckedShards): void {
  for (const snapshot of manifest.complete) checkVectorsOf(check, snapshot, new Set(sound.map(({ name }) => name)));
}

function checkVectorsOf(check: Check, snapshot: CompleteSnapshot, sound: ReadonlySet<string>): void {
  const { profile } = check.vectors;
  const { directory } = check.session.shards;
  const known = snapshot.vectors?.[profile];
  if (known === undefined) return;
  // Shards that were merged meanwhile have their vectors elsewhere.
  const live = (names: readonly string[]) => names.filter((name) => sound.has(name));
  const paths = [
    ...live(known.shards).map((name) => vectorPath(directory, profile, name)),
    ...live(known.graphs).map((name) => hnswPath(directory, profile, name)),
  ];
  for (const path of paths.filter((each) => !existsSync(each)))
    check.findings.addOnce(
      'vector-file-missing',
      path.slice(join(directory, '/').length),
      'a complete snapshot needs it',
    );
}

// Builds a shard again from its records, and compares byte by byte.

/** Input of a shard that is built again. */
interface Rebuilding {
  check: Check;
  shard: LexicalShard;
  notes: CheckedNotes | null;
  /** Units that cannot be compared, by reason, and their blobs. */
  left: Map<string, number>;
  leftBlobs: Set<string>;
  /** Blobs whose record was found to differ. */
  wrong: Set<string>;
}

/** Reports differences; true if there are none. */
async function compareShard(check: Check, shard: LexicalShard, notes: CheckedNotes | null): Promise<boolean> {
  const rebuilding: Rebuilding = { check, shard, notes, left: new Map(), leftBlobs: new Set(), wrong: new Set() };
  await markMissing(check, () => Array.from({ length: shard.meta.units }, (_, unit) => shard.unitOid(unit)));
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

interface PlannedUnit {
  unit: number;
  oid: string;
  language: string;
  /** The note; null for a unit without chunks. */
  note: string | null;
}

/** Units in the order of their documents, without those that cannot be built again. */
function planUnits({ shard, notes, left, leftBlobs, wrong }: Rebuilding): PlannedUnit[] {
  const { meta, unitFirst, unitDocuments } = shard;
  const order = Array.from({ length: meta.units }, (_, unit) => unit);
  // Units without chunks precede the unit whose first chunk has their number.
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

/** Builds the shard from its records. */
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
  // The name of a shard is a hash of its content.
  if (leftBlobs.size === 0) return shard.name === `lexical-${sha256(rebuilt).slice(0, 16)}.bin`;
  const rest = () => encodeLexical(mergeLexical([shard], (oid) => !leftBlobs.has(oid)));
  const own = () => encodeLexical(mergeLexical([new LexicalShard(rebuilt, shard.name)]));
  return unlessThrown(() => rest().equals(own())) === true;
}

/** Names the blobs that differ, as far as they are known. */
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
    return [...columns, unlessThrown(() => shard.documentSymbol(first + i))];
  });
  return JSON.stringify([shard.unitFlags[unit], shard.unitSize[unit], documents]);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
