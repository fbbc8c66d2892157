/** Linking the files of a snapshot: which of them count as read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkCommitted } from '../../../src/session/graph/link.js';
import { Session } from '../../../src/session/session.js';
import { LexicalBuilder } from '../../../src/shard/builder.js';
import { encodeLexical } from '../../../src/shard/lexical-format.js';
import { LexicalShard } from '../../../src/shard/lexical-shard.js';
import { createRepo } from '../../support/repositories/repo.js';

test('a file that was cut by lines and cannot be read any more is unreadable, as one of which nothing is known', async (t) => {
  const repo = createRepo();
  repo.commit({ 'gone.ts': 'export const a = 1;\n', 'here.ts': 'export const b = 2;\n', 'new.ts': '\n' });
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const [gone, here] = ['gone.ts', 'here.ts'].map((path) => repo.git('rev-parse', `HEAD:${path}`));
  const builder = new LexicalBuilder(20);
  for (const oid of [gone, here]) builder.addSkipped(oid, 'typescript', 'grammar-missing', 20);
  const shards = [new LexicalShard(encodeLexical(builder.finish()), 'test')];
  const read = session.objects.read.bind(session.objects);
  t.mock.method(session.objects, 'read', async (name: string) => (name === gone ? null : read(name)));
  const origin = await session.origin(undefined);
  const { graph } = await linkCommitted(session, { origin, shards, previous: () => null, parsers: null });
  assert.deepEqual(
    graph.tables.files.map(({ path, state }) => [path, state]),
    [
      ['gone.ts', 'unreadable'],
      ['here.ts', 'degraded'],
      ['new.ts', 'unreadable'],
    ],
  );
});
