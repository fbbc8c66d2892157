/** `conflicts --plan`: an order for merges, and branches that break each other though git merges them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { type PlanDocument, planSchema } from '../../../src/questions/conflicts/question.js';
import { check } from '../../support/check.js';
import { cli } from '../../support/in-process/cli.js';
import { CLI } from '../../support/processes/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../../support/repositories/repo.js';

const PRICE = `export function price(id: string): number {
  return id.length;
}

export function tax(n: number): number {
  return n * 2;
}

export abstract class Rate {
  abstract first(): number;

  second(): number {
    return 2;
  }
}
`;
const OTHER = 'export const other = 1;\n';
const edit = (text: string, from: string, to: string) => {
  assert.ok(text.includes(from), from);
  return text.replace(from, to);
};

/** Each pair is two branches of main: what the one changes, and what the other adds. */
function branches(pairs: Record<string, Record<string, string | null>>, base: Record<string, string>): TestRepo {
  const repo = createRepo();
  repo.commit(base, 'base');
  for (const [name, files] of Object.entries(pairs)) {
    repo.git('checkout', '-q', '-b', name, 'main');
    for (const [path, text] of Object.entries(files)) if (text === null) repo.git('rm', '-q', path);
    repo.commit(
      Object.fromEntries(Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text]]))),
      name,
    );
  }
  repo.git('checkout', '-q', 'main');
  return repo;
}

async function plan(repo: TestRepo, ...args: string[]): Promise<PlanDocument> {
  const { stdout, stderr } = await cli(['conflicts', '--plan', ...args, '--json'], { cwd: repo.dir });
  assert.notEqual(stdout, '', stderr);
  return check(planSchema, JSON.parse(stdout));
}

const shown = ({ breaks }: PlanDocument) =>
  breaks.list.map(
    ({ kind, certainty, changer, change, user, use }) =>
      `${certainty} ${kind}: ${changer} ${change.what} ${change.symbol ?? change.path}, ${user} ${use.path}:${use.line}`,
  );

const OWN =
  "import { Rate } from './price';\n\nexport class Own extends Rate {\n  first(): number {\n    return 1;\n  }\n}\n";

const KINDS: Record<
  string,
  [changes: Record<string, string | null>, adds: Record<string, string | null>, finding: string]
> = {
  'a function is renamed, a call of it is added': [
    { 'src/price.ts': edit(PRICE, 'function price', 'function cost') },
    { 'src/cart.ts': "import { price } from './price';\n\nexport const total = () => price('x');\n" },
    'certain gone: a renamed price, b src/cart.ts:1',
  ],
  'a function gets a parameter, a call without it is added': [
    { 'src/price.ts': edit(PRICE, 'tax(n: number)', 'tax(n: number, m: number)') },
    { 'src/cart.ts': "import { tax } from './price';\n\nexport const total = () => tax(1);\n" },
    'certain arguments: a declared tax, b src/cart.ts:3',
  ],
  'a file is moved, an import of it is added': [
    { 'src/other.ts': null, 'src/lib/other.ts': OTHER },
    { 'src/cart.ts': "import { other } from './other';\n\nexport const total = other;\n" },
    'certain gone: a removed src/other.ts, b src/cart.ts:1',
  ],
  'a class demands a member, a class below it is added': [
    { 'src/price.ts': edit(PRICE, '  second()', '  abstract third(): number;\n\n  second()') },
    { 'src/own.ts': OWN },
    'certain demanded: a demanded Rate.third, b src/own.ts:3',
  ],
  'a member is renamed, a member that overrides it is added': [
    { 'src/price.ts': edit(PRICE, '  second()', '  deuxieme()') },
    { 'src/own.ts': edit(OWN, '  first()', '  override second(): number {\n    return 3;\n  }\n\n  first()') },
    'certain override: a renamed Rate.second, b src/own.ts:4',
  ],
  'both add a function of one name': [
    { 'src/price.ts': `export function extra() {\n  return 1;\n}\n\n${PRICE}` },
    { 'src/price.ts': `${PRICE}\nexport function extra() {\n  return 2;\n}\n` },
    'certain twice: a added extra, b src/price.ts:17',
  ],
};

for (const [name, [changes, adds, finding]] of Object.entries(KINDS)) {
  test(`${name}: git merges both, and the plan names both sides`, async () => {
    const repo = branches({ a: changes, b: adds }, { 'src/price.ts': PRICE, 'src/other.ts': OTHER });
    const document = await plan(repo);
    assert.deepEqual(shown(document), [finding]);
    assert.equal(document.conflicts.list.length, 0);
    assert.deepEqual(
      document.order.list.map(({ breaks }) => breaks),
      [0, 1],
    );
  });
}

