/**
 * Artifacts outside of the repository. Their files are parsed and stored on this machine for this work tree alone, and join a snapshot's
 * corpus, so that one ranking has both. The built-in model makes their vectors: nothing is sent anywhere.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { isLink } from '../../base/atomic.js';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import type { Artifact } from '../../config/context-artifacts.js';
import { createSelector, type Selector } from '../../config/select.js';
import { blobOid, decodePath, isUnsafePath, type ObjectReader } from '../../git/objects.js';
import type { WorkTreeChange } from '../../git/status.js';
import { skipReason } from '../../indexer/catalog.js';
import { isRacy, type OverlayState, WorkTreeOverlay } from '../../overlay/overlay.js';
import { type KnownFile, overlayDirectory } from '../../overlay/state-file.js';
import { OverlayStore } from '../../overlay/store.js';
import { isSameStamp, pathOf, readFolder, readWorkFile, stampOf } from '../../overlay/worktree-file.js';
import type { Corpus } from '../../search/corpus.js';
import { patchCorpus } from '../../search/corpus-patch.js';
import type { Session } from '../../session/session.js';
import { Consent, realPath } from '../../session/siblings/links.js';
import { isSearchable } from '../../session/snapshot/coverage.js';
import type { Snapshot, SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { IdleParsers } from '../../session/speculation.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import type { CatalogFile } from '../../shard/live-set.js';

/** Limit of outside artifacts, since every question examines each. */
export const MAX_OUTSIDE = 16;

/** Reason why an artifact cannot be read. */
export type Refusal = 'missing' | 'not-allowed' | 'too-many';

/** An outside artifact that may be read. */
export interface FoundOutside {
  artifact: Artifact;
  files: OutsideFiles;
}

/** Outside artifacts in their present state, ready to be searched. */
export interface OutsideSnapshot {
  files: CatalogFile[];
  /** Name of the artifact of each path. */
  nameOf: ReadonlyMap<string, string>;
  /** Number of files parsed this time. */
  parsed: number;
  extend: (snapshot: Snapshot) => Snapshot;
  /** True if a file changed after it was found, so that its text cannot be shown. */
  hasMoved: (path: string) => boolean;
}

interface Refreshed {
  artifact: Artifact;
  state: OverlayState;
  directory: string;
  parsed: number;
  files: CatalogFile[];
}

export class OutsideArtifacts {
  private readonly parsers = new IdleParsers();
  /** Overlays by the directory of their index. */
  private readonly overlays = new Map<string, WorkTreeOverlay>();
  private readonly patched = new WeakMap<Corpus, { key: string; patch: Pick<Snapshot, 'corpus' | 'overlayShards'> }>();
  /** Updates run one after the other. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly session: Session) {
    session.onClose(() => this.parsers.stop());
  }

  /** Finds artifacts that the settings of an origin allow. Reads names only. Throws BAD_CONFIG. */
  async find(
    artifacts: readonly Artifact[],
    origin: SnapshotOrigin,
  ): Promise<{ found: FoundOutside[]; refused: Map<string, Refusal>; maxFileBytes: number }> {
    const { config } = await this.session.configOfOrigin(origin);
    const { workTree, gitDir } = this.session.repository;
    const { maxFileBytes } = config;
    const consent = new Consent(workTree ?? gitDir, config.context.allow);
    const found: FoundOutside[] = [];
    const refused = new Map<string, Refusal>();
    for (const artifact of artifacts) {
      const place = found.length < MAX_OUTSIDE ? locateOutside(artifact.path, consent) : 'too-many';
      if (typeof place === 'string') refused.set(artifact.name, place);
      else found.push({ artifact, files: listOutside(place, { maxFileBytes }) });
    }
    return { found, refused, maxFileBytes };
  }

  /** Parses changed files. Throws what parsing throws, and CANCELLED. */
  refresh(found: readonly FoundOutside[], maxFileBytes: number, signal?: AbortSignal): Promise<OutsideSnapshot> {
    const turn = this.turn
      .catch(() => {})
      .then(async () => {
        const refreshed: Refreshed[] = [];
        for (const each of found) refreshed.push(await this.refreshOne(each, maxFileBytes, signal));
        this.parsers.rest();
        return this.snapshot(refreshed);
      });
    this.turn = turn;
    return turn;
  }

