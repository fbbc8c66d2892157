/** `grep` against `git grep`: the same lines of the same files, in any tree and in the work tree. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { answerGrep, grepText } from '../../../src/questions/grep/answer.js';
import type { GrepResponse, GrepValues } from '../../../src/questions/grep/question.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { compilePattern } from '../../../src/search/grep/required-texts.js';
import { grep } from '../../../src/session/grep/grep.js';
import { Session } from '../../../src/session/session.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo, runGit } from '../../support/repositories/repo.js';

const KEY = `${['-----BEGIN', 'PRIVATE KEY-----'].join(' ')}\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'.repeat(2)}\n`;
const repo = createRepo();
repo.commit({
  'src/cart.ts':
    'export class Cart {\n  total(tax: number) {\n    return this.sum() * tax;\n  }\n\n  sum() {\n    return 1; // total\n  }\n}\n',
  'src/crlf.txt': 'one total\r\ntwo\r\nthree Total\r\n',
  'no-newline': 'total at the end',
  'dist/app.min.js': `var total=1;${'x'.repeat(3_000)}total\n`,
  'latin1.txt': Buffer.from('caf\xe8 total\n', 'latin1'),
  'binary.bin': Buffer.from('total\0total\n'),
  empty: '',
  'ünïcode name.md': '# Tötal\n\ntotal — sum\n',
  '.env': 'TOTAL_TOKEN=total\n',
  'notes.txt': `total\n${KEY}`,
  // Too short for a key in the midst of a text, but a file that begins like this is one.
  'deploy.txt': `${KEY.split('\n', 1)[0]}\ntotal\n`,
});
const session = await Session.open({ directory: repo.dir });
after(() => session.close());

const ask = (values: Partial<GrepValues> & { pattern: string }): Promise<GrepResponse> =>
  answerGrep(askerOf(session), { context: 0, limit: 10_000, ...values } as GrepValues);

/** `path:line` of every hit of `git grep`, without files that hold secrets. */
function gitGrep(pattern: string, options: readonly string[], ref?: string): string[] {
  const args = [
    '-c',
    'core.quotePath=false',
    'grep',
    '-n',
    '-I',
    '-z',
    ...options,
    '-e',
    pattern,
    ...(ref ? [ref] : []),
  ];
  const output = runGit(args, { cwd: repo.dir, allowFailure: true, env: { LC_ALL: 'C.UTF-8' } }).toString('latin1');
  const rows = output.split('\n').flatMap((row) => {
    const [path, line] = Buffer.from(row, 'latin1').toString('utf8').split('\0');
    return line === undefined ? [] : [`${path.replace(`${ref}:`, '')}:${line}`];
  });
  return rows.filter((row) => !/^(?:\.env|(?:notes|deploy)\.txt):/.test(row)).sort();
}

const places = ({ hits = [] }: GrepResponse) => hits.map(({ path, line }) => `${path}:${line}`).sort();

test('a number after the flag of line numbers is explained, unless it is a path', async () => {
  const wanted = { pattern: 'total', lineNumbers: true };
  await assert.rejects(ask({ ...wanted, path: ['2'] }), { code: 'BAD_ARGUMENT', hint: /always numbered.* --limit 2$/ });
  await assert.rejects(ask({ pattern: 'total', path: ['2'] }), /no file matches "2"/);
  assert.ok((await ask({ ...wanted, path: ['src'] })).total.hits > 0);
});

test('the same lines as git grep, for any pattern, in a tree and in the work tree', async () => {
  const given = fc.record({
    pattern: fc.constantFrom(
      'total',
      'Total',
      'total$',
      '^.',
      'su?m',
      '[a-z]+\\(',
      'return|total',
      '\\.sum\\(\\)',
      'x{50}',
      'é',
      '—',
    ),
    fixed: fc.boolean(),
    words: fc.boolean(),
    ignoreCase: fc.boolean(),
    ref: fc.constantFrom('HEAD', undefined),
  });
  await fc.assert(
    fc.asyncProperty(given, async (values) => {
      const options = [
        values.fixed ? '-F' : '-E',
        ...(values.words ? ['-w'] : []),
        ...(values.ignoreCase ? ['-i'] : []),
      ];
      // Without symbols, which take a parse.
      const { matches } = await grep(session, compilePattern(values), { ref: values.ref, limit: 10_000 });
      const found = matches.flatMap(({ file, hits }) => hits.map(({ line }) => `${file.path}:${line}`)).sort();
      assert.deepEqual(found, gitGrep(values.pattern, options, values.ref));
    }),
    { numRuns: 60 },
  );
});

