/** Takes bad notes out of a ref with one new commit: history stays as it was, and so does what others add meanwhile. */

import { SocraticodeError } from '../../../base/errors.js';
import { fastImport, NOTES_AUTHOR, type NoteEntry, notePath, notesFailure, readRef } from '../../../git/notes.js';
import type { Repository } from '../../../git/repository.js';
import { requireDirect } from '../../../git/symbolic.js';
import type { CheckedNotes } from '../checks/check-notes.js';
import type { FsckReport } from '../output.js';

export type RepairCommit = NonNullable<FsckReport['repaired']>['commits'][number];

const LINES_PER_BLOCK = 2_000;

/** Is there anything to do that a commit can do? */
export function needsCommit({ bad, misplaced, elsewhere }: CheckedNotes): boolean {
  return elsewhere === 0 && (bad.length > 0 || misplaced > 0);
}

/**
 * Commits the good notes of a checked ref and the replacements, and nothing else, on top of what was checked. Throws LOCKED
 * if another process moved the ref meanwhile, GIT_FAILED or DISK; then the ref is as it was.
 */
export async function commitGood(
  repository: Repository,
  checked: CheckedNotes,
  replacements: readonly NoteEntry[],
): Promise<RepairCommit> {
  const { ref, commit } = checked;
  await requireDirect(repository, ref);
  const { code, stderr } = await fastImport(repository, repairBlocks(checked, replacements));
  const tip = await readRef(repository.git, ref);
  if (code !== 0) {
    if (tip !== commit) throw new SocraticodeError('LOCKED', `${ref} was written meanwhile`);
    throw notesFailure(stderr);
  }
  return {
    ref,
    commit: tip ?? commit,
    removed: checked.bad.length - replacements.length,
    replaced: replacements.length,
  };
}

/** All of the tree is written anew, so entries that a path cannot name, or that occur twice, are gone for certain. */
function* repairBlocks(
  { ref, commit, good, bad }: CheckedNotes,
  replacements: readonly NoteEntry[],
): Generator<Buffer> {
  const message = `Repair: ${bad.length} bad ${bad.length === 1 ? 'entry' : 'entries'}, ${replacements.length} derived again`;
  let lines = [`commit ${ref}`, `committer ${NOTES_AUTHOR} now`, `data ${Buffer.byteLength(message)}`, message];
  lines.push(`from ${commit}`, 'deleteall');
  for (const [target, note] of good) {
    lines.push(`M 100644 ${note} ${notePath(target)}`);
    if (lines.length < LINES_PER_BLOCK) continue;
    yield Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
  }
  yield Buffer.from(`${lines.join('\n')}\n`);
  for (const { target, note } of replacements)
    yield Buffer.concat([
      Buffer.from(`M 100644 inline ${notePath(target)}\ndata ${note.length}\n`),
      note,
      Buffer.from('\n'),
    ]);
}
