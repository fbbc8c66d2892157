/** Indexes of outside artifacts: one folder each, next to the shards of this work tree, never shared. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isLink } from '../../../base/atomic.js';
import { SocraticodeError } from '../../../base/errors.js';
import { blobOid } from '../../../git/objects.js';
import { isRacy } from '../../../overlay/scan.js';
import { type KnownFile, overlayDirectory } from '../../../overlay/state-file.js';
import { OverlayStore } from '../../../overlay/store.js';
import { isSameStamp, pathOf, readWorkFile, stampOf } from '../../../overlay/work-file.js';
import type { Session } from '../../../session/session.js';
import { isSearchable } from '../../../session/snapshot/coverage.js';
import type { OutsideFiles, OutsidePlace } from './outside-files.js';

type Local = Pick<Session, 'repository' | 'shards'>;

/** Begins with the name of the work tree's own overlay, so that what removes that of a lost work tree finds these, too. */
function prefix({ repository, shards }: Local): string {
  return `${overlayDirectory(shards.directory, repository.gitDir)}-context-`;
}

export function storeDirectory(local: Local, { root, file }: OutsidePlace): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([root, file]))
    .digest('hex');
  return prefix(local) + digest.slice(0, 16);
}

/** Index of an outside artifact, compared with its files now. */
export interface OutsideState {
  /** Blob of a single file, else a digest of names and blobs; null where there are no files. */
  oid: string | null;
  /** Digest of the files that are indexed; null before the first time. */
  indexedOid: string | null;
  bytes: number;
  indexed: number;
  chunks: number;
  /** Files left out for what they hold, by reason. */
  leftOut: Record<string, number>;
}

/** Reads files that have changed since, parses none. */
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

/** Deletes the indexes of all outside artifacts, or of one; says how many there were, and their bytes. Throws DISK. */
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
