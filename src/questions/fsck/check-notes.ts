/** Checks the notes of a ref: place of each entry, validity of its record, and whether it would be derived the same today. */
import type { Progress } from '../../base/progress.js';
import { notePath } from '../../git/notes.js';
import { listTree, type ObjectInfo, type TreeEntry } from '../../git/objects.js';
import type { DerivedBlob } from '../../indexer/derive.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import type { PlannedBlob } from '../../indexer/run.js';
import { embeddedText } from '../../indexer/static-vectors.js';
import { hashKey, keyAt } from '../../indexer/vector-plan.js';
import { compareAgain, deriveAgain, type Inspection, inspectRecord } from '../../indexer/verify-records.js';
import { inspectEntry } from '../../knowledge/codecs.js';
import { KNOWLEDGE_KINDS } from '../../knowledge/kinds.js';
import { COMPILER_KIND, type DecodeFault, MAX_BLOB_BYTES, MAX_RECORD_BYTES } from '../../record/format.js';
import { decodeChunksAndSymbols, SYNTAX_KIND } from '../../record/syntax-codec.js';
import { decodeVectorRecord } from '../../record/vector-codec.js';
import { chunkFields } from '../../shard/builder.js';
import { askEach, batches, type Check, type FindingKind, markMissing, placeOf, readNotes } from './check.js';
import type { FsckReport } from './question.js';

/** A ref with a readable commit and trees. */
export interface NotesTarget {
  ref: string;
  commit: string;
  kind: string;
  profile: string;
  /** True if this version writes this profile under the current settings. */
  isOwn: boolean;
}

/** An entry to be removed or replaced. */
interface BadNote {
  /** Null for an entry that is no note. */
  target: string | null;
  /** Path in the notes tree. */
  path: string;
  /** Object id of its facts; null for an object that is no blob. */
  note: string | null;
  /** Languages of the record, if they could be read. */
  languages: readonly string[] | null;
}

export interface CheckedNotes extends NotesTarget {
  /** Good notes: target -> note. */
  good: Map<string, string>;
  bad: BadNote[];
  /** Number of good entries in a wrong place or of a wrong mode. */
  misplaced: number;
  /** Chunks of each good record by language; null for blobs without any. */
  shapes: Map<string, ReadonlyMap<string, number> | null>;
  /** Size of each record's blob, in bytes. */
  sizes: Map<string, number>;
  /** Number of notes that a partial clone has not fetched. */
  elsewhere: number;
}

interface Entry extends TreeEntry {
  target: string;
}

const FAULTS: Readonly<Record<DecodeFault, FindingKind>> = {
  'not-a-record': 'note-undecodable',
  malformed: 'note-undecodable',
  checksum: 'note-undecodable',
  'too-large': 'note-too-large',
  'wrong-blob': 'note-wrong-blob',
  outdated: 'note-wrong-version',
  'too-new': 'note-wrong-version',
};

/** Throws GIT_FAILED if a tree cannot be read. */
export async function checkNotes(check: Check, target: NotesTarget, progress: Progress): Promise<CheckedNotes> {
  const checked: CheckedNotes = {
    ...{ ...target, good: new Map(), bad: [], misplaced: 0, shapes: new Map(), sizes: new Map(), elsewhere: 0 },
  };
  const { entries, strangers } = await listEntries(check, target);
  for (const { path, oid, type } of strangers) {
    check.findings.add('note-stranger', target.ref, `${path} is no note`);
    checked.bad.push({ target: null, path, note: type === 'submodule' ? null : oid, languages: null });
  }
  await markMissing(check, () => entries.flatMap(({ target, oid }) => [target, oid]));
  // The entries of one target come in succession, and are settled together.
  let done = 0;
  let group: Inspected[] = [];
  for await (const { item, info, content } of readNotes(entries, check.objects, ({ oid }) => oid, MAX_RECORD_BYTES)) {
    check.signal?.throwIfAborted();
    if (group.length > 0 && group[0].entry.target !== item.target) {
      settle(check, checked, group);
      group = [];
    }
    check.counts.noteBytes += info?.size ?? 0;
    group.push({ entry: item, found: inspect(checked, item, info?.size ?? null, content), isHere: info !== null });
    progress.update(++done, entries.length);
  }
  settle(check, checked, group);
  // The target of an entry of knowledge is the entry's own id, which no blob has.
  if (!KNOWLEDGE_KINDS.includes(target.kind)) await checkTargets(check, checked);
  return checked;
}

