/** Removes from an unpacked package what must not be used: links, excluded projects' copies, files under other licences. */
import { type Dirent, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Copyright } from './copyright.js';
import { isExcludedSegment } from './excluded.js';

/** Copies of other projects, and Debian's packaging files (licensed apart from the program). */
const FOREIGN =
  /^(?:vendor(?:ed)?|_vendor|third[_-]?party|3rd[_-]?party|thirdparty|node_modules|bundled|godeps|debian|\.pc)$/i;

/** Where binary packages put what the source's copyright file calls by a path of its own. */
const INSTALLED =
  /^usr\/(?:share\/(?:gocode\/src\/[^/]+\/[^/]+\/[^/]+|cargo\/registry\/[^/]+|rubygems-integration\/[^/]+\/gems\/[^/]+|php\/[^/]+|nodejs\/[^/]+|lua\/[^/]+)|lib\/(?:python3\/dist-packages|ruby\/vendor_ruby)|(?:share|lib)\/[^/]+)\//;

export function prune(root: string, files: Copyright['files']): void {
  for (const { path, entry } of entriesOf(root)) {
    const inPackage = path.replace(INSTALLED, '');
    // Folders above the package's own root are only layout, whatever their names.
    const isLayout = path.startsWith('usr/') && inPackage === path;
    const isForeign = !isLayout && isExcludedSegment(entry.name);
    const drop = entry.isDirectory()
      ? isForeign || FOREIGN.test(entry.name)
      : isForeign || !entry.isFile() || !isFree(inPackage, files);
    if (drop) rmSync(join(root, path), { recursive: true, force: true });
  }
}

/** The last pattern that matches decides. */
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

/** Everything below `root`, a folder before what is in it; a folder removed meanwhile is passed over. */
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
