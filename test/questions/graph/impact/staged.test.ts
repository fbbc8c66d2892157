/** What is staged as the newer side of a change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerImpact } from '../../../../src/questions/graph/impact/answer.js';
import type { ChangeImpactResponse } from '../../../../src/questions/graph/impact/output.js';
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
