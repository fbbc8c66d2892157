/** Notes that are written, united or squashed while git collects garbage stay whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRef, writeNotes } from '../../src/git/notes.js';
import { commitNotes, uniteNotes } from '../../src/git/notes-union.js';
import { NOTES_PREFIX, openRepository, type Repository } from '../../src/git/repository.js';
import { compactRef } from '../../src/share/compact.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;
const WRITTEN = 8;
const UNITED = 4;

/** A repository with blobs that a ref keeps. */
async function withBlobs(): Promise<{ repo: TestRepo; repository: Repository; targets: string[] }> {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a\n' });
  const targets = Array.from({ length: 200 }, (_, i) => repo.blob(`blob ${i}\n`));
  const tree = repo.rawTree(targets.map((oid) => ({ oid, name: oid })));
  repo.git('update-ref', 'refs/keep', repo.git('commit-tree', '-m', 'keep', tree));
  return { repo, repository: await openRepository(repo.dir), targets };
}

/** Prunes everything that no ref reaches, again and again, until the work is done. */
async function whileCollecting({ git }: Repository, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const collect = async () => {
    // What it prunes first it may miss itself, until the notes are written again.
    while (!isOver) await git.run(['gc', '--quiet', '--prune=now'], { allow: [1, 128, 255] });
  };
  const collecting = collect();
  try {
    await work();
  } finally {
    isOver = true;
    await collecting;
  }
}

test('a git gc that prunes everything while notes are written removes none of them', async () => {
  const { repo, repository, targets } = await withBlobs();
  await whileCollecting(repository, async () => {
    for (const target of targets.slice(0, WRITTEN))
      await writeNotes(repository, REF, [{ target, note: Buffer.from(`note ${target}`) }]);
  });
  assert.equal(repo.notes().size, WRITTEN);
  assert.equal(repo.fsck(), '');
});

test('nor does it while notes of others are united with ours, and what is there is squashed', async () => {
  const { repo, repository, targets } = await withBlobs();
  await writeNotes(repository, REF, [{ target: targets[0], note: Buffer.from('the first') }]);
  const theirs: string[] = [];
  for (const target of targets.slice(1, UNITED)) {
    const commit = await commitNotes(repository, null, new Map([[target, repo.blob(`note ${target}`)]]));
    repo.git('update-ref', `refs/theirs/${target}`, commit);
    theirs.push(commit);
  }
  await whileCollecting(repository, async () => {
    for (const commit of theirs) {
      await uniteNotes(repository, REF, commit);
      const tip = (await readRef(repository.git, REF)) as string;
      await compactRef(repository, { ref: REF, commit: tip }, { reachable: null });
    }
  });
  assert.equal(repo.notes().size, UNITED);
  assert.equal(repo.fsck(), '');
});
