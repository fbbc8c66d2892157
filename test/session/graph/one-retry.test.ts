/** A graph that is part of a question which is asked again itself is not asked for again inside of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../../src/base/errors.js';
import { type GraphOptions, GraphPreparer } from '../../../src/session/graph/prepare.js';

/** Attempts at a graph while HEAD moves all the time and each commit is gone at once. */
async function attempts(options: GraphOptions): Promise<number> {
  let [tried, head] = [0, 0];
  const preparer: GraphPreparer = Object.assign(Object.create(GraphPreparer.prototype), {
    session: { objects: { info: async () => ({ oid: `${++head}` }) } },
    prepareOnce: async () => {
      tried++;
      throw new SocraticodeError('UNREADABLE_OBJECT', 'gone');
    },
  });
  await assert.rejects(preparer.prepare(options), { code: 'UNREADABLE_OBJECT' });
  return tried;
}

test('a question about the graph is tried eight times while its commit vanishes, a part of a question once', async () => {
  assert.equal(await attempts({}), 8);
  assert.equal(await attempts({ isRetried: true }), 1);
});
