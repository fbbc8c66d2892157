/** Looks at what git says has changed: which files are there, which blobs they hold now, and what is left out. */

import type { WorkTreeChange, WorkTreeChanges } from '../git/changes.js';
import { type CatalogOptions, languageOfPath, skipReason } from '../indexer/catalog.js';
import { languageOfContent } from '../languages/detect.js';
import type { KnownFile } from './state-file.js';
import { blobOid, type FileStamp, isSameStamp, pathOf, readWorkFile, stampOf } from './work-file.js';

/** Which files of the work tree count: the rules that hold for committed ones. */
export interface Selection extends CatalogOptions {
  maxFileBytes: number;
}

/** A file that differs from HEAD and is to be searched. */
export interface ScannedFile {
  path: string;
  name: Buffer;
  oid: string;
  /** Null where only the content can tell. */
  language: string | null;
  /** Language by its content. */
  content: string;
  size: number;
  /** Read in this scan; null where its stamp said that it was known. */
  bytes: Buffer | null;
}

interface Scan {
  files: ScannedFile[];
  /** Paths whose file at HEAD no longer counts. */
  replaced: WorkTreeChange[];
  /** Files that differ from HEAD. */
  dirty: number;
  /** Those of them that are shown as committed, if at all: beyond the limits, or not readable. */
  leftOut: number;
}

/** More uncommitted files than this are another checkout, or something that should be ignored. */
export const MAX_FILES = 5_000;
export const MAX_BYTES = 64 << 20;

/** A change this soon after a file was read may leave its stamp as it is: the clocks of file systems tick. */
const TICK_MS = 50;
/** Some file systems know whole or even seconds only. */
const COARSE_TICK_MS = 2_000;

export class Scanner {
  constructor(
    private readonly root: Buffer,
    private readonly format: 'sha1' | 'sha256',
    /** What is known of files, by the bytes of their path; updated by every scan. */
    readonly known: Map<string, KnownFile>,
  ) {}

  /** Has one of these files changed since it was read? Reads no content. */
  hasNews({ list }: WorkTreeChanges, selection: Selection): boolean {
    return list.some(({ path, name, isFile }) => {
      if (!isFile || !isSelected(path, selection)) return false;
      const stamp = stampOf(pathOf(this.root, name));
      return stamp !== null && stamp.size <= selection.maxFileBytes && this.recall(name, stamp) === null;
    });
  }

  scan(changes: WorkTreeChanges, selection: Selection): Scan {
    const scan: Scan = { files: [], replaced: [], dirty: changes.list.length, leftOut: 0 };
    const seen = new Set<string>();
    let bytes = 0;
    for (const change of changes.list) {
      // What is not selected is not even looked at; its file at HEAD was not selected either.
      if (!isSelected(change.path, selection)) continue;
      const stamp = change.isFile ? stampOf(pathOf(this.root, change.name)) : null;
      const fits = stamp !== null && stamp.size <= selection.maxFileBytes;
      const file = fits && this.hasRoom(scan, bytes + stamp.size) ? this.look(change, stamp, selection) : null;
      if (fits && file === null) {
        scan.leftOut++;
        continue;
      }
      // Its old text is gone, its new one is not searched.
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

  private hasRoom({ files }: Scan, bytes: number): boolean {
    return files.length < MAX_FILES && bytes <= MAX_BYTES;
  }

  private look(change: WorkTreeChange, stamp: FileStamp, selection: Selection): ScannedFile | null {
    const known = this.recall(change.name, stamp);
    const found = known === null ? this.read(change, selection.maxFileBytes) : { known, bytes: null };
    if (found === null) return null;
    const { oid, content, size } = found.known;
    const language = languageOfPath(change.path, selection.languages);
    return { path: change.path, name: change.name, oid, language, content, size, bytes: found.bytes };
  }

  /** Reads a file and remembers what it holds; null if it cannot be read, or is too large by now. */
  read({ name }: Pick<WorkTreeChange, 'name'>, limit: number): { known: KnownFile; bytes: Buffer } | null {
    const at = Date.now();
    const file = readWorkFile(pathOf(this.root, name), limit);
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

/** Was the file changed so shortly before it was read that another change would look the same? As git asks. */
export function isRacy({ mtime, ctime, at }: KnownFile): boolean {
  const tick = mtime.endsWith('000000000') ? COARSE_TICK_MS : TICK_MS;
  const changed = Math.max(Number(BigInt(mtime) / 1_000_000n), Number(BigInt(ctime) / 1_000_000n));
  return changed >= at - tick;
}

function isSelected(path: string, selection: Selection): boolean {
  return skipReason({ path, type: 'file' }, selection) === null;
}

function key(name: Buffer): string {
  return name.toString('latin1');
}