/** Entries by target, those at our own depth first. */
async function listEntries(
  check: Check,
  { commit }: NotesTarget,
): Promise<{ entries: Entry[]; strangers: TreeEntry[] }> {
  const { repository } = check.session;
  const isOid = repository.objectFormat === 'sha256' ? /^[0-9a-f]{64}$/ : /^[0-9a-f]{40}$/;
  const entries: Entry[] = [];
  const strangers: TreeEntry[] = [];
  for (const entry of await listTree(repository.git, commit)) {
    const target = entry.path.replaceAll('/', '');
    if (isOid.test(target) && entry.type !== 'submodule') entries.push({ ...entry, target });
    else strangers.push(entry);
  }
  const rank = (entry: Entry) => (entry.path === notePath(entry.target) ? 0 : 1);
  entries.sort((a, b) => (a.target === b.target ? rank(a) - rank(b) : a.target < b.target ? -1 : 1));
  return { entries, strangers };
}

type Verdict = Inspection | { ok: false; reason: 'unreadable'; detail: string };

interface Inspected {
  entry: Entry;
  found: Verdict;
  isHere: boolean;
}

function inspect(
  { kind, isOwn }: NotesTarget,
  { target }: Entry,
  size: number | null,
  content: Buffer | null,
): Verdict {
  if (size !== null && size > MAX_RECORD_BYTES) return { ok: false, reason: 'too-large', detail: `${size} bytes` };
  if (content === null) return { ok: false, reason: 'unreadable', detail: 'git cannot read the note' };
  if (KNOWLEDGE_KINDS.includes(kind)) {
    const verdict = inspectEntry(kind, content, target);
    return verdict.ok ? { ok: true, chunks: null, size: null, isRead: true } : verdict;
  }
  return inspectRecord(kind, content, target, isOwn);
}

const COUNTED: Readonly<Record<string, 'records' | 'compiler' | 'knowledge'>> = {
  [SYNTAX_KIND]: 'records',
  [COMPILER_KIND]: 'compiler',
  ...Object.fromEntries(KNOWLEDGE_KINDS.map((kind) => [kind, 'knowledge' as const])),
};

/** Keeps the first good entry of a target, `group` being all of its entries. */
function settle(check: Check, checked: CheckedNotes, group: readonly Inspected[]): void {
  if (group.length === 0) return;
  const { findings, counts, isPartial } = check;
  const { ref } = checked;
  counts[COUNTED[checked.kind] ?? 'vectors']++;
  const retained = group.find(({ found }) => found.ok) ?? null;
  for (const { entry, found, isHere } of group) {
    const place = placeOf(check, entry.target);
    if (found.ok) {
      if (retained?.entry !== entry) {
        findings.add('note-twice', ref, `the blob is noted at ${retained?.entry.path} and at ${entry.path}`, place);
        checked.bad.push({ target: entry.target, path: entry.path, note: entry.oid, languages: null });
      }
      continue;
    }
    if (!isHere && isPartial) {
      checked.elsewhere++;
      checked.good.set(entry.target, entry.oid);
      continue;
    }
    const { reason, detail } = found;
    const kind = faultOf(checked.kind, reason);
    const hint = reason === 'unreadable' ? 'git fsck' : undefined;
    findings.add(kind, ref, `the note of ${entry.target.slice(0, 12)} is ${words(reason)}: ${detail}`, {
      ...place,
      hint,
    });
    checked.bad.push({ target: entry.target, path: entry.path, note: isHere ? entry.oid : null, languages: null });
  }
  if (retained !== null) keep(check, checked, retained);
}

function faultOf(kind: string, reason: DecodeFault | 'unreadable'): FindingKind {
  if (reason === 'unreadable') return 'note-unreadable';
  return KNOWLEDGE_KINDS.includes(kind) ? 'entry-damaged' : FAULTS[reason];
}

function words(reason: DecodeFault | 'unreadable'): string {
  if (reason === 'not-a-record') return 'no record';
  if (reason === 'checksum') return 'damaged';
  if (reason === 'wrong-blob') return 'that of another blob';
  return reason.replace('-', ' ');
}

