/**
 * The files of an artifact that lies outside of the repository. The repository names it and may be hostile; what may be
 * read is the user's word (`context.allow`) over real paths, links resolved. Below an allowed folder no link is followed.
 */
import { type Dir, lstatSync, opendirSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { createSelector, type Selector } from '../../../config/select.js';
import type { WorkTreeChange } from '../../../git/changes.js';
import { decodePath, isUnsafePath } from '../../../git/snapshot.js';
import { skipReason } from '../../../indexer/catalog.js';
import { type Consent, realPath } from '../../../session/linked/consent.js';

/** A specification, a folder of decisions: what is larger is another repository. */
const MAX_FILES = 2_000;
const MAX_BYTES = 32 << 20;
/** Limit on entries examined, of any kind. */
const MAX_ENTRIES = 10_000;
const MAX_DEPTH = 32;

/** Resolves outside artifacts to real paths. */
export interface OutsidePlace {
  /** The folder, or the one that the file is in. */
  root: string;
  /** The file's name; null for a folder. */
  file: string | null;
}

export interface OutsideFiles extends OutsidePlace {
  /** The files as git would report untracked files below `root`. */
  list: WorkTreeChange[];
  leftOut: Record<string, number>;
}

/** A network share: a mere look would already contact the machine that the repository names. */
const SHARE = /^[/\\]{2}/;

/** Resolves a path; does not tell whether it exists unless the user allowed to look. */
export function locateOutside(path: string, consent: Consent): OutsidePlace | 'missing' | 'not-allowed' {
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

/** An absolute path as one of a repository would be written, for rules about names. */
function absoluteName(path: string): string {
  return path.split(sep).filter(Boolean).join('/');
}

/** Secrets are told by the whole path: an allowed home directory has an `.ssh`. */
function selectorOf({ root, file }: OutsidePlace): Selector {
  const select = createSelector({ include: [], exclude: [] });
  const above = absoluteName(root);
  return (path) => {
    if (select(`${above}/${path}`) === 'secret') return 'secret';
    // A folder that is named itself counts, whatever its name; copied dependencies inside one do not.
    return file === null ? select(path) : null;
  };
}

export function listOutside(place: OutsidePlace, limits: { maxFileBytes: number }): OutsideFiles {
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

interface Visitor {
  add: (name: Buffer) => void;
  leave: (reason: string) => void;
}

/** Every file below a folder in the order of names, as far as the limits go. */
function walk(root: string, { add, leave }: Visitor): void {
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

interface Entry {
  name: Buffer;
  kind: 'file' | 'folder' | 'symlink' | 'other';
}

/** At most `limit` entries; null for a folder that cannot be read. */
function readFolder(root: string, folder: Buffer, limit: number): Entry[] | null {
  let open: Dir | null = null;
  try {
    // Node's types know text only; a name that is no UTF-8 needs its bytes.
    const path = Buffer.concat([Buffer.from(root + sep), folder]);
    open = opendirSync(path as unknown as string, { encoding: 'buffer' as unknown as BufferEncoding });
    const entries: Entry[] = [];
    for (let next = open.readSync(); next !== null && entries.length < limit; next = open.readSync()) {
      const kind = next.isSymbolicLink() ? 'symlink' : next.isFile() ? 'file' : next.isDirectory() ? 'folder' : 'other';
      entries.push({ name: next.name as unknown as Buffer, kind });
    }
    return entries.sort((a, b) => Buffer.compare(a.name, b.name));
  } catch {
    return null;
  } finally {
    open?.closeSync();
  }
}

/** Path of a file outside, as it is shown. */
export function outsidePath({ root }: OutsidePlace, path: string): string {
  return join(root, path);
}
