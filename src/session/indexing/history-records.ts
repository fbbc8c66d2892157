/**
 * Makes the records of past commits in one pass, so that questions about them (history, diff, review, a walk over old commits) parse
 * nothing. Each blob is taken once, the newest first. Finished batches stay, and the next run continues from there.
 */
import { createProgress } from '../../base/progress.js';
import { listMissingObjects, readShallow, type WalkWindow, walkHistory } from '../../git/log.js';
import type { NoteEntry } from '../../git/notes.js';
import { isPartialClone } from '../../git/repository.js';
import { languageOfPath, skipReason } from '../../indexer/catalog.js';
import { deriveBlobs } from '../../indexer/derive.js';
import { ParserPool } from '../../indexer/parser-pool.js';
import type { PlannedBlob } from '../../indexer/run.js';
import { syntaxStore } from '../../record/store.js';
import { secondsOf } from '../history/open-history.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { withWriterLock } from '../writer-lock.js';

/** Blobs of a batch, and bytes: the most that a killed run loses. */
const BATCH_BLOBS = 1_000;
const BATCH_BYTES = 4 << 20;

export interface HistoryRecords {
  /** Commits that change a file. `oldest`: the oldest of them; null if there is none. */
  commits: number;
  oldest: string | null;
  /** Distinct indexed blobs of their files, before and after each change. */
  blobs: number;
  /** Blobs parsed now; then blobs that had a record, that cannot be read, and that cannot be parsed. */
  new: number;
  reused: number;
  failed: number;
  bytesAdded: number;
}

interface HistoryRecordsOptions {
  ref?: string;
  /** `500` commits, or all since `2w` or `2024-05-31`. */
  window: string;
  jobs?: number;
  signal?: AbortSignal;
}

/** Throws BAD_ARGUMENT for a window that is no date, UNKNOWN_REF, LOCKED, DISK, GIT_FAILED and CANCELLED. */
export async function recordHistory(session: Session, options: HistoryRecordsOptions): Promise<HistoryRecords> {
  const { ref, window, jobs, signal } = options;
  const origin = await session.origin(ref);
  const { planned, walked } = await planHistory(session, origin, { window, signal });
  const store = syntaxStore(session.repository, session.objects, session.profile, session.about);
  await store.load();
  const missing = planned.filter(({ oid }) => !store.has(oid));
  const { maxFileBytes } = (await session.configOfOrigin(origin)).config;
  const pool = new ParserPool();
  if (jobs !== undefined) pool.resize(jobs);
  const batches = new Batches((notes) => withWriterLock(session, () => store.write(notes)));
  const progress = createProgress('reading past commits', 'blobs');
  const made = { new: 0, failed: 0 };
  try {
    const context = { objects: session.objects, store, pool, maxFileBytes, signal, onBadRecord: () => {} };
    for await (const blob of deriveBlobs(missing, context)) {
      if (blob.note === null) made.failed++;
      else made.new++;
      if (blob.note !== null) await batches.add({ target: blob.oid, note: blob.note });
      progress.update(made.new + made.failed, missing.length);
    }
  } finally {
    progress.finish();
    pool.stop();
    // A cancelled run writes its last batch as well.
    await withoutSignal(() => batches.flush(), signal);
  }
  const { commits, oldest } = walked;
  const reused = planned.length - missing.length;
  return { commits, oldest, blobs: planned.length, ...made, reused, bytesAdded: batches.bytes };
}

/** Lets a cancelled run keep its records. If that fails, the cancellation stays the error. */
async function withoutSignal(work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** Collects the blobs of all versions of indexed files in the window, the newest first. */
async function planHistory(
  session: Session,
  origin: SnapshotOrigin,
  { window, signal }: Pick<HistoryRecordsOptions, 'window' | 'signal'>,
): Promise<{ planned: PlannedBlob[]; walked: WalkWindow }> {
  const { git } = session.repository;
  const { selection } = await session.selectionOf(origin);
  const tip = origin.resolved.commit ?? '';
  const absent = isPartialClone(session.gitConfig) ? await listMissingObjects(git, tip, signal) : new Set<string>();
  const planned = new Map<string, PlannedBlob>();
  const add = (oid: string | null, path: string) => {
    if (oid === null || absent.has(oid)) return;
    const language = languageOfPath(path, selection.languages);
    const known = planned.get(oid);
    if (known === undefined) planned.set(oid, { oid, languages: [language], path, sharded: false });
    else if (!known.languages.includes(language)) known.languages.push(language);
  };
  const limits = /^\d+$/.test(window)
    ? { maxCommits: Number(window) }
    : { since: new Date((await secondsOf(session, window)) * 1_000).toISOString() };
  const walk = { tip, ...limits, shallow: readShallow(session.repository), signal };
  const walked = await walkHistory(git, walk, ({ changes }) => {
    for (const { path, type, newOid, oldOids } of changes) {
      if (skipReason({ path, type }, selection) !== null) continue;
      for (const oid of [newOid, ...oldOids]) add(oid, path);
    }
  });
  return { planned: [...planned.values()], walked };
}

/** Writes records in batches: one is written while the next is made. */
class Batches {
  bytes = 0;
  private notes: NoteEntry[] = [];
  private size = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly write: (notes: readonly NoteEntry[]) => Promise<void>) {}

  async add(entry: NoteEntry): Promise<void> {
    this.notes.push(entry);
    this.size += entry.note.length;
    if (this.notes.length >= BATCH_BLOBS || this.size >= BATCH_BYTES) await this.begin();
  }

  async flush(): Promise<void> {
    await this.begin();
    await this.writing;
  }

  private async begin(): Promise<void> {
    const { notes, size } = this;
    [this.notes, this.size] = [[], 0];
    await this.writing;
    this.bytes += size;
    if (notes.length === 0) return;
    this.writing = this.write(notes);
    this.writing.catch(() => {}); // Awaited by the next batch; until then a rejection must not count as unhandled.
  }
}
