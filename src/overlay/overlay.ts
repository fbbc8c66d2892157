/**
 * The uncommitted state of one work tree as something to search: its files, the blobs they hold, and shards of those
 * blobs that no commit's shards know. Blobs are parsed once; what is unchanged is carried from query to query and from
 * process to process.
 */
import { realpathSync } from 'node:fs';
import type { BlobFacts } from '../extract/facts.js';
import type { WorkTreeChange, WorkTreeChanges } from '../git/changes.js';
import type { SnapshotReader } from '../git/reader.js';
import type { Repository } from '../git/repository.js';
import { deriveBlobs } from '../indexer/derive.js';
import type { ParserPool } from '../indexer/parser-pool.js';
import type { PlannedBlob } from '../indexer/plan.js';
import { LexicalBuilder } from '../shard/builder.js';
import { encodeLexical } from '../shard/columns.js';
import type { LexicalShard } from '../shard/lexical.js';
import { type CatalogFile, lookUpUnit } from '../shard/live.js';
import { mergeLexical } from '../shard/merge.js';
import { WorkTreeAttributes } from './attributes.js';
import { OverlayReader } from './reader.js';
import { type ScannedFile, Scanner, type Selection } from './scan.js';
import { overlayDirectory } from './state-file.js';
import { OverlayStore, type StoredState } from './store.js';
import { pathOf, readWorkFile } from './work-file.js';

/** The uncommitted state at one moment. */
export interface OverlayState {
  /** Equal for equal states. */
  key: string;
  /** Files that differ from HEAD and are there. */
  files: CatalogFile[];
  /** Paths whose file at HEAD no longer counts; those of `files` among them. */
  replaced: WorkTreeChange[];
  /** What else differs from HEAD: files that are gone, excluded, or too large to be searched. Their text is in no shard. */
  unindexed: readonly WorkTreeChange[];
  /** Bytes of one of those now; null if it is no regular file of the work tree, or larger than `limit`. */
  readUnindexed: (change: WorkTreeChange, limit: number) => Buffer | null;
  /** Shards unindexed those of commits; the files' units are in either. */
  shards: readonly LexicalShard[];
  attributesOf: (path: string) => { generated: boolean; vendored: boolean };
  /** Serves the text of these files unindexed what is committed. */
  objects: OverlayReader;
  /** Files that differ from HEAD, and those of them that the state knows. */
  dirty: number;
  known: number;
}

interface RefreshOptions extends Selection {
  /** Shards of what is committed. */
  committed: readonly LexicalShard[];
  objects: SnapshotReader;
  /** Asked for only if there is something to parse. */
  parsers: () => ParserPool;
  signal?: AbortSignal;
  /** Told of everything that is parsed, with the relations that shards do without. */
  onFacts?: FactsListener;
}

export type FactsListener = (unit: { oid: string; language: string }, facts: BlobFacts) => void;

/** Each edit adds a small shard; this many are made one before the next query. */
const MAX_SHARDS = 8;

export class WorkTreeOverlay {
  readonly directory: string;
  private readonly root: Buffer;
  private readonly store: OverlayStore;
  private readonly stored: StoredState;
  private readonly scanner: Scanner;
  private isBusy = false;
  /** Blobs of the latest state. */
  private live: ReadonlySet<string> = new Set();

  /** `profileDirectory` is where the shards of commits are, `directory` where those made here are kept. */
  constructor(
    private readonly repository: Repository & { workTree: string },
    profileDirectory: string,
    directory = overlayDirectory(profileDirectory, repository.gitDir),
  ) {
    this.root = realpathSync.native(repository.workTree, { encoding: 'buffer' });
    this.directory = directory;
    this.store = new OverlayStore(this.directory, repository.gitDir);
    this.stored = this.store.load();
    this.scanner = new Scanner(this.root, repository.objectFormat, this.stored.files);
  }

  /** Has something changed that is not known yet, so that there may be something to parse? */
  hasNews(changes: WorkTreeChanges, selection: Selection): boolean {
    return this.scanner.hasNews(changes, selection);
  }

  /** Nothing is uncommitted. */
  clear(): void {
    this.stored.files.clear();
    this.stored.shards.length = 0;
    this.live = new Set();
  }

  /** The `.gitattributes` files that differ from HEAD: their text now, null for one that is gone. */
  changedAttributes(changes: WorkTreeChanges): { path: string; text: string | null }[] {
    const attributes = new WorkTreeAttributes(this.root);
    const changed = changes.list.filter(({ path }) => /(?:^|\/)\.gitattributes$/.test(path));
    return changed.map(({ path, isFile }) => ({ path, text: isFile ? attributes.text(path) : null }));
  }

