/** State that all checks of an fsck share: the session, the findings, and the notes that were read. */
import { isSocraticodeError } from '../../base/errors.js';
import type { Config } from '../../config/settings.js';
import { presentObjects } from '../../git/crash-recovery.js';
import { CatFileReader, type ObjectInfo, type ObjectReader } from '../../git/objects.js';
import { isPartialClone } from '../../git/repository.js';
import { currentConfig } from '../../session/records/profiles.js';
import type { Session } from '../../session/session.js';
import type { SnapshotFiles } from '../../session/snapshot/snapshot.js';
import { type VectorSource, vectorSource } from '../../session/vectors/vector-source.js';
import type { FsckFinding, FsckReport } from './question.js';

/** Path of a blob at HEAD. */
interface HeadFile {
  path: string;
  /** Languages from the catalog; null if the content decides. */
  languages: (string | null)[];
}

/** State of a check, which only reads. */
export interface Check {
  readonly session: Session;
  /** This check's own reader: the session's reader does not learn that objects are missing. */
  readonly objects: CatFileReader;
  readonly findings: Findings;
  readonly counts: FsckReport['checked'];
  readonly config: Config;
  readonly vectors: VectorSource;
  /** Null before the first commit, and if the tree of HEAD cannot be read. */
  readonly head: SnapshotFiles | null;
  readonly headFiles: ReadonlyMap<string, HeadFile>;
  readonly isPartial: boolean;
  /** Checks this profile's notes alone. */
  readonly profile: string | null;
  /** Checks notes, tasks and tags alone. */
  readonly knowledge: boolean;
  readonly signal?: AbortSignal;
}

/** The caller closes `objects`. Throws BAD_CONFIG. */
export async function beginCheck(
  session: Session,
  { profile, knowledge, signal }: { profile?: string; knowledge?: boolean; signal?: AbortSignal },
): Promise<Check> {
  const config = await currentConfig(session);
  const head = await session.files().catch(() => null);
  return {
    ...{ session, config, head, signal, profile: profile ?? null, knowledge: knowledge === true },
    objects: new CatFileReader(session.repository.git),
    findings: new Findings(),
    counts: freshCounts(),
    vectors: vectorSource(session, config),
    headFiles: filesOf(head),
    isPartial: isPartialClone(session.gitConfig),
  };
}

export const freshCounts = (): FsckReport['checked'] => ({
  ...{ refs: 0, records: 0, vectors: 0, compiler: 0, knowledge: 0, noteBytes: 0 },
  ...{ shards: 0, units: 0, snapshots: 0, files: 0, fileBytes: 0 },
});

function filesOf(scope: SnapshotFiles | null): Map<string, HeadFile> {
  const files = new Map<string, HeadFile>();
  for (const { oid, path, language } of scope?.catalog.files ?? []) {
    const known = files.get(oid);
    if (known === undefined) files.set(oid, { path, languages: [language] });
    else if (!known.languages.includes(language)) known.languages.push(language);
  }
  return files;
}

/** Null where what is damaged makes it throw. */
export function unlessThrown<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Marks objects that a partial clone lacks: git would fetch them one by one. */
export async function markMissing(
  { isPartial, objects, session }: Check,
  wanted: () => Iterable<string>,
): Promise<void> {
  if (!isPartial) return;
  const oids = new Set(wanted());
  const present = await presentObjects(session.repository.git, oids);
  objects.setMissing([...oids].filter((oid) => !present.has(oid)));
}

/** A blob and its path at HEAD, for a finding. */
export function placeOf(check: Check, blob: string): { blob: string; path: string | null } {
  return { blob, path: check.headFiles.get(blob)?.path ?? null };
}

// Kinds of findings (data), and the list of findings.

interface Kind {
  /** Effect of `repair`; null if only a person can act. */
  repair: string | null;
  /** False for a finding that is no fault. */
  fault?: false;
}

const DERIVED = 'keeps the note aside, takes it out of the notes and derives the record again';
const MOVED = 'moves the file aside and makes it again';
const REMOVED = 'deletes it';

/** Names never change, since scripts read them. */
const FINDINGS = {
  'ref-broken': {
    repair: 'sets the file of the ref aside and takes the last commit of its log, or derives all records again',
  },
  'ref-unreadable': { repair: null },
  'ref-symbolic': { repair: null },
  'ref-in-the-way': { repair: null },
  'ref-lock-stale': { repair: 'deletes it, if no git that runs here can have made it' },
  'note-unreadable': { repair: 'takes it out of the notes and derives the record again' },
  'note-undecodable': { repair: DERIVED },
  'note-too-large': { repair: 'takes it out of the notes and derives the record again' },
  'note-wrong-blob': { repair: DERIVED },
  'note-wrong-version': { repair: DERIVED },
  'note-not-about-a-blob': { repair: 'keeps the note aside and takes it out of the notes' },
  'note-twice': { repair: 'keeps one of them, the other aside' },
  // `git notes` chooses depths itself, and every reader finds such notes.
  'note-depth': { repair: 'puts it where this program looks first', fault: false },
  'note-mode': { repair: 'writes the entry as a plain file' },
  'note-stranger': { repair: 'keeps it aside and takes it out of the notes' },
  'note-differs': { repair: DERIVED },
  'entry-damaged': { repair: 'keeps it aside and takes it out: nobody can make it again' },
  'vectors-shape': { repair: 'keeps the note aside, takes it out of the notes and makes the vectors again' },
  'vectors-text': { repair: 'keeps the note aside, takes it out of the notes and makes the vectors again' },
  'state-link': { repair: null },
  'manifest-damaged': { repair: MOVED },
  'shard-missing': { repair: 'forgets it and makes it again from the records' },
  'shard-damaged': { repair: MOVED },
  'shard-counts': { repair: MOVED },
  'shard-differs': { repair: MOVED },
  'unit-twice': { repair: MOVED },
  'unit-unrecorded': { repair: 'writes the records again' },
  'snapshot-incomplete': { repair: 'forgets the claim and indexes HEAD' },
  'vector-file-missing': { repair: 'makes it again' },
  'vector-file-damaged': { repair: MOVED },
  'vector-file-differs': { repair: MOVED },
  'cache-damaged': { repair: MOVED },
  'orphan-records': { repair: null, fault: false },
  'notes-of-later-version': { repair: null, fault: false },
  'notes-not-here': { repair: null, fault: false },
  'state-of-others': { repair: null, fault: false },
  'units-not-compared': { repair: null, fault: false },
  'leftover-files': { repair: REMOVED, fault: false },
} as const satisfies Record<string, Kind>;

