/**
 * Makes the uncommitted files of one work tree searchable: lists them with their blobs, and parses blobs that no
 * committed shard has into small shards. Each blob is parsed once; the result is kept for later queries and processes.
 */
import { realpathSync } from 'node:fs';
import type { BlobFacts } from '../extract/facts.js';
import type { WorkTreeChange, WorkTreeChanges } from '../git/changes.js';
import type { SnapshotReader } from '../git/reader.js';
import type { Repository } from '../git/repository.js';
import { type BlobToDerive, deriveBlobs } from '../indexer/derive.js';
import type { ParserPool } from '../indexer/parser-pool.js';
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
import { type EditedTree, readIn, type UnsavedTexts } from './unsaved.js';

/** Uncommitted state of a work tree at one moment. */
export interface OverlayState {
  /** Equal for equal states. */
  key: string;
  /** Files that differ from HEAD, exist and are searched. */
  files: CatalogFile[];
  /** Paths whose version at HEAD must not be searched. Includes the paths of `files`. */
  replaced: WorkTreeChange[];
  /** Other differences from HEAD: files that are deleted, excluded, or too large. Their text is in no shard. */
  unindexed: readonly WorkTreeChange[];
  /** Current bytes of one of `unindexed`; null if it is not a regular file of the work tree, or larger than `limit`. */
  readUnindexed: (change: WorkTreeChange, limit: number) => Buffer | null;
  /** Shards of uncommitted blobs. The units of a file are here or in the committed shards. */
  shards: readonly LexicalShard[];
  attributesOf: (path: string) => { generated: boolean; vendored: boolean };
  /** Reads committed blobs, and the text of `files` from the work tree. */
  objects: OverlayReader;
  /** Number of files that differ from HEAD, and of those among them that this state covers. */
  dirty: number;
  known: number;
}

interface RefreshOptions extends Selection {
  /** Shards of committed blobs. */
  committed: readonly LexicalShard[];
  objects: SnapshotReader;
  /** Called only if there is something to parse. */
  parsers: () => ParserPool;
  signal?: AbortSignal;
  /** Receives the facts of every parsed blob, including relations, which shards do not store. */
  onFacts?: FactsListener;
}

export type FactsListener = (unit: { oid: string; language: string }, facts: BlobFacts) => void;

/** Number of shards above which `save` merges them into one. Each edit adds a small shard. */
const MAX_SHARDS = 8;

export class WorkTreeOverlay {
  readonly directory: string;
  private readonly tree: EditedTree;
  private readonly store: OverlayStore;
  private readonly stored: StoredState;
  private readonly scanner: Scanner;
  private isBusy = false;
  /** Blobs of the latest state. */
  private live: ReadonlySet<string> = new Set();

  /** `profileDirectory` has the committed shards; `directory` keeps the shards of this overlay; `unsaved`: texts of an editor. */
  constructor(
    private readonly repository: Repository & { workTree: string },
    profileDirectory: string,
    directory = overlayDirectory(profileDirectory, repository.gitDir),
    unsaved: UnsavedTexts | null = null,
  ) {
    this.tree = { root: realpathSync.native(repository.workTree, { encoding: 'buffer' }), unsaved };
    this.directory = directory;
    this.store = new OverlayStore(this.directory, repository.gitDir);
    this.stored = this.store.load();
    this.scanner = new Scanner(this.tree, repository.objectFormat, this.stored.files);
  }

  /** Is there a change that this overlay has not read yet, so that something may have to be parsed? */
  hasNews(changes: WorkTreeChanges, selection: Selection): boolean {
    return this.scanner.hasNews(changes, selection);
  }

  /** Paths of changed files that are not searched, since too many files have changed. */
  beyondLimits(changes: WorkTreeChanges, selection: Selection): Set<string> {
    return this.scanner.beyondLimits(changes, selection);
  }

  /** Forgets all files and shards, because nothing is uncommitted. */
  clear(): void {
    this.stored.files.clear();
    this.stored.shards.length = 0;
    this.live = new Set();
  }

