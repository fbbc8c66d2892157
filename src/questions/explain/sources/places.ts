/** Finds out which file of a snapshot, or of the work tree, a typed path means. */
import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { WorkTreeChange } from '../../../git/changes.js';
import type { TreeEntry } from '../../../git/snapshot.js';
import { type Prefix, spellings } from '../../../graph/query/paths.js';

export interface Places {
  entries: ReadonlyMap<string, TreeEntry>;
  /** Uncommitted changes; empty for a question about a ref. */
  changes: ReadonlyMap<string, WorkTreeChange>;
  /** Null where the question is about a ref. */
  workTree: string | null;
}

/** `linked`: it is a symbolic link, or below one; `nested`: below another repository. */
type Kind = 'change' | 'entry' | 'folder' | 'file' | 'linked' | 'nested' | 'other' | 'absent';

export interface Place {
  path: string;
  kind: Kind;
}

/** The first spelling of a path that something stands at. Throws BAD_ARGUMENT for a path outside of the repository. */
export function findPlace(text: string, prefix: Prefix, places: Places): Place {
  const found = spellings(text, prefix).map((path) => placeOf(path.replace(/\/+$/, ''), places));
  return found.find(({ kind }) => kind !== 'absent') ?? found[0];
}

function placeOf(path: string, places: Places): Place {
  const { entries, changes, workTree } = places;
  if (changes.has(path)) {
    // git lists an untracked link like a file, and another repository by its folder.
    const kind = workTree === null ? 'absent' : kindAt(workTree, path);
    return { path, kind: kind === 'linked' || kind === 'nested' ? kind : 'change' };
  }
  if (entries.has(path)) return { path, kind: 'entry' };
  const below = folderTest(path);
  const isFolder = [...entries.keys(), ...changes.keys()].some(below);
  if (isFolder) return { path, kind: 'folder' };
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const type = entries.get(path.slice(0, at))?.type;
    if (type === 'symlink') return { path, kind: 'linked' };
    if (type === 'submodule') return { path, kind: 'nested' };
  }
  return { path, kind: workTree === null ? 'absent' : kindAt(workTree, path) };
}

/** Test for paths below a folder; '' and '.' are the top of the repository. */
export function folderTest(folder: string): (path: string) => boolean {
  return folder === '' || folder === '.' ? () => true : (path) => path.startsWith(`${folder}/`);
}

/** Looks at one part of the path after the other, so that no symbolic link is followed. */
export function kindAt(workTree: string, path: string): Kind {
  const parts = path.split('/');
  let at = workTree;
  for (const [i, part] of parts.entries()) {
    at = join(at, part);
    const stat = statOf(at);
    if (stat === undefined) return 'absent';
    const isLast = i === parts.length - 1;
    if (stat.isSymbolicLink()) return 'linked';
    if (stat.isDirectory() && statOf(join(at, '.git')) !== undefined) return 'nested';
    if (isLast) return stat.isFile() ? 'file' : 'other';
  }
  return 'absent';
}

/** Undefined for a path that is missing, may not be looked at, or cannot exist. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
