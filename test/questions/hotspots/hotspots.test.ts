/** Hotspots: files and functions by how often they change, how complex they are, and how much rests on them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerHotspots, hotspotsText, hottestFirst } from '../../../src/questions/hotspots/answer.js';
import {
  type Hotspot,
  type HotspotsDocument,
  type HotspotsValues,
  hotspotsSchema,
} from '../../../src/questions/hotspots/question.js';
import { check } from '../../support/check.js';
import { documentOf, PLAIN } from '../../support/in-process/document.js';
import { createRepo } from '../../support/repositories/repo.js';

const hot = (n: number) =>
  `export function hot(a: number): number {\n  if (a > 1) {\n    for (;;) {\n      a += ${n};\n    }\n  }\n  return a;\n}\n\nexport function still(a: number): number {\n  if (a > 1) {\n    return 1;\n  }\n  return 2;\n}\n`;
const user =
  "import { hot } from './hot';\n\nexport function use(): number {\n  const inner = () => hot(2);\n  return hot(1) + inner();\n}\n";

const repo = createRepo();
repo.commit({ 'src/use.ts': user, 'src/calm.ts': hot(0), 'readme.md': 'x', 'gone.ts': 'export {};\n' }, 'first');
for (let n = 1; n <= 3; n++) repo.commit({ 'src/hot.ts': hot(n), 'test/hot.test.ts': hot(n) }, `heat ${n}`);
repo.git('rm', '-q', 'gone.ts');
repo.commit({}, 'gone');

const asked = async (values: Partial<HotspotsValues> = {}): Promise<HotspotsDocument> =>
  check(hotspotsSchema, await documentOf(repo, (at) => answerHotspots(at, { limit: 20, ...values } as HotspotsValues)));
const paths = ({ hotspots }: HotspotsDocument) => hotspots.list.map(({ path }) => path);

test('files are ranked by a product whose factors are told; tests, text and files that are gone are counted', async () => {
  const document = await asked();
  const { hotspots, aside, compared, since } = document;
  assert.deepEqual(
    hotspots.list.map(({ path, commits, complexity, codeLines }) => [path, commits, complexity, codeLines]),
    [
      ['src/hot.ts', 3, 11, 9],
      ['src/calm.ts', 1, 11, 9],
      ['src/use.ts', 1, 2, 4],
    ],
  );
  assert.ok(!('uses' in hotspots.list[0]));
  assert.equal(hotspots.list[0].centrality, 1, 'the others rest on it most');
  assert.ok(hotspots.list[1].centrality < 1);
  for (const { heat, churn, centrality, complexity } of hotspots.list)
    assert.equal(heat, Number((churn * centrality * complexity).toPrecision(3)));
  assert.deepEqual([aside, compared, since], [{ tests: 1, others: 2 }, undefined, undefined]);
  assert.match(hotspots.list[0].last ?? '', /^2024-01-02T/);
});

test('paths, tests and a limit choose; what is cut is counted', async () => {
  assert.deepEqual(paths(await asked({ paths: ['test'], tests: true })), ['test/hot.test.ts']);
  assert.deepEqual((await asked({ tests: true })).aside, { tests: 0, others: 2 });
  assert.deepEqual(paths(await asked({ paths: ['src/calm.ts', 'src/use.ts'] })), ['src/calm.ts', 'src/use.ts']);
  const one = await asked({ limit: 1 });
  assert.deepEqual([paths(one), one.hotspots.leftOut], [['src/hot.ts'], 2]);
  await assert.rejects(asked({ paths: ['scr'] }), /no file or directory scr is known at/);
});

test('a function that changed is a hotspot with its uses, a local one is none', async () => {
  const { hotspots, compared } = await asked({ symbols: true });
  assert.deepEqual(
    hotspots.list.map(({ symbol, path, commits, complexity, uses }) => [symbol, path, commits, complexity, uses]),
    [
      ['hot', 'src/hot.ts', 3, 7, 2],
      ['hot', 'src/calm.ts', 1, 7, 0],
      ['still', 'src/hot.ts', 1, 4, 0],
      ['still', 'src/calm.ts', 1, 4, 0],
      ['use', 'src/use.ts', 1, 2, 0],
    ],
  );
  assert.deepEqual(compared, { files: 3, commits: 4 });
});

test('another ref has the hotspots of its past, and a date leaves older commits out', async () => {
  const { hotspots } = await asked({ ref: 'HEAD~3' });
  assert.equal(hotspots.list.find(({ path }) => path === 'src/hot.ts')?.commits, 1);
  assert.deepEqual(paths(await asked({ since: '2024-01-02T03:04:05Z' })).length, 3, 'the date itself counts');
  const none = await asked({ since: '2999-01-01' });
  assert.deepEqual([none.hotspots.list, none.since], [[], '2999-01-01']);
  assert.match(
    hotspotsText(none, PLAIN),
    /^no code changed often enough to be a hotspot\nonly commits since 2999-01-01\n/,
  );
});

test('the text is a table with a head, what its numbers mean, and what was left out', async () => {
  const [head, names, first, , , churn, depth, tests, others, window, none] = hotspotsText(await asked(), PLAIN).split(
    '\n',
  );
  assert.equal(head, 'heat = churn x centrality x complexity, a number without a unit');
  assert.match(names, /^ *heat {2}churn {2}centrality {2}complexity$/);
  assert.match(first, /^ *\d+(?:\.\d+)? {2} *2\.9\d {2} +1 {2} +11 {2}src\/hot\.ts {2}3 commits, 9 lines of code$/);
  assert.match(churn, /centrality: 1 for the file/);
  assert.match(depth, /^complexity: depth of indentation/);
  assert.equal(tests, '1 changed test file left out: --tests');
  assert.equal(others, '2 changed files left out: deleted, generated, vendored, text or data');
  assert.match(window, /^from all 5 commits since 2024-01-02/);
  assert.equal(none, '');
  const functions = hotspotsText(await asked({ symbols: true, limit: 1 }), PLAIN);
  assert.match(functions, /src\/hot\.ts:1 {2}hot {2}3 commits, 2 uses, 5 lines of code\n {2}… 4 more: raise --limit\n/);
  assert.match(
    functions,
    /centrality: log2\(2 \+ uses\)\n[^\n]*\nfunctions of the 3 hottest files, by the newest 4 commits that/,
  );
});

test('of equal heat the one that changed more is first, then the order of paths and lines decides', () => {
  const spots = [
    { heat: 1, churn: 2, path: 'b', startLine: 1 },
    { heat: 2, churn: 1, path: 'z', startLine: 9 },
    { heat: 1, churn: 2, path: 'a', startLine: 5 },
    { heat: 1, churn: 3, path: 'c', startLine: 1 },
    { heat: 1, churn: 2, path: 'a', startLine: 4 },
  ] as Hotspot[];
  for (const list of [[...spots].reverse(), [...spots].sort((a, b) => a.startLine - b.startLine), spots]) {
    const order = list.sort(hottestFirst).map(({ path, startLine }) => `${path}${startLine}`);
    assert.deepEqual(order, ['z9', 'c1', 'a4', 'a5', 'b1']);
  }
});

test('functions are counted by themselves: what changed them, strings, comments and keys of objects say nothing', async () => {
  const sized = createRepo();
  sized.commit({
    'src/a.ts': [
      'export function plain(a: number, b = 1, ...rest: number[]): string {',
      '  // if while for && ||',
      "  const words = { if: 1, for: 2 } as const; return `if && ||` + rest.join(' if ') + words.for;",
      '}',
      'export function deep(a: number): number {',
      '  for (const b of [a]) {',
      '    if (b > 1 && a > 1 && b > a) {',
      '      return a > 2 ? 1 : 2;',
      '    } else if (b < 0 || a < 0) {',
      '      return 3;',
      '    }',
      '  }',
      '  const inner = (c: number) => {',
      '    while (c > 1) c--;',
      '    return c;',
      '  };',
      '  return inner(a);',
      '}',
    ].join('\n'),
    'src/b.py': [
      'def choose(a, b, *, c=None):',
      '    """Chooses if a or b',
      '    and c are for one."""',
      '    if a and b:',
      '        return [x for x in a if x or b]',
      '    elif b:',
      '        return c',
      '    return dict(a=1)',
    ].join('\n'),
    'test/a.test.ts': 'export function helper() { if (1) return 2; }\n',
  });
  const { functions, hotspots } = check(
    hotspotsSchema,
    await documentOf(sized, (at) => answerHotspots(at, { limit: 20, functions: true } as HotspotsValues)),
  );
  assert.deepEqual(
    functions?.list.map(({ symbol, cyclomatic, cognitive, lines, parameters }) =>
      [symbol, cyclomatic, cognitive, lines, parameters].join(' '),
    ),
    ['deep 8 9 14 1', 'choose 7 8 8 3', 'deep.inner 2 1 4 1', 'plain 1 0 4 3'],
  );
  assert.deepEqual(hotspots.list, []);
});
