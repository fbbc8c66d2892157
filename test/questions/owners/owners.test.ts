/** Owners by commits and by lines, of files and symbols, under the names of a mailmap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerImpact } from '../../../src/questions/graph/impact/answer.js';
import { answerOwners, ownersBlocks } from '../../../src/questions/owners/answer.js';
import { type OwnersDocument, type OwnersValues, ownersSchema } from '../../../src/questions/owners/question.js';
import { writtenText } from '../../../src/questions/view.js';
import { check } from '../../support/check.js';
import { documentOf, PLAIN } from '../../support/in-process/document.js';
import { cloneRepo, createRepo, type TestRepo } from '../../support/repositories/repo.js';

const cart = (rate: number) =>
  `export function total(): number {\n  return ${rate};\n}\n\nexport function other(): number {\n  return 1;\n}\n`;

function twoAuthors(): TestRepo {
  const repo = createRepo();
  repo.commit({ 'cart.ts': cart(1), 'tax.ts': '1\n', 'src/a.ts': 'export {};\n' }, 'first');
  for (let n = 2; n <= 4; n++) {
    repo.write({ 'cart.ts': cart(n), 'tax.ts': `${n}\n` });
    repo.git('commit', '-qam', `rate ${n}`, '--author=Bob Old <bob@old.example>', `--date=2024-02-0${n}T00:00:00Z`);
  }
  return repo;
}
const repo = twoAuthors();

const asked = async (paths: string[], values: Partial<OwnersValues> = {}, from = repo): Promise<OwnersDocument> =>
  check(
    ownersSchema,
    await documentOf(from, (at) => answerOwners(at, { paths, limit: 10, ...values } as OwnersValues)),
  );
const told = ({ method, owners }: OwnersDocument) => [
  method,
  ...owners.list.map(({ author, lines, commits }) => [author, lines, commits]),
];

test('by commits the busiest comes first, by lines the author of what stands, of a symbol of its own lines', async () => {
  const byCommits = await asked(['cart.ts']);
  assert.deepEqual(told(byCommits), ['commits', ['Bob Old', undefined, 3], ['A U Thor', undefined, 1]]);
  assert.deepEqual(
    [byCommits.files, byCommits.changes, byCommits.unread, byCommits.missing],
    [1, 4, undefined, undefined],
  );
  const byLines = await asked(['cart.ts'], { lines: true });
  assert.deepEqual(told(byLines), ['lines', ['A U Thor', 6, 1], ['Bob Old', 1, 1]]);
  assert.deepEqual([byLines.unread, byLines.missing], [0, undefined]);
  const [first, second] = byLines.owners.list;
  assert.deepEqual([first.share, second.share, second.last?.slice(0, 10)], [6 / 7, 1 / 7, '2024-02-04']);
  const ofSymbol = await asked(['total']);
  assert.deepEqual(told(ofSymbol), ['lines', ['A U Thor', 2, 1], ['Bob Old', 1, 1]]);
  assert.equal(ofSymbol.changes, 4);
});

test('without a path all files count, several add up, and a limit counts the rest', async () => {
  const all = await asked([]);
  assert.deepEqual([all.files, all.changes], [3, 4]);
  assert.deepEqual(told(await asked(['tax.ts', 'total'])), ['lines', ['A U Thor', 2, 1], ['Bob Old', 2, 1]]);
  const { owners } = await asked(['src', 'cart.ts'], { limit: 1 });
  assert.deepEqual([owners.list.map(({ author }) => author), owners.leftOut], [['Bob Old'], 1]);
});

test('of equal lines the name decides, and where too many files are named, those that changed most are read', async () => {
  assert.deepEqual(told(await asked(['tax.ts', 'src'], { lines: true })), [
    'lines',
    ['A U Thor', 1, 1],
    ['Bob Old', 1, 1],
  ]);
  const many = createRepo();
  const names = Array.from({ length: 51 }, (_, i) => `f${String(i).padStart(2, '0')}`);
  // A commit of more than 30 files would not count.
  for (const some of [names.slice(0, 25), names.slice(25)])
    many.commit(Object.fromEntries(some.map((name) => [name, 'x\n'])));
  many.write({ f50: 'y\n' });
  many.git('commit', '-qam', 'again', '--author=Bob Old <bob@old.example>');
  const { owners, unread, files } = await asked([], { lines: true }, many);
  assert.deepEqual(
    [owners.list.map(({ author, lines }) => [author, lines]), unread, files],
    [
      [
        ['A U Thor', 49],
        ['Bob Old', 1],
      ],
      1,
      51,
    ],
  );
});

test('a path that is none is refused as one, and another name as a symbol', async () => {
  await assert.rejects(asked(['src/none.ts']), /no file or directory src\/none\.ts is known at/);
  await assert.rejects(asked(['nothing']), (error: Error) => !/no file or directory/.test(error.message));
});

test('lines are referred to the question about lines', async () => {
  const hint = 'Who wrote them, and why: git socraticode why src/none.ts:1-2';
  await assert.rejects(asked(['src/none.ts:1-2']), { code: 'BAD_ARGUMENT', hint });
});

test('authors go by the names of the mailmap', async () => {
  const named = twoAuthors();
  named.commit({ '.mailmap': 'Robert New <bob@new.example> <bob@old.example>\n' }, 'names');
  for (const lines of [false, true]) {
    const { owners } = await asked(['cart.ts'], { lines }, named);
    assert.deepEqual(owners.list.map(({ author }) => author).sort(), ['A U Thor', 'Robert New']);
  }
});

test('the impact of a file names what usually changes with it, where that is asked for', async () => {
  const impact = await documentOf(repo, (at) =>
    answerImpact(at, { target: 'cart.ts', coupled: true, depth: 3, limit: 20 } as never),
  );
  const { coupled } = impact as { coupled?: { list: { path: string; together: number; of: number }[] } };
  assert.deepEqual(
    coupled?.list.map(({ path, together, of }) => [path, together, of]),
    [['tax.ts', 4, 4]],
  );
});

test('in a partial clone, files whose older versions are missing are counted, and where all are, the way out is said', async () => {
  const full = twoAuthors();
  full.commit({ 'new.ts': 'export const one = 1;\n' });
  full.git('config', 'uploadpack.allowFilter', 'true');
  const partial = cloneRepo(full, '--filter=blob:none');
  const some = await asked(['cart.ts', 'new.ts'], { lines: true }, partial);
  assert.deepEqual([some.missing, some.owners.list.length], [1, 1]);
  assert.match(
    writtenText(ownersBlocks(some, PLAIN), PLAIN.pen),
    /\n1 file not read: older versions are missing here\n$/,
  );
  await assert.rejects(asked(['cart.ts'], { lines: true }, partial), (error: Error & { hint?: string }) => {
    assert.match(error.message, /this clone lacks older versions of cart\.ts/);
    return /^Without lines, files are asked about by their commits/.test(error.hint ?? '');
  });
});

test('the text says how each share was counted, and how far back', async () => {
  const byCommits = writtenText(ownersBlocks(await asked(['cart.ts']), PLAIN), PLAIN.pen).split('\n');
  assert.equal(byCommits[0], 'cart.ts changed in 4 commits');
  assert.equal(byCommits[1], '   75%  Bob Old  3 commits, last 2024-02-04');
  assert.match(byCommits[3], /^from all 4 commits since 2024-01-02; newer ones weigh more$/);
  const byLines = writtenText(ownersBlocks(await asked([], { lines: true, limit: 1 }), PLAIN), PLAIN.pen);
  assert.match(
    byLines,
    /^this repository \(3 files\): who wrote the lines that stand there\n {3}78% {2}A U Thor {2}7 lines, 1 commit, last/,
  );
  assert.match(byLines, /\n {2}… 1 more: raise --limit\n$/, 'lines are followed to the end of the history');
  const cut = writtenText(
    ownersBlocks({ ...(await asked(['cart.ts'], { lines: true })), unread: 2 }, PLAIN),
    PLAIN.pen,
  );
  assert.match(cut, /\n2 files not read: only the 50 files that changed most\n$/);
});
