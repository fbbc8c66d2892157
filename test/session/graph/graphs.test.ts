/** Graphs that several ask for at once: a failure of one is not one of the next, nor its part an answer to the others. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SocraticodeError } from '../../../src/base/errors.js';
import { Graphs } from '../../../src/session/graph/graphs.js';
import { Session } from '../../../src/session/session.js';
import '../../support/in-process/kept-parsers.js';
import { createRepo } from '../../support/repositories/repo.js';

async function edited(t: TestContext): Promise<Graphs> {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  repo.write({ 'a.ts': 'export const a = 2;\nexport const more = 3;\n' });
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return new Graphs(session);
}

/** Names in the graph; the error's code if there is none. */
const asked = (graphs: Graphs, signal?: AbortSignal) =>
  graphs.prepare({ signal }).then(
    ({ graph, overlay }) => [overlay, graph.nodesNamed('more').length],
    (error: Error) => (error instanceof SocraticodeError ? error.code : error.name),
  );

test('a question that fails, or is cancelled, fails none after it, nor one that waits behind it', async (t) => {
  const graphs = await edited(t);
  const controller = new AbortController();
  // Asked while the cancelled one has its turn, so that it waits for it on any machine.
  let behind: ReturnType<typeof asked> | undefined;
  const failures = [
    () => new SocraticodeError('RESOURCES', 'no memory'),
    () => {
      behind = asked(graphs);
      controller.abort();
      return controller.signal.reason as Error;
    },
  ];
  type Linking = { linkWithMemory: () => Promise<unknown> };
  const linkWithMemory = t.mock.method(graphs.commits as unknown as Linking, 'linkWithMemory');
  for (const [call, failure] of failures.entries()) {
    linkWithMemory.mock.mockImplementationOnce(async () => {
      throw failure();
    }, call);
  }
  assert.equal(await asked(graphs), 'RESOURCES');
  assert.equal(await asked(graphs, controller.signal), 'AbortError');
  assert.deepEqual(await behind, [1, 1]);
  assert.deepEqual(await asked(graphs), [1, 1]);
});

test('who needs the whole graph does not get the part that another one asks for at the same time', async (t) => {
  const graphs = await edited(t);
  const { graph, origin } = await graphs.prepare({ committed: true });
  graphs.forget();
  type Making = { linkAnew: (...asked: [object, string, { partly?: boolean }]) => Promise<object>; recall: () => null };
  t.mock.method(graphs.commits as unknown as Making, 'recall', () => null);
  t.mock.method(
    graphs.commits as unknown as Making,
    'linkAnew',
    async (...[, , { partly }]: Parameters<Making['linkAnew']>) => ({
      ...{ graph, note: {} },
      ...(partly && { isPart: true }),
    }),
  );
  const both = await Promise.all([graphs.committed(origin, { partly: true }), graphs.committed(origin)]);
  assert.deepEqual(
    both.map(({ isPart }) => isPart),
    [true, undefined],
  );
});

test('a graph that is outdated here is read again where another process has written a newer one', async (t) => {
  const graphs = await edited(t);
  const { origin } = await graphs.prepare({ committed: true });
  const held = graphs.known(origin);
  assert.ok(held);
  Object.assign(held.note, { state: 'of an older index' });
  assert.equal(graphs.known(origin)?.note.state, null);
});
