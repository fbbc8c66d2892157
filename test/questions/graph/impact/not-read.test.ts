/** Files of a change that could not be parsed: an answer says so instead of calling the change harmless. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Graph } from '../../../../src/graph/graph.js';
import { prepareBothGraphs } from '../../../../src/questions/graph/changes/both-graphs.js';
import { impactOfRange } from '../../../../src/questions/graph/changes/impact-of-range.js';
import { Session } from '../../../../src/session/session.js';
import { askerOf } from '../../../support/in-process/asker.js';
import { SHOP } from '../../../support/in-process/changes.js';
import { createRepo } from '../../../support/repositories/repo.js';

test('a file whose parser ran out of time on one side is named', async () => {
  const repo = createRepo();
  repo.commit(SHOP);
  repo.commit({ 'src/cart.ts': `${SHOP['src/cart.ts']}\n// Nothing that a symbol tells.\n` });
  const session = await Session.open({ directory: repo.dir });
  try {
    const at = askerOf(session);
    const both = await prepareBothGraphs(at, { from: 'HEAD~1', to: 'HEAD', symmetric: false } as never);
    const request = { target: 'HEAD~1..HEAD', options: { depth: 3, minConfidence: 0, limit: 9 } };
    assert.deepEqual((await impactOfRange(at, both, request)).changes.notRead.list, []);
    const { tables } = both.after.graph;
    const files = tables.files.map((file) =>
      file.path === 'src/cart.ts' ? { ...file, state: 'degraded' as const } : file,
    );
    const after = { ...both.after, graph: new Graph({ ...tables, files }) };
    const answer = await impactOfRange(at, { ...both, after }, request);
    assert.deepEqual(answer.changes.notRead, { list: ['src/cart.ts'], leftOut: 0 });
  } finally {
    await session.close();
  }
});
