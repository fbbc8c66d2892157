/** The commits behind lines: through renames, moves between files and edits that are not committed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WhyDocument } from '../../../src/questions/why/output.js';
import { cli, cliJson } from '../../support/processes/cli.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

const CODE =
  'export function total(prices: number[]): number {\n  let sum = 0;\n  for (const price of prices) sum += price;\n  return sum;\n}\n';

const why = async (repo: TestRepo, ...args: string[]) => cliJson<WhyDocument>(['why', ...args], { cwd: repo.dir });
const told = ({ commits }: WhyDocument) => commits.list.map(({ subject, lines }) => `${subject} ${lines}`);

test('commits are found through a rename and a move into another file, with what they name', async () => {
  const repo = createRepo();
  repo.commit({ 'old.ts': CODE }, 'a total (#1)');
  repo.commit({ 'old.ts': CODE.replace('return sum', 'return Math.round(sum)') }, 'round it\n\nFixes: #2');
  repo.git('mv', 'old.ts', 'cart.ts');
  repo.commit({}, 'rename');
  const text = repo.git('show', 'HEAD:cart.ts');
  repo.git('rm', '-q', 'cart.ts');
  repo.commit({ 'shop.ts': `export const shop = 1;\n\n${text}\n` }, 'move it');
  const found = await why(repo, 'shop.ts:3-7');
  assert.deepEqual(told(found), ['round it 1', 'a total (#1) 4']);
  const [round] = found.commits.list.filter(({ subject }) => subject === 'round it');
  assert.deepEqual([round.from, round.mentions], ['old.ts', [{ kind: 'issue', text: '#2' }]]);
  assert.deepEqual(told(await why(repo, 'total')), told(found), 'the symbol has these lines');
});

test('lines are those of the edited file, and uncommitted ones are counted', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': CODE }, 'a total');
  repo.write({ 'a.ts': `// new\n${CODE}` });
  const found = await why(repo, 'a.ts:1-2');
  assert.deepEqual([found.uncommitted, told(found)], [1, ['a total 1']]);
  assert.equal((await why(repo, 'a.ts:1-2', '--ref', 'HEAD')).uncommitted, 0);
  const { code, stderr } = await cli(['why', 'a.ts:99'], { cwd: repo.dir });
  assert.equal(code, 2);
  assert.match(stderr, /a\.ts has no line 99\n {2}It has 6 lines/);
});

test('a commit says which merge brought it, and hostile messages are escaped', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' }, 'start');
  repo.git('checkout', '-q', '-b', 'side');
  repo.commit({ 'a.ts': 'export const a = 2;\n' }, '\x1b[31mred\x07\n\n\x1b]0;title\x07body');
  repo.git('checkout', '-q', '-');
  repo.git('merge', '-q', '--no-ff', '-m', 'Merge pull request #9 from ann/side', 'side');
  const { stdout } = await cli(['why', 'a.ts:1'], { cwd: repo.dir });
  assert.doesNotMatch(stdout, /(?!\n)\p{Cc}/u);
  assert.match(stdout, / {2}names pull request #9\n {2}merged by [0-9a-f]{9} Merge pull request #9 from ann\/side\n/);
});
