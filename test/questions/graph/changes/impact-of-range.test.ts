/** What the history says of a change: files that are usually changed with it, and are there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerImpact } from '../../../../src/questions/graph/impact/answer.js';
import type { ChangeImpactResponse } from '../../../../src/questions/graph/impact/question.js';
import { askerOf, opened } from '../../../support/in-process/asker.js';
import { createRepo } from '../../../support/repositories/repo.js';

const code = (name: string, value: number) => `export const ${name} = ${value};\n`;

test('files that usually change with changed code are missed, unless they are gone; other changed files miss none', async (t) => {
  const repo = createRepo();
  for (let i = 0; i < 5; i++)
    repo.commit({
      'cart.ts': code('cart', i),
      'shelf.ts': code('shelf', i),
      'gone.ts': code('gone', i),
      'cart.test.ts': code('checked', i),
      'CHANGES.md': `# ${i}\n`,
    });
  repo.git('rm', '-q', 'gone.ts');
  repo.git('commit', '-q', '-m', 'without it');
  const session = await opened(t, repo);
  const missed = async () => {
    const values = { depth: 3, minConfidence: 0, limit: 200 } as never;
    const { changes } = (await answerImpact(askerOf(session), values)) as ChangeImpactResponse;
    return changes.coupled.list.map(({ path, with: other }) => `${path} with ${other}`).sort();
  };
  repo.write({ 'CHANGES.md': '# 9\n', 'cart.test.ts': code('checked', 9) });
  assert.deepEqual(await missed(), []);
  repo.git('reset', '-q', '--hard');
  repo.write({ 'cart.ts': code('cart', 9) });
  assert.deepEqual(await missed(), ['CHANGES.md with cart.ts', 'cart.test.ts with cart.ts', 'shelf.ts with cart.ts']);
});
