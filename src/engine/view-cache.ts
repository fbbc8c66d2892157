/**
 * Cached views: the corpus of a snapshot as a file beside the shards, so that a new process answers without listing
 * the tree. Like every local file it is trusted only with its checksum, and only for the very shards it was made from.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../base/atomic.js';
import { type Corpus, decodeView } from '../search/corpus.js';
import type { LexicalShard } from '../shard/lexical.js';

const VIEW_NAME = /^view-[0-9a-f]{24}\.bin$/;
/** Branches and tags that people go back and forth between. */
const KEPT = 12;
const DIGEST_BYTES = 32;

/**
 * Names a snapshot under the settings that apply to it, over the shards that were opened: a view refers to them by
 * number, and a damaged shard that was left out would shift the numbers. Shard names are made of their content.
 */
export function viewKey(origin: string, shards: readonly LexicalShard[], unreadable: readonly string[]): string {
  const names = shards.map(({ name }) => name);
  return createHash('sha256')
    .update(JSON.stringify([origin, names, unreadable]))
    .digest('hex')
    .slice(0, 24);
}

/** Null if there is none that can be used. */
export function readView<T>(
  directory: string,
  key: string,
  shards: readonly LexicalShard[],
): { corpus: Corpus; extra: T } | null {
  const path = viewPath(directory, key);
  try {
    const file = readFileSync(path);
    const digest = file.subarray(file.length - DIGEST_BYTES);
    const content = file.subarray(0, file.length - DIGEST_BYTES);
    if (!sha256(content).equals(digest)) return null;
    const view = decodeView<T>(content, shards, path);
    const now = new Date();
    utimesSync(path, now, now); // Age is time since last use.
    return view;
  } catch {
    return null;
  }
}

/** A view that cannot be written only costs the next process time. */
export function writeView(directory: string, key: string, content: Buffer): void {
  try {
    writeFileAtomic(viewPath(directory, key), Buffer.concat([content, sha256(content)]));
    removeOldest(directory);
  } catch {
    // A read-only repository is searched all the same.
  }
}

function viewPath(directory: string, key: string): string {
  return join(directory, `view-${key}.bin`);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function removeOldest(directory: string): void {
  const files = readdirSync(directory).filter((name) => VIEW_NAME.test(name));
  if (files.length <= KEPT) return;
  const byAge = files
    .map((name) => ({ name, at: statSync(join(directory, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of byAge.slice(KEPT)) rmSync(join(directory, name), { force: true });
}