  /** Current text of the `.gitattributes` files that differ from HEAD; null for a deleted one. */
  changedAttributes(changes: WorkTreeChanges): { path: string; text: string | null }[] {
    const attributes = new WorkTreeAttributes(this.tree.root);
    const changed = changes.list.filter(({ path }) => /(?:^|\/)\.gitattributes$/.test(path));
    return changed.map(({ path, isFile }) => ({ path, text: isFile ? attributes.text(path) : null }));
  }

  /**
   * Updates the overlay to git's list of changes. Calls must not overlap. Throws what parsing throws, and CANCELLED.
   */
  async refresh(changes: WorkTreeChanges, options: RefreshOptions): Promise<OverlayState> {
    const scan = this.scanner.scan(changes, options);
    const missing = scan.files.filter((file) => !this.isSharded(file, options));
    this.isBusy = true;
    try {
      await this.derive(missing, options);
    } finally {
      this.isBusy = false;
    }
    const attributes = new WorkTreeAttributes(this.tree.root);
    const files = scan.files.map(({ path, oid, language }): CatalogFile => {
      const { generated, vendored } = attributes.of(path);
      return { path, oid, language, generated, vendored };
    });
    this.live = new Set(files.map(({ oid }) => oid));
    // Shards that only earlier states use are kept for an undo, but not searched.
    const shards = this.stored.shards.filter((shard) => files.some(({ oid }) => shard.findAnyUnit(oid) >= 0));
    const found = new Set(files.map(({ path }) => path));
    const replaced = scan.replaced.map(({ path, headOid = '?' }) => [path, headOid]);
    return {
      key: JSON.stringify([changes.commit, files, replaced, shards.map(({ name }) => name)]),
      files,
      replaced: scan.replaced,
      unindexed: changes.list.filter(({ path }) => !found.has(path)),
      readUnindexed: ({ name }, limit) => readIn(this.tree, name, limit)?.bytes ?? null,
      shards,
      attributesOf: (path) => attributes.of(path),
      objects: new OverlayReader(options.objects, { ...this.tree, format: this.repository.objectFormat }, scan.files),
      dirty: scan.dirty,
      known: scan.dirty - scan.leftOut,
    };
  }

  /**
   * Saves the state for the next process, and merges shards if there are many. Meant to run after the answer is given.
   */
  save(): void {
    if (this.stored.shards.length > MAX_SHARDS && !this.isBusy) this.compact();
    this.store.save(this.stored);
  }

  /** A blob that was too large for a shard is parsed now: the limit has been raised since, or it would not be scanned. */
  private isSharded({ oid, language }: ScannedFile, { committed }: RefreshOptions): boolean {
    const file = { oid, language } as CatalogFile;
    return [committed, this.stored.shards].some((shards) => {
      const unit = lookUpUnit(shards, file);
      return unit !== null && unit.state !== 'too-large';
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
        if (facts === null) {
          builder.addSkipped(oid, language, state, size);
          continue;
        }
        builder.add(oid, language, facts, bytes as Uint8Array, state);
        if (state === undefined) options.onFacts?.({ oid, language }, facts);
      }
    }
    this.stored.shards.push(this.store.add(encodeLexical(builder.finish())));
  }

  /** Collects the blobs to parse with their bytes. Files that changed since the scan are left to the next query. */
  private plan(missing: readonly ScannedFile[], { maxFileBytes }: RefreshOptions) {
    const planned = new Map<string, BlobToDerive>();
    const contents = new Map<string, Buffer>();
    for (const file of missing) {
      const { oid, path, language } = file;
      const bytes = file.bytes ?? this.readAgain(file, maxFileBytes);
      if (bytes === null) continue;
      contents.set(oid, bytes);
      const known = planned.get(oid);
      if (known === undefined) planned.set(oid, { oid, languages: [language], path });
      else known.languages.push(language);
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

/** Reads what is planned, and nothing else is asked for. */
function memoryReader(contents: ReadonlyMap<string, Buffer>) {
  const contentOf = (oid: string) => contents.get(oid) as Buffer;
  return {
    info: async (oid: string) => ({ oid, type: 'blob' as const, size: contentOf(oid).length }),
    read: async (oid: string) => ({ oid, type: 'blob' as const, content: contentOf(oid) }),
  };
}
