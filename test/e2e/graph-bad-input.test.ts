/** `graph` with bad input and hostile repositories: a clear line, what is near, nothing that a terminal would obey. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { before, test } from 'node:test';
import { runCli } from '../../src/cli/program.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const repo = createRepo();

before(() => {
  repo.commit({
    'src/shop/cart.ts':
      'export class Cart {\n  total(): number {\n    return round(1.5);\n  }\n}\n\nfunction round(n: number) {\n  return n;\n}\n',
    'src/app.ts': "import { Cart } from './shop/cart';\n\nexport function run() {\n  new Cart().total();\n}\n",
  });
  repo.git('tag', 'v1');
});

/** In this process: a start for each of so many commands would take most of the time. */
async function graph(args: readonly string[], { dir }: TestRepo = repo) {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough(), stdin: new PassThrough() };
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) streams[name].on('data', (text) => (said[name] += String(text)));
  const code = await runCli(['node', 'git-socraticode', '-C', dir, 'graph', ...args], { ...streams, env: {} });
  await new Promise(setImmediate);
  return { code, ...said };
}

test('bad input: a clear line, what is near, exit code 2', async () => {
  const cases: [string[], RegExp][] = [
    [['deps', 'src/shop/crt.ts'], /no file src\/shop\/crt\.ts.*\n {2}Did you mean src\/shop\/cart\.ts\?/],
    [['deps', '../../etc/passwd'], /outside of this repository/],
    [['deps', '/etc/passwd'], /outside of this repository/],
    [['deps', 'src'], /no file src .*\n.*src\/ is a directory/],
    [['symbol', 'Cart.totl'], /no symbol Cart\.totl .*\n {2}Did you mean Cart\.total/],
    [['symbol', 'src/app.ts'], /no symbol but a file\n.*src\/app\.ts:NAME, or ask for its outline/],
    [['symbol', 'src/app.ts:9999'], /has no line 9999/],
    [['symbols', '--kind', 'nonsense'], /unknown kind: nonsense/],
    [['impact', 'v1..nowhere'], /nowhere/],
    [['impact', 'round', '--depth', '11'], /--depth takes a whole number from 1 to 10, not 11/],
    [['impact', 'round', '--min-confidence', '2'], /from 0 to 1/],
    [['impact', '--ref', 'v1'], /about uncommitted changes/],
    [['impact', ''], /no symbol or file is named/],
    [['path', 'round', 'round'], /are the same/],
    [['flow', 'round', '--limit', '0'], /--limit takes a whole number from 1 to 10,000, not 0/],
    [['deps', 'src/app.ts', '--ref', 'nowhere'], /nowhere/],
    [['nonsense'], /unknown command 'graph nonsense'/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await graph(args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message, args.join(' '));
    assert.doesNotMatch(stderr, /bug in git-socraticode/, args.join(' '));
  }
});

test('hostile names stay visible in every answer; a file that does not parse keeps what its tree recovered', async () => {
  const hostile = createRepo();
  const name = 'src/\x1b[2Jx\n.ts';
  hostile.commit({
    [name]: 'export function f() { return g(); }\nexport function g() {}\n',
    'src/broken.ts': 'export function whole() { part(); }\nfunction part() {}\nclass { ((( \n',
    'src/__proto__.ts': 'export class constructor { toString() {} __proto__() { this.toString(); } }\n',
  });
  const text = async (args: string[]) => {
    const { code, stdout, stderr } = await graph(args, hostile);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    return stdout;
  };
  for (const args of [
    ['symbol', 'g'],
    ['impact', 'g'],
    ['flow', 'f'],
    ['stats'],
    ['symbols'],
    ['references', 'g'],
    ['flow'],
  ]) {
    const out = await text(args);
    assert.ok(!out.includes('\x1b') && !out.includes('x\n.ts'), args.join(' '));
  }
  assert.match(await text(['symbol', 'part']), /called from 1 place/);
  assert.match(await text(['symbol', 'toString']), /called from 1 place/);
});
