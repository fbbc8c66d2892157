/**
 * Units of snapshots that no ref names: an old commit, the older side of a range. A question about one parses the files that
 * nothing indexed has, answers from memory, and writes their records together afterwards. It publishes no shard, vectors or
 * view: such commits are asked about once or twice, and their files would soon outgrow those of HEAD. Only the last commit that a
 * process was asked about is kept in a file.
 */
import { createHash } from 'node:crypto';
import type { NoteEntry } from '../../git/notes.js';
import { type DerivedBlob, deriveBlobs } from '../../indexer/derive.js';
import type { ParseJob } from '../../indexer/parse-protocol.js';
import { planIndex } from '../../indexer/plan.js';
import { syntaxStore } from '../../record/store.js';
import { LexicalBuilder } from '../../shard/builder.js';
import { encodeLexical } from '../../shard/columns.js';
import { LexicalShard } from '../../shard/lexical.js';
import { mergeLexical } from '../../shard/merge.js';
import { writeRecords } from '../records/write-records.js';
import type { Session } from '../session.js';
import { IdleParsers } from '../speculation.js';
import { writePast } from './past-views.js';
import type { SnapshotFiles, ViewNote } from './snapshot.js';
import type { View } from './view-cache.js';

/** Shards above which they are merged: each question adds one, and a query pays for each shard that it reads. */
const MAX_SHARDS = 8;
/** Bytes of shards kept for further questions; the oldest go first. */
const MAX_BYTES = 32 << 20;
/** Records wait this long for those of the next question, so that an agent's walk over commits adds few commits of notes. */
const WRITE_AFTER_MS = 1_000;

export class PassingUnits {
  /** Blobs that could not be read. */
  readonly unreadable = new Set<string>();
  private kept: LexicalShard[] = [];
  /** The file of each shard. */
  private readonly bytes = new WeakMap<LexicalShard, Buffer>();
  /** The snapshot that was asked about last, until it is written. */
  private last: { key: string; view: View<ViewNote> } | null = null;
  private notes: NoteEntry[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;
  /** One parser: a second one takes longer to start than the files of a few commits take to parse. */
  private readonly parsers = new IdleParsers(1);

  constructor(private readonly session: Session) {
    session.onClose(() => this.close());
  }

  /** Shards of earlier questions. */
  get shards(): readonly LexicalShard[] {
    return this.kept;
  }

  /**
   * Returns shards in memory that hold, together with `indexed`, every readable file of a snapshot. Throws what parsing throws,
   * and CANCELLED.
   */
  async complete(
    files: SnapshotFiles,
    indexed: readonly LexicalShard[],
    signal?: AbortSignal,
  ): Promise<LexicalShard[]> {
    const { maxFileBytes } = files.config;
    const own = [...this.kept];
    const known = [...indexed, ...own];
    const plan = planIndex(files.catalog.files, known, { maxFileBytes, hasGrammar: () => false });
    const fresh = plan.filter(({ oid }) => !this.unreadable.has(oid));
    if (fresh.length === 0) return own;
    const { repository, objects, profile, about } = this.session;
    const store = syntaxStore(repository, objects, profile, about);
    await store.load(fresh.length);
    const builder = new LexicalBuilder(this.session.oidBytes);
    const pool = { parse: (job: ParseJob) => this.parsers.get().parse(job) };
    const context = { objects, store, pool, maxFileBytes, signal, onBadRecord: () => {} };
    for await (const blob of deriveBlobs(fresh, context)) this.add(builder, blob);
    this.parsers.rest();
    this.writeLater();
    return builder.unitCount === 0 ? own : [...own, this.keep(encodeLexical(builder.finish()))];
  }

  private add(builder: LexicalBuilder, { oid, units, bytes, size, note, source }: DerivedBlob): void {
    if (source === 'none' && units.length === 0) this.unreadable.add(oid);
    for (const { language, facts, state } of units) {
      if (facts !== null && bytes !== null) builder.add(oid, language, facts, bytes, state);
      else if (state !== undefined) builder.addSkipped(oid, language, state, size);
    }
    if (note !== null) this.notes.push({ target: oid, note });
  }

  private keep(bytes: Buffer): LexicalShard {
    const shard = this.push(bytes);
    while (this.kept.length > 1 && this.keptBytes() > MAX_BYTES) this.kept.shift();
    if (this.kept.length > MAX_SHARDS) {
      const merged = encodeLexical(mergeLexical(this.kept));
      this.kept = [];
      this.push(merged);
    }
    return shard;
  }

  private keptBytes(): number {
    return this.kept.reduce((sum, shard) => sum + (this.bytes.get(shard)?.length ?? 0), 0);
  }

  private push(bytes: Buffer): LexicalShard {
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const shard = new LexicalShard(bytes, `passing-${digest}`);
    this.bytes.set(shard, bytes);
    this.kept.push(shard);
    return shard;
  }

  /** Keeps a snapshot for the next process. */
  remember(key: string, view: View<ViewNote>): void {
    this.last = { key, view };
    this.writeLater();
  }

  private writeLater(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    // A question that outlives its session has nobody left to write for it.
    if (this.isClosed) this.write();
    else this.timer = setTimeout(() => this.write(), WRITE_AFTER_MS).unref();
  }

  private write(): void {
    const { repository, objects, profile, about, shards } = this.session;
    const { notes, last } = this;
    this.notes = [];
    this.last = null;
    if (last !== null) {
      const { directory } = shards;
      writePast({ directory, manifest: shards.readManifest() }, last.key, last.view, this.bytes);
    }
    if (notes.length === 0) return;
    const store = syntaxStore(repository, objects, profile, about);
    this.writing = this.writing.then(() => writeRecords(this.session, store, notes));
  }

  /** Begins to write the records that are left; the process ends when they are written. */
  private close(): void {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.parsers.stop();
    this.write();
  }
}