  /** Brings the overlay to what git says has changed; to be called once at a time. Throws what parsing throws, and CANCELLED. */
  async refresh(changes: WorkTreeChanges, options: RefreshOptions): Promise<OverlayState> {
    const scan = this.scanner.scan(changes, options);
    const missing = scan.files.filter((file) => !this.isSharded(file, options));
    this.isBusy = true;
    try {
      if (missing.length > 0) await this.derive(missing, options);
    } finally {
      this.isBusy = false;
    }
    const attributes = new WorkTreeAttributes(this.root);
    const files = scan.files.map(({ path, oid, language }): CatalogFile => {
      const { generated, vendored } = attributes.of(path);
      return { path, oid, language, generated, vendored };
    });
    this.live = new Set(files.map(({ oid }) => oid));
    // What only earlier states had is kept for a while, for an undo, and searched no more.
    const shards = this.stored.shards.filter((shard) => files.some(({ oid }) => shard.findAnyUnit(oid) >= 0));
    const found = new Set(files.map(({ path }) => path));
    const replaced = scan.replaced.map(({ path, headOid = '?' }) => [path, headOid]);
    return {
      key: JSON.stringify([changes.commit, files, replaced, shards.map(({ name }) => name)]),
      files,
      replaced: scan.replaced,
      unindexed: changes.list.filter(({ path }) => !found.has(path)),
      readUnindexed: ({ name }, limit) => readWorkFile(pathOf(this.root, name), limit)?.bytes ?? null,
      shards,
      attributesOf: (path) => attributes.of(path),
      objects: new OverlayReader(
        options.objects,
        { root: this.root, format: this.repository.objectFormat },
        scan.files,
      ),
      dirty: scan.dirty,
      known: scan.dirty - scan.leftOut,
    };
  }

  /** Keeps what is known for the next process, and makes few shards of many. To be called when nobody waits. */
  save(): void {
    if (this.stored.shards.length > MAX_SHARDS && !this.isBusy) this.compact();
    this.store.save(this.stored);
  }

  private isSharded({ oid, language }: ScannedFile, { committed, maxFileBytes }: RefreshOptions): boolean {
    const file = { oid, language } as CatalogFile;
    return [committed, this.stored.shards].some((shards) => {
      const unit = lookUpUnit(shards, file);
      return unit !== null && !(unit.state === 'too-large' && unit.size <= maxFileBytes);
    });
  }

  /** Parses blobs and adds them as a shard. */
  private async derive(missing: readonly ScannedFile[], options: RefreshOptions): Promise<void> {
    const { plan, contents } = this.plan(missing, options);
    if (plan.length === 0) return;
    const builder = new LexicalBuilder(this.repository.objectFormat === 'sha256' ? 32 : 20);
    const { maxFileBytes, signal } = options;
    const objects = memoryReader(contents);
    const store = { read: async () => null };
    const context = { objects, store, pool: options.parsers(), maxFileBytes, signal, onBadRecord: () => {} };
    for await (const { oid, units, bytes, size } of deriveBlobs(plan, context)) {
      for (const { language, facts, state } of units) {
        if (facts !== null && state === undefined) options.onFacts?.({ oid, language }, facts);
        if (facts !== null && bytes !== null) builder.add(oid, language, facts, bytes, state);
        else if (state !== undefined) builder.addSkipped(oid, language, state, size);
      }
    }
    this.stored.shards.push(this.store.add(encodeLexical(builder.finish())));
  }

  /** What to parse, with its bytes. A file that changed since it was scanned is left to the next query. */
  private plan(missing: readonly ScannedFile[], { maxFileBytes }: RefreshOptions) {
    const planned = new Map<string, PlannedBlob>();
    const contents = new Map<string, Buffer>();
    for (const file of missing) {
      const { oid, path, language } = file;
      const bytes = contents.get(oid) ?? file.bytes ?? this.readAgain(file, maxFileBytes);
      if (bytes === null) continue;
      contents.set(oid, bytes);
      const known = planned.get(oid);
      if (known === undefined) planned.set(oid, { oid, languages: [language], path, sharded: false });
      else if (!known.languages.includes(language)) known.languages.push(language);
    }
    return { plan: [...planned.values()], contents };
  }

  private readAgain(file: ScannedFile, limit: number): Buffer | null {
    const read = this.scanner.read(file, limit);
    return read?.known.oid === file.oid ? read.bytes : null;
  }

  private compact(): void {
    const columns = mergeLexical(this.stored.shards, (oid) => this.live.has(oid));
    this.stored.shards = columns.units.length === 0 ? [] : [this.store.add(encodeLexical(columns))];
  }
}

function memoryReader(contents: ReadonlyMap<string, Buffer>) {
  return {
    info: async (oid: string) => {
      const content = contents.get(oid);
      return content === undefined ? null : { oid, type: 'blob' as const, size: content.length };
    },
    read: async (oid: string) => {
      const content = contents.get(oid);
      return content === undefined ? null : { oid, type: 'blob' as const, content };
    },
  };
}
