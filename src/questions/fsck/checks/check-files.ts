/** The other files of the local state: vectors, caches, and superfluous files. Nothing is followed through a link. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isLink, plainFileAt, standingAt, TEMP_PREFIX } from '../../../base/atomic.js';
import { STATE_FOLDER } from '../../../base/local-key.js';
import { localStateDirectory } from '../../../git/repository.js';
import { computeStaticVectors } from '../../../indexer/static-run.js';
import { overlayFault } from '../../../overlay/state-file.js';
import { GraphCache } from '../../../session/graph/graph-cache.js';
import { isWholeTrigrams } from '../../../session/grep/trigram-cache.js';
import { isWholeCache } from '../../../session/history/cache-file.js';
import { isWholePast } from '../../../session/snapshot/past-views.js';
import { isWholeView } from '../../../session/snapshot/view-cache.js';
import type { LexicalShard } from '../../../shard/lexical.js';
import { vectorFileOwner } from '../../../shard/vector-files.js';
import { isWholeHnsw } from '../../../shard/vector-hnsw.js';
import { inspectVectorShard, type VectorShard } from '../../../shard/vector-shard.js';
import { formatCount } from '../../writing/format.js';
import type { Check } from '../check.js';
import type { CheckedShards } from './check-shards.js';

export interface CheckedFiles {
  /** Absolute paths of files that must not be used any more. */
  bad: string[];
  /** Absolute paths of superfluous files. */
  leftovers: string[];
}

/** Writers and readers may still hold what is younger. */
const RETIRED_MS = 10 * 60_000;
const VECTOR_FILE = /^vectors-([0-9a-f]{4,64})-[0-9a-f]{16}\.(bin|hnsw)$/;
const LEXICAL_FILE = /^lexical-[0-9a-f]{16}\.bin$/;
const OVERLAY = /^overlay-/;

export function checkFiles(check: Check, shards: CheckedShards): CheckedFiles {
  const checked: CheckedFiles = { bad: [], leftovers: [] };
  const state = localStateDirectory(check.session.repository);
  if (!shards.isOurs) return checked;
  count(check, state);
  checkOthers(check, state);
  const { directory } = check.session.shards;
  for (const name of namesIn(directory)) {
    check.signal?.throwIfAborted();
    checkFile(check, { directory, name }, shards, checked);
  }
  checkGraphs(check, directory, checked);
  for (const name of namesIn(directory).filter((each) => OVERLAY.test(each)))
    checkOverlay(check, join(directory, name), checked);
  reportLeftovers(check, state, checked);
  return checked;
}

function count({ counts }: Pick<Check, 'counts'>, directory: string): void {
  for (const name of namesIn(directory)) {
    const path = join(directory, name);
    const stat = standingAt(path);
    if (stat?.isDirectory()) count({ counts }, path);
    else if (stat !== undefined) {
      counts.files++;
      counts.fileBytes += stat.size;
    }
  }
}

function checkOthers(check: Check, state: string): void {
  const own = check.session.shards.directory;
  const others = namesIn(state).filter((name) => STATE_FOLDER.test(name) && join(state, name) !== own);
  if (others.length === 0) return;
  const count = formatCount(others.length, 'folder');
  const message = `${count} of other versions, users or containers, which check their own`;
  check.findings.add('state-of-others', others[0], message);
}

interface Place {
  directory: string;
  name: string;
}

function checkFile(check: Check, { directory, name }: Place, shards: CheckedShards, checked: CheckedFiles): void {
  const path = join(directory, name);
  if (name.startsWith(TEMP_PREFIX) || name.endsWith('.bad')) {
    leave(path, checked);
    return;
  }
  const owner = vectorFileOwner(name);
  const isListed = shards.manifest.shards.some(({ file }) => file === (owner ?? name));
  if (owner !== null && isListed) {
    const shard = shards.sound.find((each) => each.name === owner);
    if (shard !== undefined) checkVectors(check, { directory, name }, shard, checked);
  } else if ((owner !== null || LEXICAL_FILE.test(name)) && !isListed) leave(path, checked);
  else if (isWholeSealed(directory, name) === false) damaged(check, directory, name, checked);
}