/** Each a parent, how it demands one member more, and a type below it that has none of that name. */
const DEMANDS: Record<string, [path: string, parent: string, from: string, to: string, own: string, symbol: string]> = {
  'an interface of TypeScript': [
    'rate.ts',
    'export interface Rate {\n  first(): number;\n}\n',
    '}\n',
    '  third(): number;\n}\n',
    "import type { Rate } from './rate';\n\nexport class Own implements Rate {\n  first() {\n    return 1;\n  }\n}\n",
    'Rate.third',
  ],
  'a trait of PHP': [
    'Rate.php',
    '<?php\ntrait Rate {\n    public function first() { return 1; }\n}\n',
    '}\n}',
    '}\n    abstract public function third();\n}',
    '<?php\nrequire "Rate.php";\nclass Own {\n    use Rate;\n}\n',
    'Rate.third',
  ],
  'a trait of Rust': [
    'src/rate.rs',
    'pub trait Rate {\n    fn first(&self) -> u32;\n}\n',
    'u32;\n}',
    'u32;\n    fn third(&self) -> u32;\n}',
    'use crate::rate::Rate;\n\npub struct Own;\n\nimpl Rate for Own {\n    fn first(&self) -> u32 {\n        1\n    }\n}\n',
    'Rate.third',
  ],
};
for (const [name, [path, parent, from, to, own, symbol]] of Object.entries(DEMANDS)) {
  test(`${name} demands a member, and a type below it is added`, async () => {
    const beside = path.replace(/rate(?=\.\w+$)/i, 'own');
    const repo = branches({ a: { [path]: edit(parent, from, to) }, b: { [beside]: own } }, { [path]: parent });
    const { list } = (await plan(repo)).breaks;
    const found = new Set(list.map(({ kind, change, use }) => `${kind} ${change.symbol} ${use.path}`));
    assert.deepEqual([...found], [`demanded ${symbol} ${beside}`]);
  });
}

const SELECT = 'package store\n\ntype Reader interface {\n\tSelect(name string) (int, error, bool)\n\tFirst() int\n}\n';
const RESULTS: Record<string, [from: string, to: string, line: string, finding: string | null]> = {
  'one more': ['First() int', 'First() (int, error)', 'n := r.First()', 'certain'],
  'another order': ['(int, error, bool)', '(int, bool, error)', 'n, err, _ := r.Select("a")\n\tprintln(err)', 'likely'],
  'others, which the line ignores': ['First() int', 'First() (int, error)', 'n := 1\n\tr.First()', null],
  'another name': ['(int, error, bool)', '(count int, err error, isNew bool)', 'n, _, _ := r.Select("a")', null],
};
for (const [name, [from, to, line, certainty]] of Object.entries(RESULTS)) {
  test(`a function gives results, ${name}, and a call that takes the former ones is added`, async () => {
    const use = `package store\n\nfunc Use(r Reader) int {\n\t${line}\n\treturn n\n}\n`;
    const repo = branches(
      { a: { 'store/reader.go': edit(SELECT, from, to) }, b: { 'store/use.go': use } },
      { 'store/reader.go': SELECT, 'go.mod': 'module example.com/shop\n' },
    );
    const member = from.startsWith('First') ? 'First' : 'Select';
    const finding = `${certainty} results: a declared Reader.${member}, b store/use.go:4`;
    assert.deepEqual(shown(await plan(repo)), certainty === null ? [] : [finding]);
  });
}

test('a line around a use that the changer itself goes on writing is no break', async () => {
  const options =
    "import type { Public } from 'outside';\n\nexport interface Options extends Partial<Public> {\n  alt?: boolean;\n  wide?: boolean;\n}\n";
  const term =
    "import type { Options } from './options';\n\nexport class Term {\n  options: Options = {};\n\n  key(ctrl: boolean, meta: boolean) {\n    return this.options.alt && ctrl && meta;\n  }\n}\n";
  const repo = branches(
    {
      a: { 'src/options.ts': edit(options, '  alt?: boolean;\n', '') },
      b: { 'src/term.ts': edit(term, ' && ctrl', '') },
    },
    { 'src/options.ts': options, 'src/term.ts': term },
  );
  assert.deepEqual(shown(await plan(repo)), []);
});

test('what both sides change in sound ways breaks nothing', async () => {
  const repo = branches(
    {
      a: { 'src/price.ts': edit(PRICE, 'id.length', 'id.length + 1') },
      b: { 'src/cart.ts': "import { price } from './price';\n\nexport const total = () => price('x');\n" },
      // Renames price, and has a call of its own that it renames, too.
      c: {
        'src/price.ts': edit(PRICE, 'function tax', 'function levy'),
        'src/own.ts': "import { levy } from './price';\n\nexport const own = () => levy(1);\n",
      },
    },
    { 'src/price.ts': PRICE },
  );
  const document = await plan(repo);
  assert.deepEqual(shown(document), []);
  assert.equal(document.clean, 3);
});

test('what breaks in one branch alone is no finding of a pair', async () => {
  const repo = branches(
    { a: { 'src/price.ts': edit(PRICE, 'function price', 'function cost') }, b: { 'src/more.ts': OTHER } },
    {
      'src/price.ts': PRICE,
      'src/cart.ts': "import { price } from './price';\n\nexport const total = () => price('x');\n",
    },
  );
  assert.deepEqual(shown(await plan(repo)), []);
});

