/** Authors of the lines of a file, as `git blame` says. */
import { blame } from '../../git/blame.js';
import { readCommit } from '../../git/commit.js';
import { withoutLocalFilters } from '../../git/worktree.js';
import type { Asker } from '../../questions/asker.js';
import { editedText } from '../../questions/why/place.js';
import { commitOf } from '../../session/history/scope.js';
import type { Blame } from './output.js';

/** Without a ref the file is the work tree's. Throws GIT_FAILED for a path that the commit lacks, and UNKNOWN_REF. */
export async function answerBlame(
  { session, signal }: Asker,
  { path, ref }: { path: string; ref?: string },
): Promise<Blame> {
  const commit = commitOf(await session.objects.resolve(ref ?? 'HEAD'));
  const contents = ref === undefined ? await editedText(session, path) : null;
  const git = session.repository.git.withConfig(withoutLocalFilters(session.gitConfig));
  const runs = await blame(git, { commit, path, signal, ...(contents !== null && { contents }) });
  const oids = [...new Set(runs.map((run) => run.commit))];
  const commits = await Promise.all(
    oids.map(async (oid) => {
      const { subject = '', author = '', date = null } = (await readCommit(session.objects, oid)) ?? {};
      return [oid, { subject, author, date }] as const;
    }),
  );
  return {
    runs: runs.map(({ line, count, commit: oid }) => ({ line, count, commit: oid })),
    commits: Object.fromEntries(commits),
  };
}
