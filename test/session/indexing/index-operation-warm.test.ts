/** Files that are made in advance: those that a question would open, and none that nobody asked for. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphsOf } from '../../../src/session/graph/graphs.js';
import {
  indexRef,
  warmGraph,
  warmMessages,
  warmSearch,
  warmView,
} from '../../../src/session/indexing/index-operation.js';
import { historyScores } from '../../../src/session/search/external-text.js';
import { corporaOf } from '../../../src/session/snapshot/corpora.js';
import { COMMITS, GRAPHS, VIEWS } from '../../../src/session/state-kinds.js';
import { opened } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';
import '../../support/in-process/kept-parsers.js';

test('a view is written once for each snapshot, and the subjects only where a search has read them', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' }, 'parcels');
  const session = await opened(t, repo);
  await indexRef(session, {});
  const views = () => session.state.keys(VIEWS).length;
  assert.equal(views(), 0);
  await warmView(session, await session.origin('HEAD'));
  assert.equal(views(), 1);
  let prepared = 0;
  const corpora = corporaOf(session);
  const prepare = corpora.of.bind(corpora);
  corpora.of = (...args) => {
    prepared++;
    return prepare(...args);
  };
  await warmSearch(session);
  assert.deepEqual([views(), prepared, session.state.has(COMMITS)], [1, 0, false]);
  const commit = repo.commit({ 'b.ts': 'export const b = 1;\n' }, 'islands');
  await indexRef(session, {});
  await warmSearch(session);
  assert.equal(views(), 2);
  await historyScores(session, commit);
  assert.equal(session.state.has(COMMITS), true);
});

test('a graph is linked ahead only where this repository has one, and messages only where subjects were read', async (t) => {
  const repo = createRepo();
  const first = repo.commit({ 'a.ts': 'export const a = 1;\n' }, 'parcels');
  const session = await opened(t, repo);
  await indexRef(session, {});
  const graphs = () => session.state.keys(GRAPHS).length;
  await warmGraph(session);
  await warmMessages(session, first);
  assert.deepEqual([graphs(), session.state.has(COMMITS)], [0, false]);
  await graphsOf(session).committed(await session.origin());
  const before = graphs();
  assert.ok(before > 0);
  repo.commit({ 'b.ts': 'export const b = 1;\n' });
  await indexRef(session, {});
  await warmGraph(session);
  assert.ok(graphs() > before);
  await warmMessages(session, null);
});