  /** Drops the caches of this process. */
  clear(): void {
    this.overlays.clear();
  }

  private async refreshOne(
    { artifact, files }: FoundOutside,
    maxFileBytes: number,
    signal?: AbortSignal,
  ): Promise<Refreshed> {
    const { repository, shards, objects } = this.session;
    const directory = storeDirectory(this.session, files);
    let overlay = this.overlays.get(directory);
    if (overlay === undefined) {
      overlay = new WorkTreeOverlay({ ...repository, workTree: files.root }, shards.directory, directory);
      this.overlays.set(directory, overlay);
    }
    let parsed = 0;
    const state = await overlay.refresh(
      { commit: null, list: files.list },
      {
        // The rules applied when files were listed.
        ...{ select: () => null, languages: {}, maxFileBytes, committed: [] },
        ...{ objects, parsers: () => this.parsers.get(), signal },
        onFacts: () => parsed++,
      },
    );
    overlay.save();
    const shown = state.files.map((file) => ({ ...file, path: outsidePath(files, file.path) }));
    return { artifact, state, directory, parsed, files: shown };
  }

  private snapshot(refreshed: readonly Refreshed[]): OutsideSnapshot {
    const nameOf = new Map<string, string>();
    const files: CatalogFile[] = [];
    for (const { artifact, files: own } of refreshed) {
      for (const file of own) {
        if (nameOf.has(file.path)) continue;
        nameOf.set(file.path, artifact.name);
        files.push(file);
      }
    }
    return {
      files,
      nameOf,
      parsed: refreshed.reduce((sum, { parsed }) => sum + parsed, 0),
      extend: (snapshot) => this.extend(snapshot, refreshed, files),
      hasMoved: (path) => {
        const oid = files.find((file) => file.path === path)?.oid;
        return oid !== undefined && refreshed.some(({ state }) => state.objects.moved.has(oid));
      },
    };
  }

  private extend(base: Snapshot, refreshed: readonly Refreshed[], files: CatalogFile[]): Snapshot {
    const objects = readerOf(base.objects, refreshed);
    const key = JSON.stringify(refreshed.map(({ directory, state }) => [directory, state.key]));
    const known = this.patched.get(base.corpus);
    if (known?.key === key) return { ...base, ...known.patch, objects };
    const shards = refreshed.flatMap(({ state }) => state.shards);
    const own = refreshed.flatMap(({ state, directory }): [LexicalShard, string][] =>
      state.shards.map((shard) => [shard, directory]),
    );
    const corpus = patchCorpus(base.corpus, {
      ...{ removed: new Set<string>(), added: files, shards },
      attributesOf: () => ({ generated: false, vendored: false }),
    });
    const patch = { corpus, overlayShards: new Map([...(base.overlayShards ?? []), ...own]) };
    this.patched.set(base.corpus, { key, patch });
    log.debug(`${files.length} files of outside artifacts are searched, too`);
    return { ...base, ...patch, objects };
  }
}

/** Reads the indexed bytes or nothing: each reader has the files of one artifact. */
function readerOf(base: ObjectReader, refreshed: readonly Refreshed[]): ObjectReader {
  const readers = new Map<string, ObjectReader>();
  for (const { state } of refreshed) for (const { oid } of state.files) readers.set(oid, state.objects);
  const of = (name: string) => readers.get(name) ?? base;
  return {
    read: (name) => of(name).read(name),
    info: (name) => of(name).info(name),
    close: () => {},
  };
}

// The files of an artifact. A hostile repository may name it, so the user's setting `context.allow` decides which real paths may be read,
// after links are resolved. Below an allowed folder, no link is followed.

/** Limits of an artifact (a specification, a folder of decisions): a larger one is another repository. */
const MAX_FILES = 2_000;
const MAX_BYTES = 32 << 20;
/** Most entries of any kind that are examined. */
const MAX_ENTRIES = 10_000;
const MAX_DEPTH = 32;

/** An outside artifact at its real path. */
interface OutsidePlace {
  /** The folder, or that of the file. */
  root: string;
  /** Name of the file; null for a folder. */
  file: string | null;
}

