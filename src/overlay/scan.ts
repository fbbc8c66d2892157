/** Reads the files that git reports as changed: computes their blob ids, and decides which ones are searched. */

import type { WorkTreeChange, WorkTreeChanges } from '../git/changes.js';
import { blobOid } from '../git/objects.js';
import { type CatalogOptions, languageOfPath, skipReason } from '../indexer/catalog.js';
import { languageOfContent } from '../languages/detect.js';
import type { KnownFile } from './state-file.js';
import { type EditedTree, readIn, stampIn } from './unsaved.js';
import { type FileStamp, isSameStamp } from './work-file.js';

/** Rules that select files of the work tree. They are those for committed files. */
export interface Selection extends CatalogOptions {
  maxFileBytes: number;
}

/** A file that differs from HEAD and is to be searched. */
export interface ScannedFile {
  path: string;
  name: Buffer;
  oid: string;
  /** Language by the path; null if only the content tells it. */
  language: string | null;
  /** Language by the content. */
  content: string;
  size: number;
  /** Bytes read in this scan; null if the stamp showed that the file has not changed. */
  bytes: Buffer | null;
}

interface Scan {
  files: ScannedFile[];
  /** Paths whose version at HEAD must not be searched. */
  replaced: WorkTreeChange[];
  /** Number of files that differ from HEAD. */
  dirty: number;
  /**
   * Number of changed files that are not searched in their current state: unreadable, too large, or beyond the limits.
   */
  leftOut: number;
}

/** Limits of what is scanned. More uncommitted files mean another checkout, or files that should be ignored. */
const MAX_FILES = 5_000;
const MAX_BYTES = 64 << 20;

/** Time within which a second change may leave a file's stamp unchanged, because clocks of file systems are coarse. */
const TICK_MS = 50;
/** Like `TICK_MS`, for file systems that store only whole or even seconds. */
const COARSE_TICK_MS = 2_000;

export class Scanner {
  constructor(
    private readonly tree: EditedTree,
    private readonly format: 'sha1' | 'sha256',
    /** Known files by the bytes of their path (as Latin-1). Every scan updates it. */
    readonly known: Map<string, KnownFile>,
  ) {}

  /** Has one of these files changed since it was read? Compares stamps and reads no content. */
  hasNews({ list }: WorkTreeChanges, selection: Selection): boolean {
    return list.some(({ path, name, isFile }) => {
      if (!isFile || !isSelected(path, selection)) return false;
      const stamp = stampIn(this.tree, name);
      return stamp !== null && stamp.size <= selection.maxFileBytes && this.recall(name, stamp) === null;
    });
  }

  scan(changes: WorkTreeChanges, selection: Selection): Scan {
    const scan: Scan = { files: [], replaced: [], dirty: changes.list.length, leftOut: 0 };
    const seen = new Set<string>();
    let bytes = 0;
    for (const change of changes.list) {
      // The rules depend on the path alone, so the version at HEAD is not selected either.
      if (!isSelected(change.path, selection)) continue;
      const stamp = change.isFile ? stampIn(this.tree, change.name) : null;
      const fits = stamp !== null && stamp.size <= selection.maxFileBytes;
      const file = fits && isWithin(scan.files.length, bytes + stamp.size) ? this.look(change, stamp, selection) : null;
      if (fits && file === null) {
        scan.leftOut++;
        continue;
      }
      // The file is too large: its old text is replaced, and the new one is not searched.
      if (stamp !== null && !fits) scan.leftOut++;
      scan.replaced.push(change);
      if (file === null) continue;
      seen.add(key(change.name));
      scan.files.push(file);
      bytes += file.size;
    }
    for (const name of this.known.keys()) if (!seen.has(name)) this.known.delete(name);
    return scan;
  }

  /** Paths of changed files that no scan reads, since the files before them in git's order reach its limits. Reads no content. */
  beyondLimits({ list }: WorkTreeChanges, selection: Selection): Set<string> {
    const beyond = new Set<string>();
    let [files, bytes] = [0, 0];
    for (const { path, name, isFile } of list) {
      const stamp = isFile && isSelected(path, selection) ? stampIn(this.tree, name) : null;
      if (stamp === null || stamp.size > selection.maxFileBytes) continue;
      if (!isWithin(files, bytes + stamp.size)) beyond.add(path);
      else [files, bytes] = [files + 1, bytes + stamp.size];
    }
    return beyond;
  }

  private look(change: WorkTreeChange, stamp: FileStamp, selection: Selection): ScannedFile | null {
    const known = this.recall(change.name, stamp);
    const found = known === null ? this.read(change, selection.maxFileBytes) : { known, bytes: null };
    if (found === null) return null;
    const { oid, content, size } = found.known;
    const language = languageOfPath(change.path, selection.languages);
    return { path: change.path, name: change.name, oid, language, content, size, bytes: found.bytes };
  }

  /** Reads a file and remembers its stamp and blob id; null if it cannot be read, or has become too large. */
  read({ name }: Pick<WorkTreeChange, 'name'>, limit: number): { known: KnownFile; bytes: Buffer } | null {
    const at = Date.now();
    const file = readIn(this.tree, name, limit);
    if (file === null) return null;
    const { stamp, bytes } = file;
    const known = { ...stamp, oid: blobOid(bytes, this.format), content: languageOfContent(bytes), at };
    this.known.set(key(name), known);
    return { known, bytes };
  }

  private recall(name: Buffer, stamp: FileStamp | null): KnownFile | null {
    const known = this.known.get(key(name));
    if (known === undefined || stamp === null || !isSameStamp(known, stamp) || isRacy(known)) return null;
    return known;
  }
}

/**
 * Was the file changed so shortly before it was read that a later change may have the same stamp? git asks this too.
 */
export function isRacy({ mtime, ctime, at }: KnownFile): boolean {
  const tick = mtime.endsWith('000000000') ? COARSE_TICK_MS : TICK_MS;
  const changed = Math.max(Number(BigInt(mtime) / 1_000_000n), Number(BigInt(ctime) / 1_000_000n));
  return changed >= at - tick;
}

const isWithin = (files: number, bytes: number): boolean => files < MAX_FILES && bytes <= MAX_BYTES;

function isSelected(path: string, selection: Selection): boolean {
  return skipReason({ path, type: 'file' }, selection) === null;
}

function key(name: Buffer): string {
  return name.toString('latin1');
}
