/** The commits behind lines: through renames, moves between files and edits that are not committed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleDocument } from '../../../src/base/printable.js';
import { findLines } from '../../../src/questions/history-targets.js';
import { answerWhy, whyText } from '../../../src/questions/why/answer.js';
import { question, type WhyDocument, type WhyValues, whySchema } from '../../../src/questions/why/question.js';
import { check } from '../../support/check.js';
import { documentOf, PLAIN } from '../../support/in-process/document.js';
import { cloneRepo, createRepo, type TestRepo } from '../../support/repositories/repo.js';

const CODE =
  'export function total(prices: number[]): number {\n  let sum = 0;\n  for (const price of prices) sum += price;\n  return sum;\n}\n';

const why = async (repo: TestRepo, place: string, values: Partial<WhyValues> = {}): Promise<WhyDocument> =>
  check(whySchema, await documentOf(repo, (at) => answerWhy(at, { place, limit: 10, ...values } as WhyValues)));
const written = (document: WhyDocument, full = false) =>
  whyText(visibleDocument(document, question.multiline), { ...PLAIN, values: { full } as WhyValues });
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
  assert.equal((await why(repo, 'a.ts:1-2', { ref: 'HEAD' })).uncommitted, 0);
  await assert.rejects(why(repo, 'a.ts:99'), { message: 'a.ts has no line 99', hint: 'It has 6 lines.' });
  assert.match(
    written(found),
    /^a\.ts:1-2\n1 of 2 lines not committed yet\n[0-9a-f]{9} 2024-01-02 a total \(A U Thor\) wrote 1 of 2 lines\n$/,
  );
});

test('lines are read by the id of the blob, which is still there where git removed the commit meanwhile', async () => {
  const repo = createRepo();
  const commit = repo.commit({ 'a.ts': CODE }, 'a total');
  const found = await documentOf(repo, (at) => {
    const { objects } = at.session;
    const read = async (name: string) => (name.includes(':') ? null : objects.read(name));
    const session = Object.create(at.session, { objects: { value: { info: objects.info.bind(objects), read } } });
    return findLines({ ...at, session }, { place: 'a.ts:2', ref: 'HEAD' } as WhyValues, String(commit));
  });
  assert.deepEqual([found.path, found.startLine, found.endLine], ['a.ts', 2, 2]);
});

test('a commit says which merge brought it, and hostile messages are escaped', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' }, 'start');
  repo.git('checkout', '-q', '-b', 'side');
  repo.commit({ 'a.ts': 'export const a = 2;\n' }, '\x1b[31mred\x07\n\n\x1b]0;title\x07body');
  repo.git('checkout', '-q', '-');
  repo.git('merge', '-q', '--no-ff', '-m', 'Merge pull request #9 from ann/side', 'side');
  const stdout = written(await why(repo, 'a.ts:1'));
  assert.doesNotMatch(stdout, /(?!\n)\p{Cc}/u);
  assert.match(stdout, / {2}names pull request #9\n {2}merged by [0-9a-f]{9} Merge pull request #9 from ann\/side\n/);
});

test('earlier changes of the lines follow, newest first; a limit counts the rest', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'one\ntwo\nthree' }, 'first');
  for (const n of [2, 3]) repo.commit({ 'a.ts': `one\n${n}\nthree` }, `change ${n}`);
  repo.commit({ 'a.ts': 'one\n3\nTHREE' }, 'another line');
  const found = await why(repo, 'a.ts:2');
  assert.deepEqual(
    [told(found), found.basis, found.uncommitted],
    [['change 3 1', 'change 2 0', 'first 0'], 'lines', 0],
  );
  const one = await why(repo, 'a.ts:2', { limit: 1 });
  assert.deepEqual([told(one), one.commits.leftOut], [['change 3 1'], 2]);
  assert.deepEqual(told(await why(repo, 'a.ts:2', { ref: 'HEAD~2' })), ['change 2 1', 'first 0']);
  assert.match(
    written(one),
    /^a\.ts:2\n[0-9a-f]{9} 2024-01-02 change 3 \(A U Thor\) wrote 1 of 1 line\n {2}… 2 more: raise --limit\n$/,
  );
  const turned = await why(repo, 'a.ts:3-1');
  assert.deepEqual([turned.startLine, turned.endLine], [1, 3], 'in either order, and the last line needs no line end');
  assert.equal((await why(repo, 'a.ts:2-9')).endLine, 3);
  repo.commit({ 'gap.ts': '\nlast\n' });
  assert.equal((await why(repo, 'gap.ts:1-9')).endLine, 2);
  repo.commit({ empty: '' });
  await assert.rejects(why(repo, 'empty:1'), { message: 'empty has no line 1', hint: 'It is empty.' });
  await assert.rejects(why(repo, 'none.ts:1'), { message: 'none.ts is no file of this commit' });
  await assert.rejects(why(repo, 'a.ts:0'), /has no line 0/);
});

test('lines that moved while they were edited are followed from the commits that wrote them', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': CODE }, 'a total');
  repo.commit({ 'a.ts': CODE.replace('sum += price', 'sum += 2 * price') }, 'twice');
  repo.write({ 'a.ts': `// one\n// two\n${CODE.replace('sum += price', 'sum += 2 * price')}` });
  const found = await why(repo, 'a.ts:5');
  assert.deepEqual([found.uncommitted, told(found)], [0, ['twice 1', 'a total 0']]);
});

test('a long message is cut unless it is asked for whole', async () => {
  const repo = createRepo();
  const body = ['first', '', 'second', 'third', 'fourth', 'fifth', 'x'.repeat(500)].join('\n');
  repo.commit({ 'a.ts': 'one\n' }, `subject\n\n${body}`);
  repo.commit({ 'b.ts': 'one\n' }, `subject\n\n${'y'.repeat(400)}`);
  const [cut, full] = [await why(repo, 'a.ts:1'), await why(repo, 'a.ts:1', { full: true })];
  assert.equal(cut.commits.list[0].body, `${body.slice(0, 400)}…`);
  assert.equal(full.commits.list[0].body, body);
  assert.equal((await why(repo, 'b.ts:1')).commits.list[0].body, 'y'.repeat(400));
  assert.match(written(cut), /\n[^\n]*first\n[^\n]*second\n[^\n]*third\n[^\n]*fourth\n +\S* ?…\n$/);
  assert.match(written(full, true), /\n[^\n]*fifth\n[^\n]*x{500}\n$/);
});

test('where older versions are missing, the commits that changed the file are told, and that they were', async () => {
  const repo = createRepo();
  for (const n of [1, 2]) repo.commit({ 'a.ts': `${n}\n`, 'b.ts': 'b\n' }, `change ${n}`);
  repo.commit({ 'b.ts': 'c\n' }, 'other');
  repo.git('config', 'uploadpack.allowFilter', 'true');
  const partial = cloneRepo(repo, '--filter=blob:none');
  const found = await why(partial, 'a.ts:1');
  assert.deepEqual([found.basis, told(found), found.uncommitted], ['file', ['change 2 0', 'change 1 0'], 0]);
  assert.match(
    written(found),
    /^[^\n]+\nthis clone lacks old versions of the file, so these commits changed the file, not always these lines\n/,
  );
});