test('a branch that left before the branch it is merged into changed what it uses', async () => {
  const repo = branches(
    { b: { 'src/cart.ts': "import { price } from './price';\n\nexport const total = () => price('x');\n" } },
    { 'src/price.ts': PRICE },
  );
  repo.commit({ 'src/price.ts': edit(PRICE, 'function price', 'function cost') }, 'renamed');
  assert.deepEqual(shown(await plan(repo)), ['certain gone: HEAD renamed price, b src/cart.ts:1']);
});

test('branches that git cannot merge come last, with their files', async () => {
  const repo = branches(
    {
      a: { 'src/price.ts': edit(PRICE, 'id.length', 'id.length + 1') },
      b: { 'src/price.ts': edit(PRICE, 'id.length', 'id.length + 2') },
      c: { 'src/other.ts': OTHER },
    },
    { 'src/price.ts': PRICE },
  );
  const { order, clean, conflicts } = await plan(repo);
  assert.equal(clean, 2);
  assert.equal(order.list[2].conflicts, 1);
  assert.deepEqual(conflicts.list, [{ a: 'a', b: 'b', files: [{ path: 'src/price.ts', kind: 'contents' }] }]);
});

test('branches without a common history, names like options and broken blobs leave the others answered', async () => {
  const repo = branches(
    {
      a: { 'src/price.ts': edit(PRICE, 'function price', 'function cost') },
      b: {
        'src/cart.ts': "import { price } from './price';\n\nexport const total = () => price('x');\n",
        'src/bad.ts': Buffer.from([0xff, 0xfe, 0, 0x7b, 0x28]).toString('latin1'),
      },
    },
    { 'src/price.ts': PRICE },
  );
  const tree = repo.git('rev-parse', 'main^{tree}');
  for (let i = 0; i < 50; i++) {
    const commit = repo.git('commit-tree', '-m', `alone ${i}`, tree);
    repo.git('update-ref', `refs/heads/--alone=${i}`, commit);
  }
  const document = await plan(repo);
  assert.deepEqual(shown(document), ['certain gone: a renamed price, b src/cart.ts:1']);
  assert.equal(document.unknown.length, 50);
  const { code, stderr } = await cli(['conflicts', '--plan', '--', '--output=x'], { cwd: repo.dir });
  assert.equal(code, 2);
  assert.match(stderr, /--output=x/);
});

test('work trees are planned with their uncommitted files, and nothing is written to a ref', async () => {
  const repo = branches(
    { a: { 'src/price.ts': edit(PRICE, 'function price', 'function cost') }, b: {} },
    { 'src/price.ts': PRICE },
  );
  const tree = join(makeDirectory(), 'agent');
  repo.git('worktree', 'add', '-q', tree, 'b');
  writeFileSync(
    join(tree, 'src/cart.ts'),
    "import { price } from './price';\n\nexport const total = () => price('x');\n",
  );
  const refs = repo.git('for-each-ref', 'refs/heads');
  const document = await plan(repo);
  assert.deepEqual(shown(document), ['certain gone: a renamed price, b src/cart.ts:1']);
  assert.deepEqual(document.order.list.map(({ name, uncommitted }) => `${name} ${uncommitted}`).sort(), ['a 0', 'b 1']);
  assert.equal(repo.git('for-each-ref', 'refs/heads'), refs);
});

test('a plan is kept: when one branch moves on, the answer is that of its new commit', async () => {
  const repo = branches(
    {
      a: { 'src/price.ts': edit(PRICE, 'function price', 'function cost') },
      b: { 'src/cart.ts': "import { price } from './price';\n\nexport const total = () => price('x');\n" },
    },
    { 'src/price.ts': PRICE },
  );
  const first = await plan(repo);
  assert.deepEqual(await plan(repo), first);
  repo.git('checkout', '-q', 'b');
  repo.commit({ 'src/cart.ts': "import { tax } from './price';\n\nexport const total = () => tax(1);\n" }, 'mended');
  repo.git('checkout', '-q', 'main');
  assert.deepEqual(shown(await plan(repo)), []);
});

test('--watch says what another work tree begins to change, once', async () => {
  const user = "import { price } from './price';\n\nexport const total = () => price('x');\n";
  const repo = branches({ b: {} }, { 'src/price.ts': PRICE });
  const tree = join(makeDirectory(), 'agent');
  repo.git('worktree', 'add', '-q', tree, 'b');
  writeFileSync(join(repo.dir, 'src/cart.ts'), user);
  const child = spawn(process.execPath, [CLI, 'conflicts', '--watch', '--json'], { cwd: repo.dir });
  try {
    const lines: string[] = [];
    const said = new Promise<void>((resolve) =>
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        resolve();
      }),
    );
    writeFileSync(join(tree, 'src/price.ts'), edit(PRICE, 'price(id: string)', 'price(id: string, currency: string)'));
    await said;
    const { name, uses } = JSON.parse(lines[0]) as { name: string; uses: { list: { path: string }[] } };
    assert.equal(name, 'b');
    assert.equal(uses.list[0].path, 'src/cart.ts');
  } finally {
    child.kill('SIGKILL');
  }
});
