/** Coverage of a snapshot with uncommitted files. */
import { languageOfPath } from '../../indexer/catalog.js';
import type { OverlayState } from '../../overlay/overlay.js';
import type { Selection } from '../../overlay/scan.js';
import type { LexicalShard } from '../../shard/lexical.js';
import { type CatalogFile, lookUpUnit } from '../../shard/live.js';
import type { Session } from '../session.js';
import { isSearchable } from '../snapshot/coverage.js';
import type { IndexedSnapshot } from '../snapshot/snapshot.js';

interface PatchContext {
  tree: string;
  selection: Selection;
  session: Session;
}

/** Subtracts the replaced files from a snapshot's coverage and adds the uncommitted ones. */
export async function patchCoverage(
  { corpus, coverage }: IndexedSnapshot,
  { replaced, files, shards }: Pick<OverlayState, 'replaced' | 'files' | 'shards'>,
  { tree, selection, session }: PatchContext,
): Promise<{ covered: number; total: number }> {
  const committed = corpus.live.shards;
  let { covered, total } = coverage;
  const count = (file: CatalogFile, known: readonly LexicalShard[], step: number) => {
    const unit = lookUpUnit(known, file);
    if (unit === null) total += step;
    else if (isSearchable(unit, selection.maxFileBytes)) [covered, total] = [covered + step, total + step];
  };
  for (const { path, headOid, headType } of replaced) {
    // For a conflict, and while HEAD moves, `git status` does not report HEAD's object.
    const oid = headOid === undefined ? (await session.objects.info(`${tree}:${path}`))?.oid : headOid;
    if (!oid || headType === 'symlink' || headType === 'submodule') continue;
    const language = languageOfPath(path, selection.languages);
    count({ path, oid, language, generated: false, vendored: false }, committed, -1);
  }
  for (const file of files) count(file, [...shards, ...committed], 1);
  return { covered, total };
}
