/** Questions about a name are answered from the files that are read so far, while the index of the others takes long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerImpact } from '../../src/questions/graph/impact/answer.js';
import { answerReferences } from '../../src/questions/graph/references/answer.js';
import { answerSymbol } from '../../src/questions/graph/symbol/answer.js';
import { answerUnused } from '../../src/questions/graph/unused/answer.js';
import { askerOf } from '../support/in-process/asker.js';
import { holdWriterLock, serve, untilIdle } from '../support/in-process/serve.js';
import { createRepo } from '../support/repositories/repo.js';

test('while an index takes long, a name is looked up in the files that are read, and nothing is called complete', async (t) => {
  const repo = createRepo();
  repo.commit({
    'src/cart.ts': "import { price } from './price';\nexport function total(): number {\n  return price() * 2;\n}\n",
    'src/price.ts': 'export function price(): number {\n  return 21;\n}\nfunction lonely() {}\n',
  });
  const project = await serve(t, repo).open();
  await project.searcher.search({ query: 'total' });
  await untilIdle(project);
  const release = await holdWriterLock(repo);
  t.after(release);
  repo.commit({ 'src/discount.ts': "import { price } from './price';\nexport const discount = () => price() - 3;\n" });
  repo.write({ 'src/open.ts': 'export const open = 1;\n' });
  const graphs = await project.graphs();
  const at = askerOf(project.session, { graphs: async () => graphs });
  const coverage = { covered: 2, total: 3 };

  const symbol = await answerSymbol(at, { names: ['lonely'], linked: false } as never);
  assert.ok('noCallers' in symbol);
  assert.deepEqual([symbol.coverage, symbol.dirty, symbol.overlay], [coverage, 1, 0]);
  assert.deepEqual([symbol.noCallers?.verdict, symbol.definitions[0].path], ['degraded', 'src/price.ts']);
  const references = await answerReferences(at, { name: 'price' } as never);
  assert.ok('uses' in references);
  assert.deepEqual(
    references.uses.list.map(({ path, kind }) => `${path} ${kind}`),
    ['src/cart.ts import', 'src/cart.ts call'],
  );
  const impact = await answerImpact(at, { target: 'price', depth: 3, minConfidence: 0 } as never);
  assert.match(impact && 'risk' in impact ? impact.risk.reasons.join() : '', /not all files are read yet/);
  // What is not there yet is not said to be missing, and what only the whole graph tells is not told from a part.
  const later = answerReferences(at, { name: 'discount' } as never);
  await assert.rejects(later, {
    code: 'NOT_READY',
    message: /^no symbol discount is defined.*only 2 of 3 files are read so far$/,
  });
  await assert.rejects(answerUnused(at, {} as never), { code: 'NOT_READY', message: /the graph is not linked yet/ });

  release();
  await untilIdle(project);
  const whole = await answerReferences(at, { name: 'price' } as never);
  assert.ok('uses' in whole);
  assert.deepEqual([whole.coverage, whole.uses.list.length], [{ covered: 4, total: 4 }, 4]);
});
