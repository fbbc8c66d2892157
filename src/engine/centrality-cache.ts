/** File centrality takes a pass over all postings: computed once per snapshot and kept beside the shards. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../base/atomic.js';
import { fileCentrality } from '../search/centrality.js';
import type { LiveSet } from '../shard/live.js';

/** Raise when the computation changes. */
const VERSION = 1;
const PREFIX = 'centrality-';
const KEPT = 16;
const DIGEST_BYTES = 32;

/** `key` names tree and settings. A cache that cannot be read or written only costs time. */
export function loadCentrality(directory: string, key: string, live: LiveSet): Float64Array {
  const name = createHash('sha256')
    .update(JSON.stringify([VERSION, key, live.files.length, live.count]))
    .digest('hex');
  const path = join(directory, `${PREFIX}${name.slice(0, 24)}.bin`);
  const cached = readVector(path, live.files.length);
  if (cached !== null) return cached;
  const computed = fileCentrality(live);
  try {
    const bytes = Buffer.from(computed.buffer);
    writeFileAtomic(path, Buffer.concat([createHash('sha256').update(bytes).digest(), bytes]));
    removeOldest(directory);
  } catch {
    // A read-only repository is searched all the same.
  }
  return computed;
}

function readVector(path: string, length: number): Float64Array | null {
  try {
    const file = readFileSync(path);
    if (file.length !== DIGEST_BYTES + length * 8) return null;
    const bytes = file.subarray(DIGEST_BYTES);
    if (!createHash('sha256').update(bytes).digest().equals(file.subarray(0, DIGEST_BYTES))) return null;
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  } catch {
    return null;
  }
}

function removeOldest(directory: string): void {
  const files = readdirSync(directory).filter((name) => name.startsWith(PREFIX));
  if (files.length <= KEPT) return;
  const byAge = files
    .map((name) => ({ name, at: statSync(join(directory, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of byAge.slice(KEPT)) rmSync(join(directory, name), { force: true });
}
