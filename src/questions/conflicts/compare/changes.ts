/** Files that two sides changed since they parted. */
import type { TreeChange } from '../../../git/diff.js';
import type { FileVersion } from '../../../history/source.js';

/** A file that a side changed. Null where it is not there, or is no regular file. */
export interface ChangedFile {
  before: FileVersion | null;
  after: FileVersion | null;
}

/** By path where the two parted; an added file by its own. */
export type ChangedFiles = ReadonlyMap<string, ChangedFile>;

export function changedFiles(changes: readonly TreeChange[]): ChangedFiles {
  return new Map(changes.map((change) => [change.oldPath ?? change.path, fileOf(change)]));
}

function fileOf({ path, oldPath = path, oldOid, newOid, oldType, newType }: TreeChange): ChangedFile {
  const isText = (type: TreeChange['oldType']) => type === 'file' || type === 'executable';
  return {
    before: oldOid !== null && isText(oldType) ? { oid: oldOid, path: oldPath } : null,
    after: newOid !== null && isText(newType) ? { oid: newOid, path } : null,
  };
}

/**
 * Can a merge of the two sides conflict? Only where both touch a path, one has a file where the other has a folder, or one
 * adds to a folder that files of the other leave: git takes such a folder for renamed.
 */
export function mayConflict(mine: ChangedFiles, theirs: ChangedFiles): boolean {
  const [small, large] = mine.size < theirs.size ? [mine, theirs] : [theirs, mine];
  const paths = pathsOf(large);
  for (const path of pathsOf(small)) if (paths.has(path)) return true;
  return meetInFolders(mine, theirs) || meetInFolders(theirs, mine);
}

function pathsOf(files: ChangedFiles): Set<string> {
  const paths = new Set(files.keys());
  for (const { after } of files.values()) if (after !== null) paths.add(after.path);
  return paths;
}

function meetInFolders(adding: ChangedFiles, leaving: ChangedFiles): boolean {
  const left = new Set<string>();
  const files = new Set<string>();
  for (const [path, { after }] of leaving) {
    if (after?.path !== path) left.add(folderOf(path));
    if (after !== null) files.add(after.path);
  }
  for (const [path, { before, after }] of adding) {
    if (after === null || (before !== null && after.path === path)) continue;
    if (left.has(folderOf(after.path))) return true;
    for (let at = folderOf(after.path); at !== ''; at = folderOf(at)) if (files.has(at)) return true;
  }
  return false;
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
