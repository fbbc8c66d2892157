/** Compilers' records of what names mean. `import` of a SCIP index writes them. */
import type { SourceFile } from '../../graph/tables.js';
import { type CompilerStore, compilerStore, encodeOccurrences } from '../../record/store.js';
import { COMPILER_ABOUT, COMPILER_PROFILE, type Session } from '../session.js';

export function openCompilerStore({ repository, objects }: Pick<Session, 'repository' | 'objects'>): CompilerStore {
  return compilerStore(repository, objects, COMPILER_PROFILE, COMPILER_ABOUT);
}

/** Adds the object id of each file's record, so that a file is linked again when its record changes. `store` is loaded. */
export function withCompilerRecords(files: readonly SourceFile[], store: CompilerStore): readonly SourceFile[] {
  return files.map((file) => {
    const compiled = file.state === 'linked' ? store.noteId(file.oid) : null;
    return compiled === null ? file : { ...file, compiled };
  });
}

/** Returns a function that reads a file's record as bytes; null if there is none, or if it is about more lines than the file has. */
export function compilerReader(
  session: Pick<Session, 'repository' | 'objects'>,
): (file: SourceFile, lines: number) => Promise<Uint8Array | null> {
  const store = openCompilerStore(session);
  let loaded: Promise<void> | null = null;
  return async ({ oid, compiled }, lines) => {
    if (compiled === undefined) return null;
    loaded ??= store.load();
    await loaded;
    const decoded = await store.read(oid);
    if (!decoded?.ok || (decoded.record.occurrences.at(-1)?.line ?? 0) > lines) return null;
    return encodeOccurrences(decoded.record);
  };
}