/** Notes a good entry, with what is wrong about its place. */
function keep(check: Check, checked: CheckedNotes, { entry, found }: Inspected): void {
  const { ref } = checked;
  checked.good.set(entry.target, entry.oid);
  if (found.ok && found.isRead) checked.shapes.set(entry.target, found.chunks);
  if (found.ok && found.size !== null) checked.sizes.set(entry.target, found.size);
  const place = placeOf(check, entry.target);
  if (entry.path !== notePath(entry.target)) {
    check.findings.add('note-depth', ref, `${entry.path} should be ${notePath(entry.target)}`, place);
    checked.misplaced++;
  } else if (entry.type !== 'file') {
    check.findings.add('note-mode', ref, `${entry.path} is of type ${entry.type}`, place);
    checked.misplaced++;
  }
}

/** Checks the blobs that notes belong to. They may be absent here. */
async function checkTargets(check: Check, checked: CheckedNotes): Promise<void> {
  const { findings, objects, isPartial } = check;
  let orphans = 0;
  for (const batch of batches([...checked.good.keys()], 1_024)) {
    const infos = await askEach(batch, (target) => objects.info(target));
    for (const [i, info] of infos.entries()) {
      if (info === null) orphans++;
      else await checkTarget(check, checked, batch[i], info);
    }
  }
  if (orphans > 0) {
    const fate = isPartial
      ? 'a partial clone has them elsewhere'
      : '`git socraticode compact` drops them if no commit reaches them';
    const message = `${orphans} of ${checked.good.size} records are about blobs that are not here; ${fate}`;
    findings.add('orphan-records', checked.ref, message);
  }
  if (checked.elsewhere > 0)
    findings.add('notes-not-here', checked.ref, `${checked.elsewhere} notes were not fetched by this partial clone`);
}

async function checkTarget(check: Check, checked: CheckedNotes, target: string, info: ObjectInfo): Promise<void> {
  const { findings } = check;
  const size = checked.sizes.get(target) ?? info.size;
  if (info.type === 'blob' && (info.size === size || (await isStoredOtherwise(check, info, size)))) return;
  const short = target.slice(0, 12);
  if (info.type !== 'blob')
    findings.add('note-not-about-a-blob', checked.ref, `${short} is a ${info.type}`, { blob: target });
  else {
    const message = `the record of ${short} is about ${size} bytes, the blob has ${info.size}`;
    findings.add('note-differs', checked.ref, message, placeOf(check, target));
  }
  reject(checked, target, info.type === 'blob' ? [...(checked.shapes.get(target)?.keys() ?? [])] : null);
}

/** Is the text of a blob as large as its record says, in UTF-8? */
async function isStoredOtherwise({ objects }: Check, { oid, size: bytes }: ObjectInfo, size: number): Promise<boolean> {
  const object = bytes <= MAX_BLOB_BYTES ? await objects.read(oid) : null;
  return object?.stored !== undefined && object.content.length === size;
}

/** Turns a good note into a bad one. */
export function reject(checked: CheckedNotes, target: string, languages: readonly string[] | null): void {
  checked.bad.push({ target, path: notePath(target), note: checked.good.get(target) ?? null, languages });
  checked.good.delete(target);
  checked.shapes.delete(target);
}

// Derives records again as indexing does, and compares byte by byte.

export type Rederived = NonNullable<FsckReport['rederived']>;

/** Number of records, spread over all, or every one. */
export type Sample = number | 'all';

/** Takes every n-th of the sorted blob ids. They are random numbers, so this is as good as chance, and repeatable. */
export function sampleOf(oids: readonly string[], sample: Sample): string[] {
  const sorted = [...oids].sort();
  if (sample === 'all' || sample >= sorted.length) return sorted;
  return Array.from({ length: sample }, (_, i) => sorted[Math.floor((i * sorted.length) / sample)]);
}

/** Plans a blob with the languages of its record. If the record says why the blob is not indexed, languages do not matter. */
export function plannedBlob(check: Check, oid: string, languages: readonly string[] | null): PlannedBlob {
  const place = check.headFiles.get(oid);
  const named = languages !== null && languages.length > 0 ? [...languages] : (place?.languages ?? [null]);
  return { oid, languages: named, path: place?.path ?? '', sharded: false };
}

/** Rejects good notes that differ from a new derivation. `notes` are our own syntax records. */
export async function rederive(
  check: Check,
  notes: CheckedNotes,
  { sample, pool, progress }: { sample: Sample; pool: ParserPool; progress: Progress },
): Promise<Rederived> {
  const oids = [...notes.shapes.keys()];
  const report: Rederived = { of: oids.length, equal: 0, different: 0, notComparable: {}, vectorsCompared: 0 };
  const chosen = sampleOf(oids, sample);
  const blobs = chosen.map((oid) => plannedBlob(check, oid, [...(notes.shapes.get(oid)?.keys() ?? [])]));
  let done = 0;
  for await (const derived of deriveAgain(check, blobs, pool)) {
    compare(check, notes, derived, report);
    progress.update(++done, blobs.length);
  }
  return report;
}

