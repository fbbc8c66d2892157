/**
 * Cached views: the corpus of a snapshot as a file in the shard directory, so that a new process answers without listing the tree. A view
 * is trusted only with this user's seal, and only while the shards that it names are in use. It names them so that a branch finds its
 * view again even after other branches have added shards.
 */
import { cacheKey, type StateFile, type StateFiles } from '../../base/cache.js';
import { type Corpus, decodeView, encodeView } from '../../search/corpus.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { FileTable, type LiveSet } from '../../shard/live-set.js';
import { VIEWS } from '../state-kinds.js';

/** Local state that a view was made from. */
interface Foundation {
  /** Names of the view's shards, in its own numbering. A shard's name is a hash of its content. */
  shards: string[];
  /** Equal for equal local states; null for a view that no other shard can improve. */
  state: string | null;
}

/** Returns the name of a view; `originKey` is the key of the snapshot's origin. */
export function viewKey(originKey: string): string {
  return cacheKey(originKey);
}

/** Names the local state that a degraded view depends on. Another shard or a readable blob makes it another state. */
export function localStateOf(shards: readonly string[], unreadable: readonly string[]): string {
  return cacheKey(shards, unreadable);
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
export function readView<T>(state: StateFiles, key: string, local: LocalShards): View<T> | null {
  return state.read(VIEWS, key, ({ content, note, path }) => {
    const foundation = note as Foundation;
    const { state: localState } = foundation;
    if (localState !== null && localState !== local.localState) return null;
    const shards = arrange(local.shards, foundation.shards);
    return shards && { ...decodeView<T>(content, shards, path), localState };
  });
}

export function hasView(
  state: StateFiles,
  key: string,
  local: { names: readonly string[]; localState: string },
): boolean {
  const isUsable = ({ note }: StateFile) => {
    const foundation = note as Foundation;
    const isCurrent = foundation.state === null || foundation.state === local.localState;
    return isCurrent && foundation.shards.every((name) => local.names.includes(name));
  };
  return state.read(VIEWS, key, isUsable, { marks: false }) ?? false;
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
export function writeView<T>(state: StateFiles, key: string, { corpus, extra, localState }: View<T>): void {
  const { names, files } = compact(corpus.live);
  const content = encodeView({ ...corpus, live: { ...corpus.live, files } }, extra);
  state.write(VIEWS, key, content, { shards: names, state: localState } satisfies Foundation);
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