/** Whether a sealed cache is whole; null for names of other files. */
function isWholeSealed(directory: string, name: string): boolean | null {
  for (const check of [isWholeView, isWholePast, isWholeCache, isWholeTrigrams]) {
    const whole = check(directory, name);
    if (whole !== null) return whole;
  }
  return null;
}

function leave(path: string, checked: CheckedFiles): void {
  const stat = standingAt(path);
  if (stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > RETIRED_MS) checked.leftovers.push(path);
}

function damaged(check: Check, directory: string, name: string, checked: CheckedFiles): void {
  const about = relative(check.session.shards.directory, join(directory, name));
  check.findings.add('cache-damaged', about, 'it is damaged, or was not written here by this user');
  checked.bad.push(join(directory, name));
}

function checkVectors(check: Check, { directory, name }: Place, shard: LexicalShard, checked: CheckedFiles): void {
  const [, profile, ending] = VECTOR_FILE.exec(name) as RegExpExecArray;
  const path = join(directory, name);
  const bad = (kind: 'vector-file-damaged' | 'vector-file-differs', message: string) => {
    check.findings.add(kind, name, message);
    checked.bad.push(path);
  };
  if (ending === 'hnsw') {
    if (!isWhole(path)) bad('vector-file-damaged', 'it is damaged, or was not written here by this user');
    return;
  }
  const vectors = readVectors(directory, profile, shard);
  if (vectors === null)
    bad('vector-file-damaged', `it is damaged, not of ${shard.name}, or was not written here by this user`);
  // The built-in model gives the same vectors again; a provider would want to be paid for them.
  else if (profile === check.vectors.profile && !check.vectors.costly && !isEqual(vectors, computeStaticVectors(shard)))
    bad('vector-file-differs', 'the built-in model gives other vectors for these chunks');
}

function readVectors(directory: string, profile: string, shard: LexicalShard): VectorShard | null {
  try {
    return inspectVectorShard(directory, profile, shard.name, shard.meta.documents);
  } catch {
    return null;
  }
}

function isWhole(path: string): boolean {
  try {
    return isWholeHnsw(path);
  } catch {
    return false;
  }
}

function isEqual(a: VectorShard, b: VectorShard): boolean {
  if (a.dimensions !== b.dimensions || a.count !== b.count || a.covered !== b.covered) return false;
  return bytesOf(a.rows).equals(bytesOf(b.rows)) && bytesOf(a.squares).equals(bytesOf(b.squares));
}

function bytesOf({ buffer, byteOffset, byteLength }: Int8Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function checkGraphs(check: Check, profileDirectory: string, checked: CheckedFiles): void {
  const directory = join(profileDirectory, 'graphs');
  if (isLink(directory)) return;
  const cache = new GraphCache(profileDirectory, true);
  for (const name of namesIn(directory)) {
    if (name.startsWith(TEMP_PREFIX) || name.endsWith('.bad')) leave(join(directory, name), checked);
    else if (cache.isWhole(name) === false) damaged(check, directory, name, checked);
  }
}

/** Checks the overlay of a work tree, or of an outside artifact. */
function checkOverlay(check: Check, directory: string, checked: CheckedFiles): void {
  // Checked again: a process that writes at this moment replaces one file after the other.
  const fault = overlayFault(directory) && overlayFault(directory);
  const path = join(directory, 'state.json');
  if (fault !== null && plainFileAt(path) !== null) {
    check.findings.add('cache-damaged', relative(check.session.shards.directory, path), fault);
    checked.bad.push(path);
  }
  for (const name of namesIn(directory).filter((each) => each.startsWith(TEMP_PREFIX)))
    leave(join(directory, name), checked);
}

function reportLeftovers(check: Check, state: string, { leftovers }: CheckedFiles): void {
  if (leftovers.length === 0) return;
  const bytes = leftovers.reduce((sum, path) => sum + (standingAt(path)?.size ?? 0), 0);
  const message = `${leftovers.length} files that nobody needs, ${bytes} bytes`;
  check.findings.add('leftover-files', relative(state, leftovers[0]), message);
}

function namesIn(directory: string): string[] {
  try {
    return isLink(directory) ? [] : readdirSync(directory).sort();
  } catch {
    return [];
  }
}