function compare(check: Check, notes: CheckedNotes, derived: DerivedBlob, report: Rederived): void {
  const { oid, units } = derived;
  const found = compareAgain(derived, notes.good.get(oid), check.session.repository.objectFormat);
  if (found.isEqual === null) {
    report.notComparable[found.why] = (report.notComparable[found.why] ?? 0) + 1;
    return;
  }
  if (found.isEqual) {
    report.equal++;
    return;
  }
  report.different++;
  const languages = [...(notes.shapes.get(oid)?.keys() ?? [])];
  const as = languages.length === 0 ? units[0]?.language : languages.join(', ');
  const message = `the record of ${oid.slice(0, 12)} (${as}) is not what this blob gives`;
  check.findings.add('note-differs', notes.ref, message, placeOf(check, oid));
  reject(notes, oid, languages.length === 0 ? null : languages);
}

// Compares vector records with their syntax records. Providers are not asked again.

/** Checks that there is a row for each chunk. Both are notes of the current profiles. */
export function checkVectorShapes(check: Check, vectors: CheckedNotes, syntax: CheckedNotes): void {
  for (const [oid, shape] of [...vectors.shapes]) {
    const chunks = syntax.shapes.get(oid);
    if (chunks === undefined) continue;
    const wrong = [...(shape ?? [])].find(([language, rows]) => chunks?.get(language) !== rows);
    if (wrong === undefined) continue;
    const [language, rows] = wrong;
    const message = `${rows} vectors of ${oid.slice(0, 12)} as ${language}, which has ${chunks?.get(language) ?? 0} chunks`;
    check.findings.add('vectors-shape', vectors.ref, message, placeOf(check, oid));
    reject(vectors, oid, null);
  }
}

/** Checks that vectors belong to the texts of their chunks. Returns the number of compared records. */
export async function compareTexts(
  check: Check,
  vectors: CheckedNotes,
  syntax: CheckedNotes,
  sample: Sample,
): Promise<number> {
  const chosen = sampleOf(
    [...vectors.shapes.keys()].filter((oid) => syntax.shapes.has(oid)),
    sample,
  );
  const { objects } = check;
  // Three readers of the same blobs, which take one step together for each.
  const rows = readNotes(chosen, objects, (oid) => vectors.good.get(oid) as string, MAX_RECORD_BYTES);
  const facts = readNotes(chosen, objects, (oid) => syntax.good.get(oid) as string, MAX_RECORD_BYTES);
  const blobs = readNotes(chosen, objects, (oid) => oid, MAX_BLOB_BYTES);
  let compared = 0;
  for (const oid of chosen) {
    check.signal?.throwIfAborted();
    const [vector, record, blob] = [(await rows.next()).value, (await facts.next()).value, (await blobs.next()).value];
    if (!vector?.content || !record?.content || !blob?.content) continue;
    compared++;
    if (isAbout(check, oid, vector.content, record.content, blob.content)) continue;
    const message = `the vectors of ${oid.slice(0, 12)} are about other texts than its chunks`;
    check.findings.add('vectors-text', vectors.ref, message, placeOf(check, oid));
    reject(vectors, oid, null);
  }
  return compared;
}

function isAbout(check: Check, oid: string, vector: Buffer, record: Buffer, bytes: Buffer): boolean {
  const rows = decodeVectorRecord(vector, oid);
  const syntax = decodeChunksAndSymbols(record, oid);
  if (!rows.ok || !syntax.ok || !('facts' in syntax.record)) return false;
  const { facts } = syntax.record;
  return Object.entries(rows.record.languages).every(([language, { hashes }]) => {
    const own = facts[language];
    if (own === undefined) return false;
    const fields = chunkFields(bytes, own);
    return own.chunks.every(({ start, end }, i) => {
      const symbol = fields[i].symbol === '' ? null : fields[i].symbol;
      const text = embeddedText(symbol, bytes.toString('utf8', start, end), check.vectors.maxCharacters);
      return keyAt(hashes, i) === hashKey(text);
    });
  });
}