export interface OutsideFiles extends OutsidePlace {
  /** The files in the form in which git reports untracked files below `root`. */
  list: WorkTreeChange[];
  leftOut: Record<string, number>;
}

/** A network share. Even examining it would contact the machine that the repository names. */
const SHARE = /^[/\\]{2}/;

/** Resolves a path. Tells whether it exists only if the user allowed to look. */
function locateOutside(path: string, consent: Consent): OutsidePlace | 'missing' | 'not-allowed' {
  const place = consent.locate(path);
  const isNear = consent.isAllowed(place);
  if (!isNear && (SHARE.test(path) || !consent.allowsAny)) return 'not-allowed';
  const real = realPath(place);
  if (real === null) return isNear ? 'missing' : 'not-allowed';
  if (!consent.isAllowed(real) || isUnsafePath(absoluteName(real))) return 'not-allowed';
  const stat = lstatSync(real, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { root: real, file: null };
  return stat?.isFile() ? { root: dirname(real), file: basename(real) } : 'missing';
}

/** An absolute path in the form of a repository's, for rules about names. */
function absoluteName(path: string): string {
  return path.split(sep).filter(Boolean).join('/');
}

/** Selects files by their whole path, for secrets: an allowed home directory has an `.ssh`. */
function selectorOf({ root, file }: OutsidePlace): Selector {
  const select = createSelector({ include: [], exclude: [] });
  const above = absoluteName(root);
  return (path) => {
    if (select(`${above}/${path}`) === 'secret') return 'secret';
    // A folder that is named itself is accepted, whatever its name; copied dependencies in it are not.
    return file === null ? select(path) : null;
  };
}

function listOutside(place: OutsidePlace, limits: { maxFileBytes: number }): OutsideFiles {
  const found: OutsideFiles = { ...place, list: [], leftOut: {} };
  const select = selectorOf(place);
  let bytes = 0;
  const leave = (reason: string) => {
    found.leftOut[reason] = (found.leftOut[reason] ?? 0) + 1;
  };
  const add = (name: Buffer) => {
    const path = decodePath(name);
    const reason = skipReason({ path, type: 'file' }, { select });
    const size = sizeAt(place.root, name);
    if (reason !== null) leave(reason);
    else if (size === null) leave('unreadable');
    else if (size > limits.maxFileBytes) leave('too-large');
    else if (found.list.length >= MAX_FILES || bytes + size > MAX_BYTES) leave('beyond-limits');
    else {
      bytes += size;
      found.list.push({ path, name, headOid: null, headType: null, isFile: true });
    }
  };
  if (place.file !== null) add(Buffer.from(place.file));
  else walk(place.root, { add, leave });
  return found;
}

function sizeAt(root: string, name: Buffer): number | null {
  try {
    const stat = lstatSync(Buffer.concat([Buffer.from(root + sep), name]));
    return stat.isFile() ? stat.size : null;
  } catch {
    return null;
  }
}

/** Every file below a folder, sorted by name, up to the limits. */
function walk(root: string, { add, leave }: { add: (name: Buffer) => void; leave: (reason: string) => void }): void {
  let left = MAX_ENTRIES;
  const visit = (folder: Buffer, depth: number) => {
    const entries = readFolder(root, folder, left);
    if (entries === null) return leave('unreadable');
    left -= entries.length;
    if (left <= 0) leave('beyond-limits');
    for (const { name, kind } of entries) {
      const path = folder.length === 0 ? name : Buffer.concat([folder, Buffer.from('/'), name]);
      if (kind === 'symlink') leave('symlink');
      else if (kind === 'file') add(path);
      else if (kind === 'folder' && isUnsafePath(decodePath(name))) leave('unsafe-path');
      else if (kind === 'folder' && (depth >= MAX_DEPTH || left <= 0)) leave('beyond-limits');
      else if (kind === 'folder') visit(path, depth + 1);
    }
  };
  visit(Buffer.alloc(0), 0);
}

/** Displayed path of an outside file. */
export function outsidePath({ root }: OutsidePlace, path: string): string {
  return join(root, path);
}

// Indexes of outside artifacts: one folder each, next to the shards of this work tree, never shared.

type Local = Pick<Session, 'repository' | 'shards'>;

/** Begins with the name of the work tree's overlay, so that both are removed when the work tree is gone. */
function prefix({ repository, shards }: Local): string {
  return `${overlayDirectory(shards.directory, repository.gitDir)}-context-`;
}

function storeDirectory(local: Local, { root, file }: OutsidePlace): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([root, file]))
    .digest('hex');
  return prefix(local) + digest.slice(0, 16);
}

