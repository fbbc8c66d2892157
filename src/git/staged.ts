/** The index of a work tree (what `git add` has staged) as a tree. */
import { SocraticodeError } from '../base/errors.js';
import { type Git, NOTHING_THERE } from './process.js';

/**
 * Writes the index as a tree, as the next `git commit` would, and returns its oid. A tree that no commit names is removed by
 * `git gc`. Throws BAD_ARGUMENT for an index with conflicts.
 */
export async function writeStagedTree(git: Git): Promise<string> {
  const { code, stdout, stderr } = await git.run(['write-tree'], { allow: NOTHING_THERE });
  const oid = stdout.toString('latin1').trim();
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(oid)) return oid;
  const [problem] = stderr.toString().split('\n', 1);
  throw new SocraticodeError('BAD_ARGUMENT', `the index is no tree yet: ${problem.replace(/^(?:error|fatal): /, '')}`, {
    hint: 'Resolve the conflicts and add the files: git status',
  });
}
