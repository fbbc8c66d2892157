/**
 * Cached views: the corpus of a snapshot as a file in the shard directory, so that a new process answers without listing
 * the tree. A view is trusted only with this user's seal and only while the shards that it names are in use. It names them
 * so that a return to a branch finds the branch's view even after other branches have added shards.
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
/** Views kept: one per branch or tag that a person switches between. */
const KEPT = 12;
/** Larger files are not read: a view takes some hundred bytes per file of the snapshot. */
const MAX_VIEW_BYTES = 1 << 30;

/** Local state that a view was made from. */
interface Foundation {
  /** Names of the shards that the view refers to, in its own numbering. A shard's name is a hash of its content. */
  shards: string[];
  /** Equal for equal local states; null for a view that no other shard can improve. */
  state: string | null;
}

/** Returns the name of a view; `originKey` is the key of the snapshot's origin. */
export function viewKey(originKey: string): string {
  return digestOf(originKey);
}

/** Names the local state that a degraded view depends on: another shard or a readable blob makes it another state. */
export function localStateOf(shards: readonly string[], unreadable: readonly string[]): string {
  return digestOf([shards, unreadable]);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24);
}

/**
 * Reads the corpus of a snapshot over the open shards; null without a usable view. The view's own shards must be open;
 * further ones may have been added since, for other branches.
 */
export function readView<T>(
  directory: string,
  key: string,
  local: { shards: readonly LexicalShard[]; localState: string },
): { corpus: Corpus; extra: T; localState: string | null } | null {
  const path = viewPath(directory, key);
  try {
    const { content, foundation } = open(directory, key);
    const { state: localState } = foundation;
    if (localState !== null && localState !== local.localState) return null;
    const shards = arrange(local.shards, foundation.shards);
    if (shards === null) return null;
    const view = decodeView<T>(content, shards, path);
    const now = new Date();
    utimesSync(path, now, now); // Age is time since last use.
    return { ...view, localState };
  } catch {
    return null;
  }
}

/** Returns whether a usable view of the snapshot exists. */
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

/** Never throws: without a view the next process takes longer. `localState`: null for a `ready` snapshot. */
export function writeView<T>(
  directory: string,
  key: string,
  { corpus, extra, localState }: { corpus: Corpus; extra: T; localState: string | null },
): void {
  const { names, files } = compact(corpus.live);
  const content = encodeView({ ...corpus, live: { ...corpus.live, files } }, extra);
  const foundation: Foundation = { shards: names, state: localState };
  try {
    writeStateFile(viewPath(directory, key), sealFile(sealedName(directory, key), content, foundation));
    removeOldest(directory);
  } catch {
    // The repository may be read-only.
  }
}

/** Returns the files of a live set with the unused shards left out of the numbering, and the names of the used ones. */
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

/** Includes the folder's name, so that a view copied from another profile fails its seal. */
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