/** Index of an outside artifact, compared with its present files. */
export interface OutsideState {
  /** Blob of a single file, else a digest of names and blobs; null without files. */
  oid: string | null;
  /** Digest of the indexed files; null before the first time. */
  indexedOid: string | null;
  bytes: number;
  indexed: number;
  chunks: number;
  /** Number of files left out for their content, by reason. */
  leftOut: Record<string, number>;
}

/** Reads changed files, and parses none. */
export function compareOutside(local: Local, files: OutsideFiles, maxFileBytes: number): OutsideState {
  const { repository } = local;
  const { objectFormat } = repository;
  const { files: known, shards } = new OverlayStore(storeDirectory(local, files), repository.gitDir).load();
  const root = Buffer.from(files.root);
  const state: Omit<OutsideState, 'oid' | 'indexedOid'> = { bytes: 0, indexed: 0, chunks: 0, leftOut: {} };
  const now: [string, string][] = [];
  for (const { name } of files.list) {
    const key = name.toString('latin1');
    const path = pathOf(root, name);
    const before = known.get(key);
    const stamp = stampOf(path);
    state.bytes += stamp?.size ?? 0;
    const isKnown = before !== undefined && stamp !== null && isSameStamp(before, stamp) && !isRacy(before);
    const oid = isKnown ? before.oid : hashOf(path, maxFileBytes, objectFormat);
    now.push([key, oid]);
    const shard = shards.find((each) => each.findAnyUnit(oid) >= 0);
    if (shard === undefined) continue;
    const unit = shard.findAnyUnit(oid);
    const reason = shard.unitState(unit);
    if (isSearchable({ state: reason, size: shard.unitSize[unit] }, maxFileBytes)) {
      state.indexed++;
      state.chunks += shard.unitDocuments[unit];
    } else state.leftOut[reason ?? 'too-large'] = (state.leftOut[reason ?? 'too-large'] ?? 0) + 1;
  }
  const before = [...known].map(([key, { oid }]: [string, KnownFile]): [string, string] => [key, oid]);
  return { ...state, oid: digest(now, files, objectFormat), indexedOid: digest(before, files, objectFormat) };
}

function hashOf(path: Buffer, limit: number, format: 'sha1' | 'sha256'): string {
  const file = readWorkFile(path, limit);
  return file === null ? '' : blobOid(file.bytes, format);
}

function digest(files: [string, string][], { file }: OutsidePlace, format: 'sha1' | 'sha256'): string | null {
  if (files.length === 0) return null;
  if (file !== null) return files[0][1] === '' ? null : files[0][1];
  const sorted = files.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash(format).update(JSON.stringify(sorted)).digest('hex');
}

/** Deletes the indexes of one or all outside artifacts. Returns their number and bytes. Throws DISK. */
export function removeStores(local: Local, place?: OutsidePlace): { removed: number; bytes: number } {
  const directories = place === undefined ? allStores(local) : [storeDirectory(local, place)];
  const found = directories.filter((directory) => existsSync(directory) && !isLink(directory));
  let bytes = 0;
  try {
    for (const directory of found) {
      for (const name of readdirSync(directory)) bytes += statSync(join(directory, name)).size;
      rmSync(directory, { recursive: true, force: true });
    }
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot delete: ${(cause as Error).message}`, { cause });
  }
  return { removed: found.length, bytes };
}

function allStores(local: Local): string[] {
  const start = prefix(local);
  const parent = dirname(start);
  if (isLink(dirname(parent)) || isLink(parent) || !existsSync(parent)) return [];
  const names = readdirSync(parent).filter((name) => name.startsWith(basename(start)));
  return names.map((name) => join(parent, name));
}