test('hits have the symbol around them, their column and lines of context', async () => {
  const { hits, total } = await ask({ pattern: 'total', path: ['src/cart.ts'], context: 1, ref: 'HEAD' });
  assert.deepEqual(total, { hits: 2, files: 1 });
  assert.deepEqual(
    hits?.map(({ line, column, symbol }) => [line, column, symbol]),
    [
      [2, 3, 'Cart.total'],
      [7, 18, 'Cart.sum'],
    ],
  );
  assert.deepEqual([hits?.[0].before, hits?.[0].after], [['export class Cart {'], ['    return this.sum() * tax;']]);
});

test('all hits are counted where some are listed, and files that look like secrets are left out and counted', async () => {
  const response = await ask({ pattern: 'total', limit: 2, ref: 'HEAD' });
  const { hits, hitsLeftOut, total, skipped } = response;
  assert.deepEqual([hits?.length, hitsLeftOut, total.hits], [2, 5, 7]);
  assert.deepEqual([skipped.secret, skipped.binary], [3, 1]);
  const text = grepText(response, {
    pen: plainPen(COMMAND_WORDS),
    values: { pattern: 'total' } as GrepValues,
    isCommand: true,
  });
  assert.match(text, /first 2 of 7 hits in 6 files; raise --limit\nfiles not searched: 3 secret\n/);
});

test('a line is given whole up to 500 characters, and only a hit of several lines has a last line', async () => {
  const other = createRepo();
  other.commit({ 'a.txt': `${'y'.repeat(500)}\n${'y'.repeat(501)}\none\ntwo\n` });
  const opened = await Session.open({ directory: other.dir });
  try {
    const at = (pattern: string) =>
      answerGrep(askerOf(opened), { pattern, context: 0, ref: 'HEAD', limit: 10 } as GrepValues);
    const [whole, cut] = (await at('yy')).hits ?? [];
    assert.deepEqual([whole.text, whole.endLine], ['y'.repeat(500), undefined]);
    assert.equal(cut.text, `${'y'.repeat(500)}…`);
    const { hits, givenUp } = await at('one\\ntwo');
    assert.deepEqual([hits?.[0].line, hits?.[0].endLine, givenUp], [3, 4, undefined]);
  } finally {
    await opened.close();
  }
});

test('a long line is cut around the match', async () => {
  const { hits } = await ask({ pattern: 'xtotal', fixed: true, ref: 'HEAD' });
  assert.equal(hits?.length, 1);
  assert.match(hits?.[0].text ?? '', /^…x+total$/);
  assert.equal(hits?.[0].column, 'var total=1;'.length + 3_000);
});

test('a pattern given by -e may begin with a dash, and all arguments are paths then', async () => {
  const all = await ask({ expression: '-> total', pattern: undefined as never });
  assert.deepEqual(places(all), []);
  const dashed = await ask({ expression: '— sum', pattern: '*.md' });
  assert.deepEqual(places(dashed), ['ünïcode name.md:3']);
  assert.deepEqual(
    places(await ask({ expression: 'sum', pattern: 'src', path: ['*.md'] })),
    places(await ask({ pattern: 'sum' })),
  );
});

test('globs of -g narrow like the paths behind a pattern', async () => {
  const narrowed = places(await ask({ pattern: 'sum', glob: ['*.md'] }));
  assert.deepEqual(narrowed, places(await ask({ pattern: 'sum', path: ['*.md'] })));
  assert.ok(narrowed.length > 0);
});

