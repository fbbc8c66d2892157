/** Branches, tags and recent commits to choose from. */
import { listBranches, listTags } from '../../git/branches.js';
import { readCommit } from '../../git/commit.js';
import { listCommits } from '../../git/commit-log.js';
import type { Asker } from '../../questions/asker.js';
import type { Session } from '../../session/session.js';
import type { Refs } from './output.js';

/** Newest first; older ones are typed. */
const MAX_REFS = 500;
const MAX_COMMITS = 50;

export async function answerRefs({ session }: Asker, { ref = 'HEAD' }: { ref?: string }): Promise<Refs> {
  const { git } = session.repository;
  const [branches, tags, commits] = await Promise.all([listBranches(git), listTags(git), recentCommits(session, ref)]);
  return {
    branches: branches.slice(0, MAX_REFS).map(({ name, commit }) => ({ name, commit })),
    tags: tags.slice(0, MAX_REFS),
    commits,
  };
}

/** None before the first commit. */
async function recentCommits({ objects, repository }: Session, ref: string): Promise<Refs['commits']> {
  const tip = (await objects.info(`${ref}^{commit}`))?.oid;
  if (tip === undefined) return [];
  const listed = await listCommits(repository.git, { tip, maxCommits: MAX_COMMITS });
  return Promise.all(
    listed.map(async ({ commit }) => {
      const { subject = '', author = '', date = null } = (await readCommit(objects, commit)) ?? {};
      return { commit, subject, author, date };
    }),
  );
}
