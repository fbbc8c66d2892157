/**
 * Removes files of an unpacked package that must not be used: links, copies of excluded projects, files under other
 * licences.
 */
import { type Dirent, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Copyright } from './copyright.js';
import { isExcludedSegment } from './excluded.js';

/** Folders with copies of other projects, and with Debian's packaging files, which have their own licence. */
const FOREIGN =
  /^(?:vendor(?:ed)?|_vendor|third[_-]?party|3rd[_-]?party|thirdparty|node_modules|bundled|godeps|debian|\.pc)$/i;

/** Folders of binary packages that the source's copyright file names by another path. */
const INSTALLED =
  /^usr\/(?:share\/(?:gocode\/src\/[^/]+\/[^/]+\/[^/]+|cargo\/registry\/[^/]+|rubygems-integration\/[^/]+\/gems\/[^/]+|php\/[^/]+|nodejs\/[^/]+|lua\/[^/]+)|lib\/(?:python3\/dist-packages|ruby\/vendor_ruby)|(?:share|lib)\/[^/]+)\//;

export function prune(root: string, files: Copyright['files']): void {
  for (const { path, entry } of entriesOf(root)) {
    const inPackage = path.replace(INSTALLED, '');
    // Folders above the package's own root are not checked, as they belong to the layout.
    const isLayout = path.startsWith('usr/') && inPackage === path;
    const isForeign = !isLayout && isExcludedSegment(entry.name);
    const drop = entry.isDirectory()
      ? isForeign || FOREIGN.test(entry.name)
      : isForeign || !entry.isFile() || !isFree(inPackage, files);
    if (drop) rmSync(join(root, path), { recursive: true, force: true });
  }
}

/** Finds the verdict for a path; the last matching pattern decides. */
function isFree(path: string, files: Copyright['files']): boolean {
  for (let i = files.length - 1; i >= 0; i--) if (files[i].pattern.test(path)) return files[i].free;
  return true;
}

/** Bytes of all files below a folder, links not followed. */
export function sizeOf(root: string): number {
  let bytes = 0;
  for (const { path, entry } of entriesOf(root)) if (entry.isFile()) bytes += lstatSync(join(root, path)).size;
  return bytes;
}

/** Lists everything below `root`, each folder before its entries. Skips folders that were removed meanwhile. */
export function* entriesOf(root: string): Generator<{ path: string; entry: Dirent }> {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesIn(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      yield { path, entry };
      if (entry.isDirectory()) folders.push(path);
    }
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
