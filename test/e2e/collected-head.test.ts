/** A commit that is amended away and collected while somebody looks at it: the answer is of the one that came after it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStatus } from '../../src/questions/status/answer.js';
import { Graphs } from '../../src/session/graph/graphs.js';
import { indexRef } from '../../src/session/indexing/index-operation.js';
import { inProcess, type Process } from '../support/in-process/search.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

/** Right before a tree is listed for the first time, HEAD is amended and what it was is pruned. */
function collectBefore(repo: TestRepo, { session: { objects } }: Process): void {
  const list = objects.list.bind(objects);
  objects.list = (tree) => {
    objects.list = list;
    repo.write({ 'src/amended.ts': 'export class Amended {}\n' });
    repo.git('add', '-A');
    repo.git('commit', '-q', '--amend', '-m', 'amended');
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('gc', '-q', '--prune=now');
    return list(tree);
  };
}

const QUESTIONS: Record<string, (process: Process) => Promise<string | null>> = {
  search: async (process) => {
    const { commit, results, coverage } = await process.search('Amended');
    assert.deepEqual([results[0]?.path, coverage.covered], ['src/amended.ts', coverage.total]);
    return commit;
  },
  index: async ({ session }) => (await indexRef(session)).commit,
  status: async ({ session }) => (await readStatus(session)).commit,
  graph: async ({ session }) => {
    const graphs = new Graphs(session);
    const { origin, coverage } = await graphs.prepare({ committed: true });
    assert.equal(coverage.covered, coverage.total);
    return origin.resolved.commit;
  },
};

for (const [name, ask] of Object.entries(QUESTIONS)) {
  test(`${name} after HEAD was amended and collected`, async () => {
    const repo = createRepo();
    repo.commit(PROJECT);
    await inProcess(repo, async (process) => {
      collectBefore(repo, process);
      assert.equal(await ask(process), repo.git('rev-parse', 'HEAD'));
    });
  });
}

test('what is damaged is not asked again', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  await inProcess(repo, async (process) => {
    const { objects } = process.session;
    const list = objects.list.bind(objects);
    let asked = 0;
    objects.list = () => {
      asked++;
      return list('f'.repeat(40));
    };
    await assert.rejects(readStatus(process.session), /needs an object that is not in this clone: f{40}$/);
    assert.equal(asked, 1);
  });
});
