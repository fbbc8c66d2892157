/** What is staged as the newer side of a change. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import { answerImpact } from '../../../../src/questions/graph/impact/answer.js';
import type { ChangeImpactResponse } from '../../../../src/questions/graph/impact/question.js';
import { Session } from '../../../../src/session/session.js';
import { askerOf } from '../../../support/in-process/asker.js';
import { edit, SHOP } from '../../../support/in-process/changes.js';
import { createRepo } from '../../../support/repositories/repo.js';

test('what is staged is compared with HEAD, without what is changed and not staged', async () => {
  const repo = createRepo();
  repo.commit(SHOP);
  repo.write(edit('src/cart.ts', 'function total', 'function sumOfItems'));
  repo.git('add', '.');
  repo.write({ 'src/cart.ts': SHOP['src/cart.ts'], 'src/later.ts': 'export const later = 1;\n' });
  const session = await Session.open({ directory: repo.dir });
  try {
    const ask = (rest: object) => {
      const values = { depth: 3, minConfidence: 0, limit: 200, staged: true, ...rest } as never;
      return answerImpact(askerOf(session, { directory: repo.dir }), values) as Promise<ChangeImpactResponse>;
    };
    const { changes } = await ask({});
    assert.deepEqual([changes.from.ref, changes.to], ['HEAD', { ref: 'the index', commit: null }]);
    assert.deepEqual(
      changes.symbols.list.map(({ symbol, change }) => `${change} ${symbol}`),
      ['renamed sumOfItems'],
    );
    await assert.rejects(ask({ target: 'main..HEAD' }), /what is staged is compared with HEAD/);
  } finally {
    await session.close();
  }
});

test('a hook is told of the index that its commit is made of', async () => {
  const repo = createRepo();
  repo.commit(SHOP);
  repo.write(edit('src/cart.ts', 'function total', 'function sumOfItems'));
  // As `git commit FILE` does: an index of its own, which becomes the index when the commit is made.
  const index = `${repo.dir}/.git/next-index-1.lock`;
  copyFileSync(`${repo.dir}/.git/index`, index);
  execFileSync('git', ['-C', repo.dir, 'add', '-u'], { env: { ...process.env, GIT_INDEX_FILE: index } });
  const session = await Session.open({ directory: repo.dir });
  try {
    const values = { depth: 3, minConfidence: 0, limit: 200, staged: true } as never;
    const symbolsBy = async (env: NodeJS.ProcessEnv, directory?: string) => {
      const command = { io: { env }, json: true, write: async () => {} } as never;
      const answer = (await answerImpact(askerOf(session, { directory, command }), values)) as ChangeImpactResponse;
      return answer.changes.symbols.list.map(({ symbol, change }) => `${change} ${symbol}`);
    };
    assert.deepEqual(await symbolsBy({ GIT_INDEX_FILE: index }), ['renamed sumOfItems']);
    assert.deepEqual(await symbolsBy({}), []);
    // A directory that was named may be of another repository than the hook's.
    assert.deepEqual(await symbolsBy({ GIT_INDEX_FILE: index }, repo.dir), []);
  } finally {
    await session.close();
  }
});
