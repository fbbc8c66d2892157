/** Finds the files that need linking again: changed files, and files that looked up a name that changed. */
import type { FileIndex } from './file-index.js';
import type { Before, SnapshotFiles } from './files.js';
import { ANYTHING, namesOfPath, PATHS, pathName, WILDCARDS } from './recorder.js';
import { declaredBefore, importsBefore, type ResolutionTexts } from './resolutions.js';
import { signaturesOf } from './signatures.js';

/** Names of a file whose signatures changed; `true` for all names. */
type Changed = Set<string> | true;

/** Returns 1 for each file that has to be linked. */
export function filesToLink(files: SnapshotFiles, texts: ResolutionTexts, sameResolutions: boolean): Uint8Array {
  const dirty = new Uint8Array(files.files.length);
  if (files.before === null) return dirty.fill(1);
  const { tables, memory } = files.before;
  const changed = new Map<number, Changed>();
  const touched = new Set<string>();
  for (let file = 0; file < dirty.length; file++) {
    if (files.kept[file] === 1) continue;
    dirty[file] = 1;
    if (files.older[file] < 0) {
      touchAll(files.index(file), touched);
      touchPaths(files.files[file].path, declaredIn(files.index(file)), touched);
    } else compare(files, files.before, file, texts, changed, touched);
  }
  for (let older = 0; older < tables.files.length; older++) {
    if (files.newer[older] >= 0) continue;
    changed.set(older, true);
    touchAll(files.olderIndex(older), touched);
    touchPaths(tables.files[older].path, declaredBefore(memory, older), touched);
  }
  for (const name of [...touched]) touched.add(pathName(name));
  if (!sameResolutions) touched.add(PATHS);
  if (!sameResolutions) compareResolutions(files, files.before, texts, { changed, touched, dirty });
  if (changed.size > 0 || touched.size > 0) touched.add(ANYTHING);
  markAskers(files, memory.strings, changed, touched, dirty);
  return dirty;
}

function touchAll(index: FileIndex, touched: Set<string>): void {
  for (const name of signaturesOf(index, () => '').keys()) touched.add(name);
}

function declaredIn(index: FileIndex): string[] {
  return index.imports.filter(({ kind }) => kind === 'declare').map(({ specifier }) => specifier);
}

/** Names by which paths can mean a file that comes or goes: its own, and those of its packages. */
function touchPaths(path: string, declared: readonly string[], touched: Set<string>): void {
  for (const name of namesOfPath(path.slice(path.lastIndexOf('/') + 1))) touched.add(pathName(name));
  for (const name of declared.flatMap(namesOfPath)) touched.add(pathName(name));
}

/** Collects the changed names of a file that the previous snapshot had too. */
function compare(
  files: SnapshotFiles,
  before: Before,
  file: number,
  texts: ResolutionTexts,
  changed: Map<number, Changed>,
  touched: Set<string>,
): void {
  const older = files.older[file];
  const [index, olderIndex] = [files.index(file), files.olderIndex(older)];
  const { language, state, compiled } = before.tables.files[older];
  const [declared, declaredThen] = [declaredIn(index), declaredBefore(before.memory, older)];
  const same =
    files.files[file].language === language &&
    files.files[file].state === state &&
    (files.files[file].compiled === undefined) === (compiled === undefined) &&
    declared.join('\n') === declaredThen.join('\n');
  if (!same) {
    touchPaths(files.files[file].path, [...declared, ...declaredThen], touched);
    changed.set(older, true);
    touchAll(index, touched);
    touchAll(olderIndex, touched);
    return;
  }
  const names = changedNames(files, before, file, texts);
  changed.set(older, names);
  for (const name of names) touched.add(name);
}

function changedNames(files: SnapshotFiles, { memory }: Before, file: number, texts: ResolutionTexts): Set<string> {
  const older = files.older[file];
  const { importBase, importResolution, strings } = memory;
  const was = signaturesOf(files.olderIndex(older), (at) => strings[importResolution[importBase[older] + at]]);
  const index = files.index(file);
  const is = signaturesOf(index, (at) => texts.of(file, index.imports[at]));
  const names = new Set<string>();
  for (const [name, text] of is) if (was.get(name) !== text) names.add(name);
  for (const name of was.keys()) if (!is.has(name)) names.add(name);
  return names;
}

/** Finds imports of unchanged files that now resolve to other files. */
function compareResolutions(
  files: SnapshotFiles,
  { memory }: Before,
  texts: ResolutionTexts,
  { changed, touched, dirty }: { changed: Map<number, Changed>; touched: Set<string>; dirty: Uint8Array },
): void {
  for (let file = 0; file < dirty.length; file++) {
    if (files.kept[file] === 0) continue;
    const older = files.older[file];
    importsBefore(memory, older).forEach((item, i) => {
      const was = memory.strings[memory.importResolution[memory.importBase[older] + i]];
      if (texts.of(file, item) === was) return;
      dirty[file] = 1;
      const known = changed.get(older);
      const names = known instanceof Set ? known : new Set<string>();
      if (item.names.length === 0) names.add(WILDCARDS);
      for (const { alias } of item.names) names.add(alias === '' ? WILDCARDS : alias);
      changed.set(older, names);
      for (const name of names) touched.add(name);
    });
  }
}

function markAskers(
  files: SnapshotFiles,
  strings: readonly string[],
  changed: ReadonlyMap<number, Changed>,
  touched: ReadonlySet<string>,
  dirty: Uint8Array,
): void {
  if (files.before === null || (changed.size === 0 && touched.size === 0)) return;
  const { useBase, useFile, useName, lookupBase, lookupName } = files.before.memory;
  const isTouched = new Uint8Array(strings.length);
  strings.forEach((name, i) => {
    if (touched.has(name)) isTouched[i] = 1;
  });
  for (let file = 0; file < dirty.length; file++) {
    const older = files.older[file];
    if (dirty[file] === 1 || older < 0) continue;
    for (let i = useBase[older]; i < useBase[older + 1] && dirty[file] === 0; i++) {
      const names = changed.get(useFile[i]);
      if (names === true || names?.has(strings[useName[i]])) dirty[file] = 1;
    }
    for (let i = lookupBase[older]; i < lookupBase[older + 1] && dirty[file] === 0; i++) {
      if (isTouched[lookupName[i]] === 1) dirty[file] = 1;
    }
  }
}