export type FindingKind = keyof typeof FINDINGS;

/** Most findings listed of a kind: thousands of notes can be bad in the same way. */
const LISTED = 50;

interface FindingDetail {
  blob?: string | null;
  path?: string | null;
  /** Next step where `repair` can do nothing. */
  hint?: string;
}

/** Collects findings: counts all, and lists the first of each kind. */
export class Findings {
  readonly counts: Partial<Record<FindingKind, number>> = {};
  private readonly listed: FsckFinding[] = [];

  /** `about` is a ref or a file, `message` a sentence. */
  add(kind: FindingKind, about: string, message: string, { blob, path, hint }: FindingDetail = {}): void {
    const count = (this.counts[kind] ?? 0) + 1;
    this.counts[kind] = count;
    if (count > LISTED) return;
    const { repair } = FINDINGS[kind] as Kind;
    this.listed.push({
      ...{ kind, isFault: isFault(kind), about, blob: blob ?? null, path: path ?? null, message, repair },
      hint: hint ?? null,
    });
  }

  /** Adds a finding once for each subject. */
  addOnce(kind: FindingKind, about: string, message: string): void {
    if (!this.listed.some((finding) => finding.kind === kind && finding.about === about))
      this.add(kind, about, message);
  }

  get list(): readonly FsckFinding[] {
    return this.listed;
  }

  /** Number of faults, listed or not. */
  get faults(): number {
    const kinds = Object.entries(this.counts) as [FindingKind, number][];
    return kinds.reduce((sum, [kind, count]) => sum + (isFault(kind) ? count : 0), 0);
  }
}

function isFault(kind: FindingKind): boolean {
  return (FINDINGS[kind] as Kind).fault !== false;
}

// Reads many objects of any size with little memory, and survives those that git cannot read.

/** Objects that are requested together, since each answer is a round trip to git. */
const BATCH = 256;
/** Most bytes of objects in memory. */
const BATCH_BYTES = 8 << 20;

interface ReadNote<T> {
  item: T;
  /** Null for an object that is missing, or that git cannot read. */
  info: ObjectInfo | null;
  /** Also null for an object that is too large. */
  content: Buffer | null;
}

/** Objects of `items`, in order. Those of more than `maxBytes` are not read. */
export async function* readNotes<T>(
  items: Iterable<T>,
  objects: ObjectReader,
  oidOf: (item: T) => string,
  maxBytes: number,
): AsyncGenerator<ReadNote<T>> {
  for (const batch of batches(items, BATCH)) {
    const infos = await askEach(batch, (item) => objects.info(oidOf(item)));
    let from = 0;
    while (from < batch.length) {
      let end = from;
      for (let bytes = 0; end < batch.length && (end === from || bytes < BATCH_BYTES); end++)
        bytes += sizeOf(infos[end]);
      const part = Array.from({ length: end - from }, (_, i) => from + i);
      const contents = await askEach(part, async (i) => {
        const isRead = infos[i]?.type === 'blob' && sizeOf(infos[i]) <= maxBytes;
        return isRead ? ((await objects.read(oidOf(batch[i])))?.content ?? null) : null;
      });
      for (const [k, i] of part.entries()) yield { item: batch[i], info: infos[i], content: contents[k] };
      from = end;
    }
  }

  function sizeOf(info: ObjectInfo | null): number {
    return info === null || info.size > maxBytes ? 0 : info.size;
  }
}

export function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Asks for all items together, and once more alone for each that failed, since a damaged object takes its neighbours' answers with it.
 * Null if git fails again.
 */
export async function askEach<T, A>(items: readonly T[], ask: (item: T) => Promise<A | null>): Promise<(A | null)[]> {
  const together = await Promise.allSettled(items.map(ask));
  const answers: (A | null)[] = [];
  for (const [i, answer] of together.entries()) {
    if (answer.status === 'fulfilled') answers.push(answer.value);
    else answers.push(await alone(items[i], ask, answer.reason));
  }
  return answers;
}

async function alone<T, A>(item: T, ask: (item: T) => Promise<A | null>, first: unknown): Promise<A | null> {
  if (!isSocraticodeError(first, 'UNREADABLE_OBJECT')) throw first;
  try {
    return await ask(item);
  } catch (error) {
    if (!isSocraticodeError(error, 'UNREADABLE_OBJECT')) throw error;
    return null;
  }
}
