/** Notes that are written while git collects garbage stay whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeNotes } from '../../src/git/notes.js';
import { NOTES_PREFIX, openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;

test('a git gc that prunes everything while notes are written removes none of them', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a\n' });
  const repository = await openRepository(repo.dir);
  const targets = Array.from({ length: 200 }, (_, i) => repo.blob(`blob ${i}\n`));
  repo.git(
    'update-ref',
    'refs/keep',
    repo.git('commit-tree', '-m', 'keep', repo.rawTree(targets.map((oid) => ({ oid, name: oid })))),
  );
  let isOver = false;
  const collect = async () => {
    // What it prunes first it may miss itself, until the notes are written again.
    while (!isOver) await repository.git.run(['gc', '--quiet', '--prune=now'], { allow: [1, 128, 255] });
  };
  const collecting = collect();
  const written = 8;
  try {
    for (const target of targets.slice(0, written))
      await writeNotes(repository, REF, [{ target, note: Buffer.from(`note ${target}`) }]);
  } finally {
    isOver = true;
    await collecting;
  }
  assert.equal(repo.notes().size, written);
  assert.equal(repo.fsck(), '');
});