test('lists of files are names alone, as other programs read them', async () => {
  const values = { pattern: 'sum', ref: 'HEAD' };
  const write = async (more: Partial<GrepValues>) =>
    grepText(await ask({ ...values, ...more }), {
      pen: plainPen(COMMAND_WORDS),
      values: { ...values, ...more } as GrepValues,
      isCommand: true,
    });
  assert.equal(await write({ files: true }), 'src/cart.ts\nünïcode name.md\n');
  assert.equal(await write({ count: true }), 'src/cart.ts:2\nünïcode name.md:1\n');
});

test('uncommitted files are searched as they are, and a range has only new lines', async () => {
  const other = createRepo();
  other.commit({ 'a.ts': 'old word\nsame\n', 'b.ts': 'word\n', 'c.ts': 'word\n' });
  other.commit({ 'a.ts': 'old word\nnew word\nsame\n' });
  other.write({ 'b.ts': 'function edited() {\n  return "word";\n}\n', 'd.ts': 'word\n' });
  other.git('rm', '-q', '--cached', 'c.ts');
  other.git('clean', '-qf', 'c.ts');
  const opened = await Session.open({ directory: other.dir });
  try {
    const find = (values: Partial<GrepValues>) =>
      answerGrep(askerOf(opened), { pattern: 'word', context: 0, ...values } as GrepValues);
    const now = await find({});
    assert.deepEqual(
      now.hits?.map(({ path, line, uncommitted = false }) => [path, line, uncommitted]),
      [
        ['a.ts', 1, false],
        ['a.ts', 2, false],
        ['b.ts', 2, true],
        ['d.ts', 1, true],
      ],
    );
    assert.equal(now.hits?.[2].symbol, 'edited');
    assert.deepEqual(places(await find({ committed: true })), ['a.ts:1', 'a.ts:2', 'b.ts:1', 'c.ts:1']);
    assert.deepEqual(places(await find({ in: 'HEAD~1..HEAD' })), ['a.ts:2']);
    assert.deepEqual(places(await find({ in: 'HEAD~1..' })), ['a.ts:2', 'b.ts:2', 'd.ts:1']);
  } finally {
    opened.close();
  }
});

test('with all branches, each hit names those that hold it', async () => {
  const other = createRepo();
  other.commit({ 'a.ts': 'word one\n' });
  other.git('branch', 'first');
  other.commit({ 'a.ts': 'word two\n' });
  const opened = await Session.open({ directory: other.dir });
  try {
    const { hits } = await answerGrep(askerOf(opened), { pattern: 'word', context: 0, allRefs: true } as GrepValues);
    assert.deepEqual(hits?.map(({ text, refs }) => [text, refs]).sort(), [
      ['word one', ['first']],
      ['word two', [other.git('branch', '--show-current')]],
    ]);
  } finally {
    opened.close();
  }
});

test('globs that no file matches are refused: an empty answer would hide a mistyped one', async () => {
  await assert.rejects(ask({ pattern: 'total', path: ['scr/**'] }), /no file matches "scr\/\*\*"/);
  assert.equal((await ask({ pattern: 'total', path: ['binary.bin'] })).total.hits, 0);
});

test('a session that is asked again keeps what it read, and sees what changed', async () => {
  const other = createRepo();
  other.commit({ 'a.ts': 'const one = 1;\n', 'b.ts': 'const two = 2;\n' });
  const again = await Session.open({ directory: other.dir });
  try {
    const find = async (pattern: string, ref?: string) => {
      const found = await grep(again, compilePattern({ pattern }), { limit: 10, ref });
      return found.matches.map(({ file }) => file.path);
    };
    for (let i = 0; i < 4; i++) assert.deepEqual(await find('const'), ['a.ts', 'b.ts']);
    other.write({ 'a.ts': 'let one = 1;\n', 'c.ts': 'const three = 3;\n' });
    assert.deepEqual(await find('const'), ['b.ts', 'c.ts']);
    assert.deepEqual(await find('const', 'HEAD'), ['a.ts', 'b.ts']);
    other.commit({ 'b.ts': 'let two = 2;\n' });
    assert.deepEqual(await find('let'), ['a.ts', 'b.ts']);
    assert.deepEqual(await find('const', 'HEAD~1'), ['a.ts', 'b.ts']);
  } finally {
    again.close();
  }
});

