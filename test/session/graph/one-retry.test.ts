/** A graph that is part of a question which is asked again itself is not asked for again inside of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../../src/base/errors.js';
import { Graphs } from '../../../src/session/graph/graphs.js';
import type { OpenTarget } from '../../../src/session/snapshot/overlay.js';

const TARGET = { origin: { key: 'of HEAD' }, status: { use: 'included', changes: null, isPending: false } };

/** Attempts at a graph while HEAD moves all the time and each commit is gone at once. */
async function attempts(ask: (graphs: Graphs) => Promise<unknown>): Promise<number> {
  let [tried, head] = [0, 0];
  const of = async () => {
    tried++;
    throw new SocraticodeError('UNREADABLE_OBJECT', 'gone');
  };
  const graphs: Graphs = Object.assign(Object.create(Graphs.prototype), {
    session: { objects: { info: async () => ({ oid: `${++head}` }) } },
    snapshots: { open: async () => TARGET, of },
  });
  await assert.rejects(ask(graphs), { code: 'UNREADABLE_OBJECT' });
  return tried;
}

test('a question about the graph is tried eight times while its commit vanishes, a part of a question once', async () => {
  assert.equal(await attempts((graphs) => graphs.prepare()), 8);
  assert.equal(await attempts((graphs) => graphs.of(TARGET as OpenTarget)), 1);
});
