/**
 * Cached views: the corpus of a snapshot as a file in the shard directory, so that a new process answers without listing the tree. A view
 * is trusted only with this user's seal, and only while the shards that it names are in use. It names them so that a branch finds its
 * view again even after other branches have added shards.
 */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPlainFile, writeStateFile } from '../../base/atomic.js';
import { sealFile, unsealFile } from '../../base/cache.js';
import { type Corpus, decodeView, encodeView } from '../../search/corpus.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { FileTable, type LiveSet } from '../../shard/live-set.js';

const VIEW_NAME = /^view-([0-9a-f]{24})\.bin$/;
/** Limit on views: one per branch or tag that a person switches between. */
const MAX_VIEWS = 12;
/** Limit on the size of a view that is read. A view takes some hundred bytes per file of the snapshot. */
const MAX_VIEW_BYTES = 1 << 30;

/** Local state that a view was made from. */
interface Foundation {
  /** Names of the view's shards, in its own numbering. A shard's name is a hash of its content. */
  shards: string[];
  /** Equal for equal local states; null for a view that no other shard can improve. */
  state: string | null;
}

/** Returns the name of a view; `originKey` is the key of the snapshot's origin. */
export function viewKey(originKey: string): string {
  return digestOf(originKey);
}

/** Names the local state that a degraded view depends on. Another shard or a readable blob makes it another state. */
export function localStateOf(shards: readonly string[], unreadable: readonly string[]): string {
  return digestOf([shards, unreadable]);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24);
}

export interface View<T> {
  corpus: Corpus;
  extra: T;
  /** Local state that the view depends on; null for a `ready` snapshot. */
  localState: string | null;
  /** Shards of the corpus that no other file holds; default: none. */
  own?: readonly LexicalShard[];
}

/** The published shards, opened, and their state. */
export interface LocalShards {
  shards: readonly LexicalShard[];
  localState: string;
}

/**
 * Reads the corpus of a snapshot over the open shards; null without a usable view. Its own shards must be open; other branches may have
 * added more.
 */
export function readView<T>(directory: string, key: string, local: LocalShards): View<T> | null {
  const path = viewPath(directory, key);
  try {
    const { content, foundation } = open(directory, key);
    const { state: localState } = foundation;
    if (localState !== null && localState !== local.localState) return null;
    const shards = arrange(local.shards, foundation.shards);
    if (shards === null) return null;
    const view = decodeView<T>(content, shards, path);
    touch(path);
    return { ...view, localState };
  } catch {
    return null;
  }
}

export function hasView(
  directory: string,
  key: string,
  local: { names: readonly string[]; localState: string },
): boolean {
  try {
    const { foundation } = open(directory, key);
    const isCurrent = foundation.state === null || foundation.state === local.localState;
    return isCurrent && foundation.shards.every((name) => local.names.includes(name));
  } catch {
    return false;
  }
}

/** Returns whether the file is a whole view with this user's seal; null for names of other files. */
export function isWholeView(directory: string, name: string): boolean | null {
  const key = VIEW_NAME.exec(name)?.[1];
  if (key === undefined) return null;
  try {
    open(directory, key);
    return true;
  } catch {
    return false;
  }
}

/** Throws if the file is missing or damaged. */
function open(directory: string, key: string): { content: Buffer; foundation: Foundation } {
  const file = readPlainFile(viewPath(directory, key), MAX_VIEW_BYTES);
  if (file === null) throw new Error('no view');
  const { content, note } = unsealFile(sealedName(directory, key), file);
  return { content, foundation: note as Foundation };
}

/** Puts the named shards first, in that order; null if one is missing. */
export function arrange(shards: readonly LexicalShard[], names: readonly string[]): LexicalShard[] | null {
  const byName = new Map(shards.map((shard) => [shard.name, shard]));
  const named: LexicalShard[] = [];
  for (const name of names) {
    const shard = byName.get(name);
    if (shard === undefined) return null;
    named.push(shard);
  }
  const isNamed = new Set(names);
  return [...named, ...shards.filter(({ name }) => !isNamed.has(name))];
}

/** Never throws. Without a view the next process takes longer. */
export function writeView<T>(directory: string, key: string, { corpus, extra, localState }: View<T>): void {
  const { names, files } = compact(corpus.live);
  const content = encodeView({ ...corpus, live: { ...corpus.live, files } }, extra);
  const foundation: Foundation = { shards: names, state: localState };
  try {
    writeStateFile(viewPath(directory, key), sealFile(sealedName(directory, key), content, foundation));
    removeOldest(directory, VIEW_NAME, { files: MAX_VIEWS, bytes: MAX_VIEW_BYTES });
  } catch {
    // The repository may be read-only.
  }
}

/** Returns the files of a live set, numbered without unused shards, and the names of the used ones. */
export function compact({ files, shards }: LiveSet): { names: string[]; files: FileTable } {
  const used = [...new Set(files.shard)].sort((a, b) => a - b);
  const numbers = new Map(used.map((index, number) => [index, number]));
  const renumbered = files.shard.map((index) => numbers.get(index) ?? 0);
  const retained = used.map((index) => shards[index]);
  return {
    names: retained.map(({ name }) => name),
    files: new FileTable(retained, renumbered, files.unit, files.pathStart, files.table),
  };
}

function viewPath(directory: string, key: string): string {
  return join(directory, `view-${key}.bin`);
}

/** Includes the folder's name, so that a view copied from another profile fails its seal. */
function sealedName(directory: string, key: string): string {
  return `${basename(directory)}/view-${key}`;
}

/** Marks a file as used now. */
export function touch(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

/** Removes the least recently used files of a name until the limits hold. */
export function removeOldest(directory: string, pattern: RegExp, most: { files: number; bytes: number }): void {
  const names = readdirSync(directory).filter((name) => pattern.test(name));
  const stats = names.map((name) => ({ path: join(directory, name), ...statOf(join(directory, name)) }));
  let bytes = 0;
  for (const [i, { path, size }] of stats.sort((a, b) => b.at - a.at).entries()) {
    bytes += size;
    if (i >= most.files || bytes > most.bytes) rmSync(path, { force: true });
  }
}

function statOf(path: string): { at: number; size: number } {
  const { mtimeMs: at, size } = statSync(path);
  return { at, size };
}
