/** Answers while other commands move HEAD: each is of one commit, with the files that differ from that one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRepository } from '../../src/git/repository.js';
import { readChanges, settled, type WorkTreeChanges } from '../../src/git/status.js';
import { inProcess } from '../support/in-process/search.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const define = (name: string) => `export function ${name}(): number {\n  return 1;\n}\n`;

/** Two commits; what the second one adds is still there after HEAD has gone back, uncommitted. */
function project(): { repo: TestRepo; first: string; second: string } {
  const repo = createRepo();
  const first = repo.commit({ 'src/old.ts': define('oldQuokka') });
  const second = repo.commit({ 'src/new.ts': define('newEmu'), 'src/other.ts': define('otherEmu') });
  return { repo, first, second };
}

test('what git says of a HEAD that moves is asked again, and left unsaid where it does not come to rest', async () => {
  const { repo, first, second } = project();
  const repository = await openRepository(repo.dir);
  repo.write({ 'src/old.ts': define('editedQuokka') });
  const head = async () => repo.git('rev-parse', 'HEAD');
  let reads = 0;
  const moving = (times: number) => async (): Promise<WorkTreeChanges> => {
    const changes = await readChanges(repository, []);
    if (reads++ < times) repo.git('reset', '-q', '--soft', changes.commit === second ? first : second);
    return changes;
  };
  const still = await settled(moving(0), head);
  assert.deepEqual([reads, still.commit, still.list.map(({ path }) => path)], [1, second, ['src/old.ts']]);
  reads = 0;
  const once = await settled(moving(1), head);
  assert.deepEqual([reads, once.commit], [2, first]);
  assert.deepEqual(
    once.list.map(({ path, headOid }) => [path, headOid === null ? 'new' : typeof headOid]),
    [
      ['src/new.ts', 'new'],
      ['src/old.ts', 'string'],
      ['src/other.ts', 'new'],
    ],
  );
  reads = 0;
  const never = await settled(moving(100), head);
  assert.equal(reads, 3);
  assert.ok(never.list.length > 0);
  for (const { headOid } of never.list) assert.equal(headOid, undefined);
});

test('an answer is of the commit that git compared with, wherever HEAD was before and is afterwards', async () => {
  const { repo, first, second } = project();
  await inProcess(repo, async (process) => {
    const { session } = process;
    await process.search('quokka', { mode: 'lexical' });
    repo.write({ 'src/old.ts': define('editedQuokka') });
    const [read, origin] = [session.readChanges, session.origin.bind(session)];
    let compared: string | null = null;
    let asked = () => {};
    let isAsked = Promise.resolve();
    session.origin = async (...args) => {
      const found = await origin(...args);
      asked();
      return found;
    };
    const move = () => repo.git('reset', '-q', '--soft', repo.git('rev-parse', 'HEAD') === second ? first : second);
    // HEAD moves between the question and each look of git, and after it.
    session.readChanges = async (paths) => {
      await isAsked;
      move();
      const changes = await (read as NonNullable<typeof read>)(paths);
      compared = changes.commit;
      move();
      return changes;
    };
    for (let i = 0; i < 4; i++) {
      isAsked = new Promise((resolve) => {
        asked = resolve;
      });
      if (i === 2) move();
      const { commit, coverage, results } = await process.search('emu quokka', { mode: 'lexical' });
      assert.equal(commit, compared);
      assert.deepEqual(coverage, { covered: 3, total: 3 });
      const uncommitted = results.filter((result) => result.uncommitted).map(({ path }) => path);
      assert.deepEqual(
        uncommitted.sort(),
        commit === second ? ['src/old.ts'] : ['src/new.ts', 'src/old.ts', 'src/other.ts'],
      );
    }
  });
});