test('filters that searches share narrow the files: who changed them, when, their class, what they use', async () => {
  const other = createRepo();
  other.commit({ 'src/cart.ts': 'export function total() {}\n', 'test/cart.test.ts': 'total();\n' }, 'old');
  other.write({ 'src/later.ts': "import { total } from './cart';\n\ntotal();\n" });
  other.git('add', '-A');
  other.git('commit', '-q', '-m', 'later', '--author=Ann <ann@example.com>', '--date=2024-06-01T00:00:00Z');
  const opened = await Session.open({ directory: other.dir });
  const paths = async (values: Partial<GrepValues>) =>
    (await answerGrep(askerOf(opened), { pattern: 'total', context: 0, ...values } as GrepValues)).hits
      ?.map(({ path }) => path)
      .filter((path, i, all) => path !== all[i - 1]);
  try {
    assert.deepEqual(await paths({ is: ['test'] }), ['test/cart.test.ts']);
    assert.deepEqual(await paths({ is: ['!test'] }), ['src/cart.ts', 'src/later.ts']);
    assert.deepEqual(await paths({ author: 'ann' }), ['src/later.ts']);
    assert.deepEqual(await paths({ uses: 'total' }), ['src/later.ts']);
    await assert.rejects(paths({ author: 'ann', allRefs: true }), /about one snapshot/);
  } finally {
    opened.close();
  }
});

