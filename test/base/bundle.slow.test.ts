/** A bundle answers as the modules do, parsers included, keeps what V8 compiled, and is left alone where that cannot be kept or is damaged. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../house/root.js';
import { createRepo } from '../support/repositories/repo.js';
import { shop } from '../support/repositories/shop.js';

const CHECKOUT = fileURLToPath(ROOT);
/** A copy of the program, whose bundle no other test uses. */
const place = mkdtempSync(join(tmpdir(), 'socraticode-bundle-'));
const program = join(place, 'build/src');
const kept = join(program, 'code');
const repo = shop();

before(() => {
  cpSync(join(CHECKOUT, 'build/src'), program, { recursive: true });
  for (const name of readdirSync(CHECKOUT))
    if (name !== '.git' && name !== 'build') symlinkSync(join(CHECKOUT, name), join(place, name));
  // The most open one.
  process.umask(0);
  execFileSync(process.execPath, [join(CHECKOUT, 'release/bundle.mjs'), program]);
});
after(() => rmSync(place, { recursive: true, force: true }));

/** Output of the program. */
function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const main = join(program, 'cli/main.js');
  return execFileSync(process.execPath, [main, ...args], {
    cwd: repo.dir,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}
/** Any option of Node makes it run modules. */
const byModules = (args: readonly string[]): string => run(args, { NODE_OPTIONS: '--no-deprecation' });

test('a bundle answers as the modules do', () => {
  byModules(['index']);
  assert.deepEqual(readdirSync(program).includes('code'), false, 'modules keep nothing');
  for (const args of [
    ['search', 'how is a price computed'],
    ['search', 'total', '--json'],
    ['grep', 'total'],
    ['graph', 'impact', 'Cart.total'],
    ['review', 'HEAD~..HEAD'],
    ['graph', 'visualize', '--format', 'html', '--output', '-'],
    ['help', 'search'],
  ]) {
    const expected = byModules(args);
    assert.equal(run(args), expected, args.join(' '));
    assert.equal(run(args), expected, `${args.join(' ')}, from compiled code`);
  }
});

test('compiled code is kept for each command that answered, where its user alone can write', () => {
  for (const path of [kept, join(kept, readdirSync(kept)[0])]) assert.equal(statSync(path).mode & 0o022, 0);
  const names = readdirSync(kept).map((name) => name.split('-v')[0]);
  assert.deepEqual(names.sort(), ['graph', 'grep', 'help', 'review', 'search']);
});

test('an answer that found nothing keeps its code like any other, and a command that failed keeps none', () => {
  for (const name of readdirSync(kept)) if (name.startsWith('grep-')) rmSync(join(kept, name));
  assert.throws(() => run(['grep', 'no_line_has_this']), { status: 1 });
  assert.throws(() => run(['no-such-command']), { status: 2 });
  const names = readdirSync(kept);
  assert.ok(names.some((name) => name.startsWith('grep-')));
  assert.ok(!names.some((name) => name.startsWith('no-such-command-')));
});

test('compiled code that is damaged is not run, and made anew', () => {
  const [name] = readdirSync(kept).filter((each) => each.startsWith('grep'));
  const path = join(kept, name);
  const bytes = readFileSync(path);
  for (const damaged of [bytes.subarray(0, 1000), Buffer.alloc(bytes.length), Buffer.alloc(0)]) {
    writeFileSync(path, damaged);
    assert.equal(run(['grep', 'total']), byModules(['grep', 'total']));
    assert.ok(readFileSync(path).length > 100_000);
  }
});

test('what a killed process left of its code is gone with the next that writes', () => {
  const [name] = readdirSync(kept).filter((each) => each.startsWith('grep'));
  writeFileSync(join(kept, `${name}-999999999`), 'half');
  rmSync(join(kept, name));
  run(['grep', 'total']);
  assert.deepEqual(
    readdirSync(kept).filter((each) => each.startsWith('grep')),
    [name],
  );
});

test('a parser starts from kept code of the languages that it parsed, and writes the same records', () => {
  const text = Array.from({ length: 1000 }, (_, i) => `export const f${i} = (x: number) => g${i}(x);\n`).join('');
  const code = createRepo();
  code.commit({ 'a.ts': text, 'b.ts': text.replaceAll('number', 'string') });
  const records = (index: typeof run): string => {
    index(['-C', code.dir, 'index']);
    const tree = code.notesTree();
    code.git('update-ref', '-d', code.notesRef);
    rmSync(code.state, { recursive: true });
    return tree;
  };
  const expected = records(byModules);
  assert.equal(records(run), expected);
  const [name] = readdirSync(kept).filter((each) => each.startsWith('parser'));
  const [loaded] = readFileSync(join(kept, name), 'latin1').slice(32).split('\n', 1);
  assert.equal(JSON.parse(loaded)[0], 'typescript');
  assert.equal(records(run), expected, 'from compiled code');
});

test('where nothing can be written, modules run', () => {
  rmSync(kept, { recursive: true });
  // A file in its place: the superuser may write into any folder.
  writeFileSync(kept, '');
  assert.equal(run(['grep', 'total']), byModules(['grep', 'total']));
});
