/** `search` end to end: text, JSON, filters, bounds, exit codes, and the line protocol. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { type SearchResponse, searchResponseSchema } from '../../src/questions/search/question.js';
import { errorSchema } from '../../src/questions/shared-output.js';
import { check } from '../support/check.js';
import { CLI, cli, cliJson } from '../support/processes/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';
import { pathsOf } from '../support/results.js';

const repo: TestRepo = createRepo();
const COPY = 'export function copiedHelper(value: string): string {\n  return value.trim();\n}\n';

before(async () => {
  repo.commit({ ...PROJECT, ...manyFiles(40, 'parts'), 'a/copy.ts': COPY, 'b/copy.ts': COPY, 'b/more.js': COPY });
  repo.git('branch', 'old');
  repo.git('update-ref', 'refs/remotes/origin/fix-12', 'old');
  repo.commit({ 'src/fresh.ts': 'export class FreshThing {}\n' });
});

const search = async (...args: string[]): Promise<SearchResponse> =>
  check(searchResponseSchema, await cliJson(['search', ...args], { cwd: repo.dir }));

test('the first search indexes by itself; the answer says what it covers', async () => {
  const fresh = createRepo();
  const commit = fresh.commit(PROJECT);
  const { code, stdout, stderr } = await cli(['search', '--json', 'nearest depot'], { cwd: fresh.dir });
  assert.deepEqual([code, stderr], [0, '']);
  const response = check(searchResponseSchema, JSON.parse(stdout));
  assert.deepEqual([response.commit, response.ref, response.schemaVersion], [commit, 'HEAD', 1]);
  assert.deepEqual(response.coverage, { covered: 4, total: 4 });
  assert.equal(response.results[0].path, 'lib/depot.py');
  assert.equal(fresh.notes().size, 4);
});

test('text output reads like rg --heading', async () => {
  const { code, stdout } = await cli(['search', 'rememberToken'], { cwd: repo.dir });
  assert.equal(code, 0);
  const [heading, ...lines] = stdout.split('\n');
  assert.match(heading, /^src\/session\.ts:\d+ {2}SessionStore\S* {2}\w+$/);
  assert.ok(
    lines.some((line) => /^8: {2}rememberToken\(user/.test(line)),
    stdout,
  );
  assert.ok(!stdout.includes('\x1b'));
  const colours = await cli(['search', 'rememberToken'], { cwd: repo.dir, env: { FORCE_COLOR: '1', NO_COLOR: '' } });
  assert.ok(colours.stdout.includes('\x1b[1;31m'));
});

test('filters: path, language, kind', async () => {
  const paths = (response: SearchResponse) => response.results.flatMap(pathsOf);
  assert.ok(paths(await search('step0Of3', '--path', 'parts')).every((path) => path.startsWith('parts/')));
  assert.ok(paths(await search('copiedHelper', '--path', 'a/**')).includes('a/copy.ts'));
  assert.deepEqual(paths(await search('parcel', '--lang', 'python')), ['lib/depot.py']);
  assert.ok(
    (await search('parcel', '--lang', 'python,go', '--path', '!lib')).results.every((r) => r.language === 'go'),
  );
  const kinds = new Set((await search('part', '--kind', 'class')).results.map((result) => result.kind));
  assert.deepEqual([...kinds], ['class']);
});

test('equal chunks are one result that lists every place', async () => {
  const { results } = await search('copiedHelper');
  const copies = results.filter((result) => result.content?.includes('copiedHelper'));
  assert.equal(copies.length, 1);
  assert.deepEqual(pathsOf(copies[0]).sort(), ['a/copy.ts', 'b/copy.ts', 'b/more.js']);
  assert.equal(copies[0].places?.length, 2);
});

test('--ref answers about that ref only', async () => {
  assert.equal((await search('FreshThing')).results[0].path, 'src/fresh.ts');
  const old = await search('rememberToken', '--ref', 'old');
  assert.equal(old.commit, repo.git('rev-parse', 'old'));
  const args = ['search', 'FreshThing', '--ref', 'old'];
  const { code, stdout } = await cli([...args, '--mode', 'lexical'], { cwd: repo.dir });
  assert.equal(code, 1, stdout);
  const near = check(searchResponseSchema, JSON.parse((await cli([...args, '--json'], { cwd: repo.dir })).stdout));
  assert.ok(near.results.every(({ path, sources }) => path !== 'src/fresh.ts' && !sources?.includes('definition')));
});

test('uncommitted files are counted, and left out where that is asked for', async () => {
  const own = createRepo();
  own.commit(PROJECT);
  own.write({ 'README.md': '# changed\n', 'new.ts': 'export const unborn = 1;\n' });
  const response = check(searchResponseSchema, await cliJson(['search', 'parcel'], { cwd: own.dir }));
  assert.equal(response.dirty, 2);
  assert.match((await cli(['search', 'parcel'], { cwd: own.dir })).stdout, /2 uncommitted files included/);
  const committed = await cli(['search', 'parcel', '--committed'], { cwd: own.dir });
  assert.match(committed.stdout, /2 uncommitted files not searched/);
  own.git('branch', 'other');
  const other = check(searchResponseSchema, await cliJson(['search', 'parcel', '--ref', 'other'], { cwd: own.dir }));
  assert.equal(other.dirty, 0);
});

test('--limit, --no-content and --explain', async () => {
  assert.equal((await search('step1', '--limit', '3')).results.length, 3);
  const bare = await search('rememberToken', '--no-content', '--explain');
  assert.equal(bare.results[0].content, undefined);
  assert.ok(Object.keys(bare.results[0].explain ?? {}).length > 0);
});

test('--lines keeps the lines that match best, in JSON as well where it is given', async () => {
  const [whole] = (await search('copiedHelper')).results;
  assert.deepEqual([whole.content, whole.contentLine], [COPY.trimEnd(), undefined]);
  const [cut] = (await search('copiedHelper', '--lines', '1')).results;
  assert.deepEqual([cut.content, cut.contentLine], [COPY.split('\n')[0], 1]);
});

const BAD: [name: string, args: string[], message: RegExp][] = [
  ['empty query', ['search', ' '], /the query is empty/],
  ['no query', ['search'], /the query is empty/],
  ['limit 0', ['search', 'x', '--limit', '0'], /--limit takes a whole number from 1 to 100, not 0/],
  ['limit 101', ['search', 'x', '--limit', '101'], /--limit takes a whole number from 1 to 100, not 101/],
  ['limit word', ['search', 'x', '--limit', 'ten'], /whole number/],
  [
    'unknown ref',
    ['search', 'x', '--ref', 'nowhere'],
    /nowhere\n {2}Branches and tags here: main, old, origin\/fix-12\./,
  ],
  ['a branch of a remote without its name', ['search', 'x', '--ref', 'fix-12'], /\n {2}Did you mean origin\/fix-12\?/],
  ['a mistyped ref', ['search', 'x', '--ref', 'mian'], /unknown ref: mian\n {2}Did you mean main\?/],
  ['a mistyped HEAD', ['search', 'x', '--ref', 'HAED~1'], /unknown ref: HAED~1\n {2}Did you mean HEAD~1\?/],
  ['a line where a file belongs', ['blame', 'x.py:50'], /called x\.py:50, now or before\n {2}It takes files.*`why`/],
  ['a ref like an option', ['search', 'x', '--ref=--help'], /unknown ref: --help/],
  ['a ref with a newline', ['search', 'x', '--ref', 'HEAD\nmain'], /unknown ref/],
  ['unknown kind', ['search', 'x', '--kind', 'klass'], /unknown kind: klass/],
  ['unknown mode', ['search', 'x', '--mode', 'magic'], /--mode takes one of hybrid, lexical, semantic/],
  ['unknown option', ['search', 'x', '--lmit', '3'], /unknown option/],
  ['unknown command', ['serch', 'x'], /unknown command/],
  ['no such directory', ['-C', '/nowhere/at/all', 'search', 'x'], /no such directory/],
  ['a file as directory', ['search', 'x', '-C', 'README.md'], /not a directory/],
];

for (const [name, args, message] of BAD) {
  test(`bad input: ${name}`, async () => {
    const { code, stdout, stderr } = await cli(args, { cwd: repo.dir });
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, message);
    assert.ok(stderr.trim().split('\n').length <= 3 && !/ at .*\.js/.test(stderr), stderr);
  });
}

test('not a repository: exit code 2, a next step, nothing written', async () => {
  const dir = makeDirectory();
  for (const command of [['search', 'x'], ['index'], ['status'], ['config'], ['web', '--no-open']]) {
    const { code, stderr } = await cli(command, { cwd: dir });
    assert.equal(code, 2);
    assert.match(stderr, /is not in a git repository\n {2}Run inside a git repository/);
  }
});

test('nothing found is exit code 1 and says so', async () => {
  for (const args of [['zzzqqqxxx'], ['zzzqqqxxx', '--mode', 'lexical']]) {
    const { code, stdout } = await cli(['search', ...args], { cwd: repo.dir });
    assert.equal(code, 1);
    assert.match(stdout, /no results/);
  }
});

test('--stdin answers every line in order, good or bad', async () => {
  const lines = [
    'rememberToken',
    '{"query":"FreshThing","limit":1}',
    '{"query":"FreshThing","ref":"old"}',
    '{broken',
    '{"query":"x","limit":1000}',
    '{"query":"x","colour":"red"}',
    '',
    '{"query":"x","ref":"nowhere"}',
    '{"query":"depot","lang":"python","path":["lib"],"noContent":true}',
    '{"query":"__proto__","kind":"constructor"}',
  ];
  const { code, stdout } = await cli(['search', '--stdin', '--jsonl'], {
    cwd: repo.dir,
    input: `${lines.join('\n')}\n`,
  });
  assert.equal(code, 0);
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(answers.length, lines.length);
  const codes = answers.map((answer) => answer.error?.code ?? check(searchResponseSchema, answer).results[0]?.path);
  const expected = ['src/session.ts', 'src/fresh.ts', codes[2], 'BAD_ARGUMENT', 'BAD_ARGUMENT', 'BAD_ARGUMENT'];
  assert.deepEqual(codes, [...expected, 'EMPTY_QUERY', 'UNKNOWN_REF', 'lib/depot.py', undefined]);
  assert.notEqual(codes[2], 'src/fresh.ts');
  for (const answer of answers) if (answer.error) check(errorSchema, answer);
});

test('a reader that stops early is no failure', async () => {
  const child = spawn(
    'bash',
    ['-c', `set -o pipefail; '${process.execPath}' '${CLI}' search step1 --limit 100 --lines 0 | head -1`],
    {
      cwd: repo.dir,
      env: process.env,
    },
  );
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.deepEqual([code, stderr], [0, '']);
});

test('-C may stand anywhere; a subdirectory works too', async () => {
  const elsewhere = makeDirectory();
  for (const args of [
    ['-C', repo.dir, 'search', 'FreshThing'],
    ['search', 'FreshThing', '-C', join(repo.dir, 'src')],
  ]) {
    assert.equal((await cli(args, { cwd: elsewhere })).code, 0);
  }
});
