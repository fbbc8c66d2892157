/**
 * Cached views: the corpus of a snapshot as a file beside the shards, so that a new process answers without listing
 * the tree. Like every local file it is trusted only with this user's seal, and only over the very shards it refers to: it
 * names them, so that going back to a branch finds its view although other branches have added shards since.
 */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPlainFile, writeStateFile } from '../../base/atomic.js';
import { sealFile, unsealFile } from '../../base/sealed.js';
import { type Corpus, decodeView, encodeView } from '../../search/corpus.js';
import type { LexicalShard } from '../../shard/lexical.js';
import { FileTable, type LiveSet } from '../../shard/live.js';

const VIEW_NAME = /^view-([0-9a-f]{24})\.bin$/;
/** Branches and tags that people go back and forth between. */
const KEPT = 12;
/** Views take some hundred bytes a file; what is larger is none. */
const MAX_VIEW_BYTES = 1 << 30;

/** What a view was made over. */
interface Foundation {
  /** Names of the shards it refers to, by its own numbers. Shard names are made of their content. */
  shards: string[];
  /** Equal for equal local states; null for a view that no other shard can make better. */
  state: string | null;
}

/** Names a snapshot under the settings that apply to it; `origin` is the key of its scope. */
export function viewKey(origin: string): string {
  return digestOf(origin);
}

/** The local state that an incomplete view depends on: with one more shard, or a blob that can be read, it is another. */
export function stateOf(shards: readonly string[], unreadable: readonly string[]): string {
  return digestOf([shards, unreadable]);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24);
}

/**
 * The corpus of a snapshot over shards that are open; null if there is no view of it that can be used. What it refers
 * to must be among them; others may have come since, of other branches.
 */
export function readView<T>(
  directory: string,
  key: string,
  local: { shards: readonly LexicalShard[]; state: string },
): { corpus: Corpus; extra: T; state: string | null } | null {
  const path = viewPath(directory, key);
  try {
    const { content, foundation } = open(directory, key);
    const { state } = foundation;
    if (state !== null && state !== local.state) return null;
    const shards = arrange(local.shards, foundation.shards);
    if (shards === null) return null;
    const view = decodeView<T>(content, shards, path);
    const now = new Date();
    utimesSync(path, now, now); // Age is time since last use.
    return { ...view, state };
  } catch {
    return null;
  }
}

/** Is there a view of this snapshot whose shards are all in use? Reads no more than its end. */
export function hasView(directory: string, key: string, local: { names: readonly string[]; state: string }): boolean {
  try {
    const { foundation } = open(directory, key);
    const isCurrent = foundation.state === null || foundation.state === local.state;
    return isCurrent && foundation.shards.every((name) => local.names.includes(name));
  } catch {
    return false;
  }
}

/** Is the file of that name a view, whole and our own? Null for other names. */
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

/** Throws if there is no such file, or it is not whole. */
function open(directory: string, key: string): { content: Buffer; foundation: Foundation } {
  const file = readPlainFile(viewPath(directory, key), MAX_VIEW_BYTES);
  if (file === null) throw new Error('no view');
  const { content, note } = unsealFile(sealedName(directory, key), file);
  return { content, foundation: note as Foundation };
}

/** The shards with those named first, in that order; null if one is missing. */
function arrange(shards: readonly LexicalShard[], names: readonly string[]): LexicalShard[] | null {
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

/** A view that cannot be written only costs the next process time. `state`: null if the snapshot is complete. */
export function writeView<T>(
  directory: string,
  key: string,
  { corpus, extra, state }: { corpus: Corpus; extra: T; state: string | null },
): void {
  const { names, files } = compact(corpus.live);
  const content = encodeView({ ...corpus, live: { ...corpus.live, files } }, extra);
  const foundation: Foundation = { shards: names, state };
  try {
    writeStateFile(viewPath(directory, key), sealFile(sealedName(directory, key), content, foundation));
    removeOldest(directory);
  } catch {
    // A read-only repository is searched all the same.
  }
}

/** The files of a live set with shards numbered as if there were none but theirs, and the names of those. */
function compact({ files, shards }: LiveSet): { names: string[]; files: FileTable } {
  const used = [...new Set(files.shard)].sort((a, b) => a - b);
  const numbers = new Map(used.map((index, number) => [index, number]));
  const renumbered = files.shard.map((index) => numbers.get(index) ?? 0);
  const kept = used.map((index) => shards[index]);
  return {
    names: kept.map(({ name }) => name),
    files: new FileTable(kept, renumbered, files.unit, files.pathStart, files.table),
  };
}

function viewPath(directory: string, key: string): string {
  return join(directory, `view-${key}.bin`);
}

/** With the folder: another profile's view of the same snapshot is another one. */
function sealedName(directory: string, key: string): string {
  return `${basename(directory)}/view-${key}`;
}

function removeOldest(directory: string): void {
  const files = readdirSync(directory).filter((name) => VIEW_NAME.test(name));
  if (files.length <= KEPT) return;
  const byAge = files
    .map((name) => ({ name, at: statSync(join(directory, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of byAge.slice(KEPT)) rmSync(join(directory, name), { force: true });
}