test('a range says where the older version of a file cannot be read', async () => {
  const other = createRepo();
  other.commit({ 'a.txt': 'total\n', 'b.txt': 'b\ntotal\n' });
  other.commit({ 'a.txt': 'total\nmore\n', 'b.txt': 'b\ntotal\nand total\n' });
  const oid = other.git('rev-parse', 'HEAD~1:a.txt');
  rmSync(join(other.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  const opened = await Session.open({ directory: other.dir });
  const values = { pattern: 'total', context: 0, in: 'HEAD~1..HEAD' } as GrepValues;
  try {
    const response = await answerGrep(askerOf(opened), values);
    assert.deepEqual([response.total.hits, response.range?.unread], [2, 1]);
    const text = grepText(response, { pen: plainPen(COMMAND_WORDS), values, isCommand: true });
    assert.match(text, /^all lines of 1 file count as new: this clone lacks the older version$/m);
  } finally {
    opened.close();
  }
});

// Installed dependencies.

const installed = createRepo();
installed.commit({
  '.gitignore': 'node_modules/\n.venv/\nlibs/vendor/\n',
  'src/own.js': 'export const needle = 1;\n',
  'vendor/kept/a.js': 'needle\n',
});
installed.write({
  'node_modules/left/package.json': '{"name": "left", "version": "1.2.3"}\n',
  'node_modules/left/index.js': 'export function find() {\n  return needle;\n}\n',
  'node_modules/left/index.min.js': 'needle\n',
  'node_modules/left/index.js.map': '"needle"\n',
  'node_modules/left/.env': 'needle\n',
  'node_modules/left/vendor/own.js': 'needle\n',
  'node_modules/left/node_modules/@deep/er/package.json': 'no JSON\n',
  'node_modules/left/node_modules/@deep/er/lib/a.js': 'needle\n',
  '.venv/lib/python3.12/site-packages/Some_Pack/core.py': 'needle = 1\n',
  '.venv/lib/python3.12/site-packages/some_pack-4.5.dist-info/METADATA': 'Name: needle\n',
  '.venv/lib/python3.12/site-packages/alone.py': 'needle = 1\n',
  '.venv/lib/python3.12/site-packages/jinja2/env.py': 'needle = 1\n',
  '.venv/lib/python3.12/site-packages/Jinja2-3.1.dist-info/WHEEL': 'Tag: any\n',
  'libs/vendor/bundle/ruby/3.3.0/gems/two-words-0.9/lib/x.rb': 'needle\n',
  'libs/vendor/owner/tool/y.php': 'needle\n',
});
const outside = mkdtempSync(join(tmpdir(), 'outside-'));
writeFileSync(join(outside, 'z.js'), 'needle\n');
symlinkSync(outside, join(installed.dir, 'node_modules', 'linked'));
const installedSession = await Session.open({ directory: installed.dir });
after(() => {
  installedSession.close();
  rmSync(outside, { recursive: true });
});
const askInstalled = (values: Partial<GrepValues> = {}): Promise<GrepResponse> =>
  answerGrep(askerOf(installedSession), { context: 0, pattern: 'needle', deps: true, ...values } as GrepValues);

test('deps: every file of every installed package, with its name and version; nothing committed, secret, made or linked', async () => {
  const { hits = [], skipped, deps } = await askInstalled();
  assert.deepEqual(
    hits.map(({ path, symbol }) => {
      const from = [...(deps?.found ?? [])]
        .reverse()
        .find((one) => path === one.path || path.startsWith(`${one.path}/`));
      return [path.split('/').at(-1), symbol, from?.name, from?.version];
    }),
    [
      ['core.py', 'needle', 'Some_Pack', '4.5'],
      ['alone.py', 'needle', 'alone.py', null],
      ['env.py', 'needle', 'jinja2', '3.1'],
      ['METADATA', null, 'some_pack-4.5.dist-info', '4.5'],
      ['x.rb', null, 'two-words', '0.9'],
      ['y.php', null, 'owner/tool', null],
      ['index.js', 'find', 'left', '1.2.3'],
      ['a.js', null, '@deep/er', null],
      ['own.js', null, 'left', '1.2.3'],
    ],
  );
  assert.ok(hits.every(({ uncommitted }) => uncommitted === undefined));
  assert.deepEqual(skipped, { generated: 2, secret: 1 });
  assert.deepEqual([deps?.packages, deps?.files, deps?.found.length], [9, 12, 8]);
});

test('deps: globs, lists of files and syntax work as elsewhere; what a snapshot alone has is refused', async () => {
  const within = async (values: Partial<GrepValues>) => (await askInstalled(values)).hits?.map(({ path }) => path);
  assert.deepEqual(await within({ path: ['node_modules/left/index.js'] }), ['node_modules/left/index.js']);
  assert.deepEqual(await within({ ast: true, pattern: 'return $A', path: ['node_modules/**'] }), [
    'node_modules/left/index.js',
  ]);
  const { deps } = await askInstalled({ files: true, path: ['*.rb'] });
  assert.deepEqual(
    deps?.found.map(({ name, version }) => [name, version]),
    [['two-words', '0.9']],
  );
  await assert.rejects(askInstalled({ path: ['src'] }), /no file of an installed dependency matches "src"/);
  for (const [values, name] of [
    [{ ref: 'HEAD' }, 'ref'],
    [{ in: 'main..' }, 'in'],
    [{ allRefs: true }, 'allRefs'],
    [{ author: 'ann' }, 'a filter'],
  ] as [Partial<GrepValues>, string][])
    await assert.rejects(askInstalled(values), new RegExp(`${name}.* and deps exclude each other`));
  const none = await answerGrep(askerOf(session), { context: 0, pattern: 'total', deps: true } as GrepValues);
  assert.deepEqual([none.total.hits, none.deps], [0, { packages: 0, files: 0, found: [] }]);
});

test('deps: the text names the package of each file, and what was searched', async () => {
  const values = { pattern: 'needle', deps: true, path: ['node_modules/left/index.js'] };
  const text = grepText(await askInstalled(values), {
    pen: plainPen(COMMAND_WORDS),
    values: values as unknown as GrepValues,
    isCommand: true,
  });
  assert.match(text, /^node_modules\/left\/index\.js {2}left 1\.2\.3\n find\n2: {2}return needle;\n/);
  assert.match(text, /searched: 1 file of 1 installed package\n/);
});
