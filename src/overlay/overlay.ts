/**
 * Makes the uncommitted files of one work tree searchable: lists them with their blobs, and parses blobs that no committed shard has into
 * small shards. Each blob is parsed once; the result is cached for later queries and processes.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { inUtf8 } from '../base/binary.js';
import { addTo, getOrMake } from '../base/lists.js';
import type { BlobFacts } from '../extract/facts.js';
import { createAttributes, type PathAttributes } from '../git/attributes.js';
import {
  blobOid,
  type GitObject,
  type ObjectInfo,
  type ObjectReader,
  readable,
  type SnapshotReader,
} from '../git/objects.js';
import type { Repository } from '../git/repository.js';
import type { WorkTreeChange, WorkTreeChanges } from '../git/status.js';
import { type CatalogOptions, languageOfPath, skipReason } from '../indexer/catalog.js';
import { type BlobToDerive, deriveBlobs } from '../indexer/derive.js';
import type { ParserPool } from '../indexer/parser-pool.js';
import { languageOfContent } from '../languages/detect.js';
import { LexicalBuilder } from '../shard/builder.js';
import { encodeLexical } from '../shard/lexical-format.js';
import type { LexicalShard } from '../shard/lexical-shard.js';
import { type CatalogFile, lookUpUnit } from '../shard/live-set.js';
import { mergeLexical } from '../shard/merge.js';
import { type KnownFile, overlayDirectory } from './state-file.js';
import { OverlayStore, type StoredState } from './store.js';
import { type FileStamp, isSameStamp, pathOf, readWorkFile, stampOf } from './worktree-file.js';

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
  /** Number of files that differ from HEAD. `known`: number of those that this state covers. */
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

  /** `profileDirectory` has the committed shards, `directory` those of this overlay. `unsaved`: texts of an editor. */
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

  /** Returns whether there is a change that this overlay has not read yet, so that something may have to be parsed. */
  hasNews(changes: WorkTreeChanges, selection: Selection): boolean {
    return this.scanner.hasNews(changes, selection);
  }

  /** Paths of changed files that are not searched because too many files have changed. */
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

  /** Updates the overlay to git's list of changes. Calls must not overlap. Throws what parsing throws, and CANCELLED. */
  async refresh(changes: WorkTreeChanges, options: RefreshOptions): Promise<OverlayState> {
    const scan = this.scanner.scan(changes, options);
    const missing = scan.files.filter((file) => !this.isSharded(file, options));
    const attributes = new WorkTreeAttributes(this.tree.root);
    this.isBusy = true;
    try {
      await this.derive(missing, attributes, options);
    } finally {
      this.isBusy = false;
    }
    const files = scan.files.map(({ path, oid, language }): CatalogFile => {
      const { generated, vendored } = attributes.of(path);
      return { path, oid, language, generated, vendored };
    });
    this.live = new Set(files.map(({ oid }) => oid));
    // Shards that only earlier states use stay for an undo, but are not searched.
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
      objects: new OverlayReader(
        options.objects,
        { ...this.tree, format: this.repository.objectFormat, attributes },
        scan.files,
      ),
      dirty: scan.dirty,
      known: scan.dirty - scan.leftOut,
    };
  }

  /** Saves the state for the next process, and merges shards if there are many. Runs after the answer is given. */
  save(): void {
    if (this.stored.shards.length > MAX_SHARDS && !this.isBusy) this.compact();
    this.store.save(this.stored);
  }

  /** A blob that was too large for a shard is parsed now: it is only scanned if the limit has been raised since. */
  private isSharded({ oid, language }: ScannedFile, { committed }: RefreshOptions): boolean {
    const file = { oid, language } as CatalogFile;
    return [committed, this.stored.shards].some((shards) => {
      const unit = lookUpUnit(shards, file);
      return unit !== null && unit.state !== 'too-large';
    });
  }

  private async derive(
    missing: readonly ScannedFile[],
    attributes: WorkTreeAttributes,
    options: RefreshOptions,
  ): Promise<void> {
    const { plan, contents } = this.plan(missing, attributes, options);
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
  private plan(missing: readonly ScannedFile[], attributes: WorkTreeAttributes, { maxFileBytes }: RefreshOptions) {
    const planned = new Map<string, BlobToDerive>();
    const contents = new Map<string, Buffer>();
    for (const file of missing) {
      const { oid, path, language } = file;
      const bytes = file.bytes ?? this.readAgain(file, maxFileBytes);
      if (bytes === null) continue;
      contents.set(oid, attributes.inUtf8(path, bytes));
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

/** Reads only the planned blobs: deriving needs no others. */
function memoryReader(contents: ReadonlyMap<string, Buffer>) {
  const contentOf = (oid: string) => contents.get(oid) as Buffer;
  return {
    info: async (oid: string) => ({ oid, type: 'blob' as const, size: contentOf(oid).length }),
    read: async (oid: string) => readable({ oid, type: 'blob', content: contentOf(oid) }),
  };
}

// Reads objects of the repository, and blobs that exist only as files of the work tree.

export class OverlayReader implements ObjectReader {
  /** Blobs that were requested but are gone, because their files have changed since the scan. */
  readonly moved = new Set<string>();
  private readonly files = new Map<string, { name: Buffer; size: number }[]>();

  constructor(
    private readonly objects: ObjectReader,
    private readonly workTree: EditedTree & { format: 'sha1' | 'sha256'; attributes?: WorkTreeAttributes },
    files: readonly { oid: string; name: Buffer; size: number }[],
  ) {
    for (const file of files) addTo(this.files, file.oid, file);
  }

  /** Reads an object. Bytes of a work tree file are returned only if they hash to `name`; if the file changed, the result is null. */
  async read(name: string): Promise<GitObject | null> {
    const content = this.contentOf(name);
    if (content !== null) return { oid: name, type: 'blob', content };
    const committed = await this.objects.read(name);
    if (committed === null && this.files.has(name)) this.moved.add(name);
    return committed;
  }

  async info(name: string): Promise<ObjectInfo | null> {
    const [file] = this.files.get(name) ?? [];
    return file === undefined ? this.objects.info(name) : { oid: name, type: 'blob', size: file.size };
  }

  /** Does nothing: this reader opens no resource. */
  close(): void {}

  private contentOf(oid: string): Buffer | null {
    const { format, attributes = new WorkTreeAttributes(this.workTree.root) } = this.workTree;
    for (const { name, size } of this.files.get(oid) ?? []) {
      const file = readIn(this.workTree, name, size);
      if (file !== null && blobOid(file.bytes, format) === oid)
        return attributes.inUtf8(name.toString('utf8'), file.bytes);
    }
    return null;
  }
}

const ATTRIBUTES_FILE = '.gitattributes';
const MAX_ATTRIBUTE_BYTES = 256 * 1024;

/**
 * Linguist attributes from the work tree's current `.gitattributes` files. Reads each file once, and only those of folders that a caller
 * needs.
 */
export class WorkTreeAttributes {
  private readonly texts = new Map<string, string | null>();
  private readonly byFolder = new Map<string, (path: string) => PathAttributes>();

  constructor(private readonly root: Buffer) {}

  of(path: string): PathAttributes {
    const folder = posix.dirname(path);
    let attributes = this.byFolder.get(folder);
    if (attributes === undefined) {
      attributes = createAttributes(this.filesAbove(folder));
      this.byFolder.set(folder, attributes);
    }
    return attributes(path);
  }

  /** Text of a file in UTF-8, and the bytes of what is no text. */
  inUtf8(path: string, bytes: Buffer): Buffer {
    return inUtf8(bytes, this.of(path).encoding);
  }

  /** Text of one attributes file; null if there is none. */
  text(path: string): string | null {
    return getOrMake(
      this.texts,
      path,
      () => readWorkFile(pathOf(this.root, Buffer.from(path)), MAX_ATTRIBUTE_BYTES)?.bytes.toString('utf8') ?? null,
    );
  }

  private filesAbove(folder: string): { path: string; text: string }[] {
    const files: { path: string; text: string }[] = [];
    for (let at = folder; ; at = posix.dirname(at)) {
      const path = at === '.' ? ATTRIBUTES_FILE : `${at}/${ATTRIBUTES_FILE}`;
      const text = this.text(path);
      if (text !== null) files.push({ path, text });
      if (at === '.') return files;
    }
  }
}

// Reads the files that git reports as changed: computes their blob ids, and decides which ones are searched. Text that an editor has not
// saved stands in for the file on disk.

/** Rules that select files of the work tree, the same as for committed files. */
export interface Selection extends CatalogOptions {
  maxFileBytes: number;
}

/** A file that differs from HEAD and is to be searched. */
interface ScannedFile {
  path: string;
  name: Buffer;
  oid: string;
  /** Language by the path; null if only the content shows it. */
  language: string | null;
  /** Language by the content. */
  content: string;
  size: number;
  /** Bytes read in this scan; null if the stamp showed that the file has not changed. */
  bytes: Buffer | null;
}

interface Scan {
  files: ScannedFile[];
  /** Paths whose version at HEAD must not be searched. */
  replaced: WorkTreeChange[];
  /** Number of files that differ from HEAD. */
  dirty: number;
  /** Number of changed files that are not searched in their current state: unreadable, too large, or beyond the limits. */
  leftOut: number;
}

/** Limits of a scan. More uncommitted files mean another checkout, or files that should be ignored. */
const MAX_FILES = 5_000;
const MAX_BYTES = 64 << 20;

/** Time in which a second change may leave a file's stamp unchanged, because clocks of file systems are coarse. */
const TICK_MS = 50;
/** Like `TICK_MS`, for file systems that store only whole or even seconds. */
const COARSE_TICK_MS = 2_000;

/** Finds the blobs of changed files. A file is read only if its stamp tells that it has changed since, or cannot tell. */
export class Scanner {
  constructor(
    private readonly tree: EditedTree,
    private readonly format: 'sha1' | 'sha256',
    /** Known files by the bytes of their path (as Latin-1). Every scan updates it. */
    readonly known: Map<string, KnownFile>,
  ) {}

  /** Returns whether one of these files has changed since it was read. Compares stamps and reads no content. */
  hasNews({ list }: WorkTreeChanges, selection: Selection): boolean {
    return list.some(({ path, name, isFile }) => {
      if (!isFile || !isSelected(path, selection)) return false;
      const stamp = stampIn(this.tree, name);
      return stamp !== null && stamp.size <= selection.maxFileBytes && this.recall(name, stamp) === null;
    });
  }

  scan(changes: WorkTreeChanges, selection: Selection): Scan {
    const scan: Scan = { files: [], replaced: [], dirty: changes.list.length, leftOut: 0 };
    const seen = new Set<string>();
    let bytes = 0;
    for (const change of changes.list) {
      // The rules depend on the path alone, so the version at HEAD is not selected either.
      if (!isSelected(change.path, selection)) continue;
      const stamp = change.isFile ? stampIn(this.tree, change.name) : null;
      const fits = stamp !== null && stamp.size <= selection.maxFileBytes;
      const file = fits && isWithin(scan.files.length, bytes + stamp.size) ? this.look(change, stamp, selection) : null;
      if (fits && file === null) {
        scan.leftOut++;
        continue;
      }
      // The file is too large: its old text is replaced, and the new one is not searched.
      if (stamp !== null && !fits) scan.leftOut++;
      scan.replaced.push(change);
      if (file === null) continue;
      seen.add(keyOf(change.name));
      scan.files.push(file);
      bytes += file.size;
    }
    for (const name of this.known.keys()) if (!seen.has(name)) this.known.delete(name);
    return scan;
  }

  /** Paths of changed files that no scan reads, since the files before them in git's order reach its limits. Reads no content. */
  beyondLimits({ list }: WorkTreeChanges, selection: Selection): Set<string> {
    const beyond = new Set<string>();
    let [files, bytes] = [0, 0];
    for (const { path, name, isFile } of list) {
      const stamp = isFile && isSelected(path, selection) ? stampIn(this.tree, name) : null;
      if (stamp === null || stamp.size > selection.maxFileBytes) continue;
      if (!isWithin(files, bytes + stamp.size)) beyond.add(path);
      else [files, bytes] = [files + 1, bytes + stamp.size];
    }
    return beyond;
  }

  private look(change: WorkTreeChange, stamp: FileStamp, selection: Selection): ScannedFile | null {
    const known = this.recall(change.name, stamp);
    const found = known === null ? this.read(change, selection.maxFileBytes) : { known, bytes: null };
    if (found === null) return null;
    const { oid, content, size } = found.known;
    const language = languageOfPath(change.path, selection.languages);
    return { path: change.path, name: change.name, oid, language, content, size, bytes: found.bytes };
  }

  /** Reads a file and remembers its stamp and blob id; null if it cannot be read, or has become too large. */
  read({ name }: Pick<WorkTreeChange, 'name'>, limit: number): { known: KnownFile; bytes: Buffer } | null {
    const at = Date.now();
    const file = readIn(this.tree, name, limit);
    if (file === null) return null;
    const { stamp, bytes } = file;
    const known = { ...stamp, oid: blobOid(bytes, this.format), content: languageOfContent(inUtf8(bytes)), at };
    this.known.set(keyOf(name), known);
    return { known, bytes };
  }

  private recall(name: Buffer, stamp: FileStamp | null): KnownFile | null {
    const known = this.known.get(keyOf(name));
    if (known === undefined || stamp === null || !isSameStamp(known, stamp) || isRacy(known)) return null;
    return known;
  }
}

/** Returns whether the file changed so shortly before it was read that a later change may have the same stamp. Git checks this too. */
export function isRacy({ mtime, ctime, at }: KnownFile): boolean {
  const tick = mtime.endsWith('000000000') ? COARSE_TICK_MS : TICK_MS;
  const changed = Math.max(Number(BigInt(mtime) / 1_000_000n), Number(BigInt(ctime) / 1_000_000n));
  return changed >= at - tick;
}

const isWithin = (files: number, bytes: number): boolean => files < MAX_FILES && bytes <= MAX_BYTES;

function isSelected(path: string, selection: Selection): boolean {
  return skipReason({ path, type: 'file' }, selection) === null;
}

interface Unsaved {
  path: string;
  bytes: Buffer;
  stamp: FileStamp;
}

/** A path as a key of maps: its bytes, since not every path is UTF-8. */
const keyOf = (name: Uint8Array): string => Buffer.from(name).toString('latin1');

/** Texts of an editor that are not saved: each stands in for the file of its path. */
export class UnsavedTexts {
  /** Texts by the bytes of the path, as Latin-1. */
  private readonly texts = new Map<string, Unsaved>();
  /** Grows with each change. */
  version = 0;

  /** `path`: from the top of the work tree. */
  set(path: string, text: string): void {
    const bytes = Buffer.from(text);
    // Equal stamps must mean equal contents, so the hash takes the place of a file's inode.
    const inode = `unsaved-${createHash('sha256').update(bytes).digest('hex')}`;
    const stamp = { size: bytes.length, mtime: '0', ctime: '0', inode };
    const key = keyOf(Buffer.from(path));
    if (this.texts.get(key)?.stamp.inode === inode) return;
    this.texts.set(key, { path, bytes, stamp });
    this.version++;
  }

  delete(path: string): void {
    if (this.texts.delete(keyOf(Buffer.from(path)))) this.version++;
  }

  has(path: string): boolean {
    return this.find(Buffer.from(path)) !== undefined;
  }

  get paths(): string[] {
    return [...this.texts.values()].map(({ path }) => path);
  }

  find(name: Uint8Array): Omit<Unsaved, 'path'> | undefined {
    return this.texts.size === 0 ? undefined : this.texts.get(keyOf(name));
  }
}

/** A work tree with the texts that stand in for files of it. `root`: its real path. */
interface EditedTree {
  root: Buffer;
  unsaved?: UnsavedTexts | null;
}

/** Does what `stampOf` does. */
export function stampIn({ root, unsaved }: EditedTree, name: Uint8Array): FileStamp | null {
  return unsaved?.find(name)?.stamp ?? stampOf(pathOf(root, name));
}

/** Does what `readWorkFile` does. */
export function readIn(
  { root, unsaved }: EditedTree,
  name: Uint8Array,
  limit: number,
): { stamp: FileStamp; bytes: Buffer } | null {
  const text = unsaved?.find(name);
  if (text === undefined) return readWorkFile(pathOf(root, name), limit);
  return text.bytes.length <= limit ? text : null;
}
