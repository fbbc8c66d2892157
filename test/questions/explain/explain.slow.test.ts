import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerExplain, answerLeftOut } from '../../../src/questions/explain/answer.js';
import { type ExplainResponse, explainSchema } from '../../../src/questions/explain/question.js';
import { explainText, reasonText } from '../../../src/questions/explain/reasons.js';
import { gaps, type IndexReport } from '../../../src/questions/index/question.js';
import type { LeftOutResponse } from '../../../src/questions/status/question.js';
import { check } from '../../support/check.js';
import { answer } from '../../support/in-process/answer.js';
import { documentOf, PLAIN } from '../../support/in-process/document.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';
import { index } from '../../support/repositories/vectors-repo.js';

interface Asked {
  ref?: string;
  committed?: boolean;
  directory?: string;
}

/** Files by path, as a new process explains them. */
async function explain(repo: TestRepo, paths: readonly string[], { directory: from = '', ...values }: Asked = {}) {
  const document = await documentOf(repo, (at) => {
    const directory = join(repo.dir, from);
    return answerExplain({ ...at, directory }, { paths: [...paths], ...values });
  });
  return new Map(check(explainSchema, document).files.map((file) => [file.path, file]));
}

/** `state reason pattern source:line` */
function verdict({ state, reason, rule }: ExplainResponse['files'][number]): string {
  const where = rule === null ? '' : ` ${rule.pattern} ${rule.source}${rule.line === null ? '' : `:${rule.line}`}`;
  return `${state}${reason === null ? '' : ` ${reason}`}${where}`;
}

const LEFT_OUT = {
  'tls/ca.pem': 'x',
  'logo.v2.png': 'x',
  'raw.dat2': 'a\0b',
  'big.txt': 'long line\n'.repeat(300),
  'docs/a.md': '# a\n',
  'gen/a.ts': 'export const a = 1;\n',
  'yarn.lock': '',
  'token.txt': '-----BEGIN PRIVATE KEY-----\nabc\n',
  'big.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
  '.socraticodeignore': '# notes\ndocs/\n',
  '.socraticode.json': '{ "exclude": ["gen"], "maxFileBytes": 2048 }\n',
};

test('each file that is left out names its rule, of a ref and of the work tree', async () => {
  const repo = createRepo();
  const first = repo.commit(PROJECT);
  repo.commit(LEFT_OUT);
  await index(repo);
  const expected: Readonly<Record<string, string>> = {
    'tls/ca.pem': 'left-out secret *.pem built-in',
    'logo.v2.png': 'left-out binary *.png built-in',
    'raw.dat2': 'left-out binary-content',
    'big.txt': 'left-out too-large maxFileBytes = 2048 .socraticode.json',
    'docs/a.md': 'left-out ignored docs/ .socraticodeignore:2',
    'gen/a.ts': 'left-out excluded gen .socraticode.json',
    'yarn.lock': 'left-out builtin yarn.lock built-in',
    'token.txt': 'left-out secret-content',
    'src/session.ts': 'indexed',
    src: 'folder',
    'src/sesion.ts': 'absent absent',
  };
  const committed = await explain(repo, Object.keys(expected), { ref: 'HEAD' });
  for (const [path, wanted] of Object.entries(expected)) {
    const file = committed.get(path);
    assert.ok(file, path);
    const { rule } = file;
    // Settings of a ref are read from its tree, which the origin names.
    const source = rule?.source.replace(/^[0-9a-f]{12}:/, '') ?? '';
    assert.equal(verdict({ ...file, rule: rule && { ...rule, source } }), wanted, path);
  }
  assert.deepEqual(committed.get('src/sesion.ts')?.near, ['src/session.ts']);
  assert.equal(committed.get('big.txt')?.next, 'git config socraticode.maxFileBytes 1m');
  assert.deepEqual(committed.get('src')?.folder, { files: 1, leftOut: {} });
  assert.deepEqual((await explain(repo, ['gen', 'tls', '.'])).get('gen')?.folder, {
    files: 0,
    leftOut: { excluded: 1 },
  });
  const before = await explain(repo, ['docs/a.md', 'src/session.ts'], { ref: first });
  assert.deepEqual([...before.values()].map(verdict), ['absent absent', 'indexed']);
  const left = JSON.parse(
    (await answer(['-C', repo.dir, 'status', '--left-out', '--limit', '1', '--json'])).stdout,
  ) as LeftOutResponse;
  assert.equal(left.leftOut, 9);
  assert.equal(left.total, 15);
  const below = JSON.parse(
    (await answer(['-C', repo.dir, 'status', '--left-out', 'docs', '--json'])).stdout,
  ) as LeftOutResponse;
  assert.deepEqual(
    below.groups.map(({ reason, count, paths }) => [reason, count, paths]),
    [['ignored', 1, ['docs/a.md']]],
  );
  repo.commit({ 'src/late.ts': 'export const late = true;\n' });
  assert.equal(verdict((await explain(repo, ['src/late.ts'])).get('src/late.ts') ?? assert.fail()), 'pending pending');
});

test('uncommitted, ignored, deleted and linked files are told apart', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, '.gitignore': '*.log\n!keep.log\n' });
  await index(repo);
  repo.write({ 'src/new.ts': 'export function fresh(): void {}\n', 'a.log': '', 'keep.log': 'kept\n', 'x.pem': '' });
  rmSync(join(repo.dir, 'README.md'));
  symlinkSync('src', join(repo.dir, 'link'));
  mkdirSync(join(repo.dir, 'other/.git'), { recursive: true });
  writeFileSync(join(repo.dir, 'other/a.ts'), 'x');
  const files = await explain(repo, [
    ...[
      'src/new.ts',
      'a.log',
      'keep.log',
      'x.pem',
      'README.md',
      'link',
      'link/session.ts',
      'other/a.ts',
      '.git/config',
    ],
  ]);
  assert.deepEqual(
    [...files].map(([path, file]) => `${path}: ${verdict(file)}${file.uncommitted ? ' uncommitted' : ''}`),
    [
      'src/new.ts: indexed uncommitted',
      'a.log: left-out git-ignored *.log .gitignore:1',
      'keep.log: indexed uncommitted',
      'x.pem: left-out secret *.pem built-in uncommitted',
      'README.md: left-out deleted uncommitted',
      'link: left-out symlink',
      'link/session.ts: left-out symlink',
      'other/a.ts: left-out submodule',
      '.git/config: left-out unsafe-path',
    ],
  );
  assert.equal(files.get('src/new.ts')?.file?.symbols, 1);
  assert.equal(files.get('src/new.ts')?.file?.record.state, 'none');
  const committed = await explain(repo, ['README.md', 'src/new.ts'], { committed: true });
  assert.deepEqual([...committed.values()].map(verdict), ['indexed', 'absent absent']);
});

test('an indexed file shows chunks, symbols, vectors, its record and whether a remote has it', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const remote = createRepo({ bare: true });
  repo.git('remote', 'add', 'origin', remote.dir);
  await index(repo);
  const local = await explain(repo, ['src/session.ts', 'README.md']);
  const { chunks, symbols, vectors, record, graph } = local.get('src/session.ts')?.file ?? assert.fail();
  assert.deepEqual([chunks, symbols, vectors.covered, record.state, graph], [1, 4, 1, 'local', 'linked']);
  assert.equal(local.get('README.md')?.file?.graph, 'none');
  repo.git('push', '-q', 'origin', 'HEAD:refs/heads/main');
  await answer(['-C', repo.dir, 'push', 'origin']);
  const shared = await explain(repo, ['src/session.ts']);
  assert.deepEqual(shared.get('src/session.ts')?.file?.record.remotes, ['origin']);
});

test('paths count from the current directory first, and the text fits names that a shell would run', async () => {
  const repo = createRepo();
  const name = 'docs/$(touch pwned)\u001b[31m.pem';
  repo.commit({ ...PROJECT, 'src/README.md': '# inner\n', [name.replace('.pem', '.lock.min.js')]: '' });
  assert.deepEqual(
    [...(await explain(repo, ['README.md', 'lib/depot.py'], { directory: 'src' })).keys()],
    ['src/README.md', 'lib/depot.py'],
  );
  const outside = await answer(['-C', join(repo.dir, 'src'), 'explain', '../../x']);
  assert.equal(outside.code, 2);
  assert.match(outside.stderr, /outside of this repository/);
  const { stdout, code } = await answer(['-C', repo.dir, 'explain', name.replace('.pem', '.lock.min.js')]);
  assert.equal(code, 1);
  assert.ok(stdout.includes("socraticode.include 'docs/$(touch pwned)\\x1b[31m.lock.min.js'"), stdout);
});

test('a failure about a file that is not indexed names the reason', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'tls/ca.pem': 'x', 'yarn.lock': 'x' });
  await index(repo);
  const failures = {
    'similar tls/ca.pem:1': 'tls/ca.pem exists but is not indexed: looks like a secret (*.pem)',
    'graph deps yarn.lock': 'yarn.lock exists but is not indexed: a tool wrote it',
    'graph outline tls/ca.pem --ref HEAD': 'tls/ca.pem exists but is not indexed: looks like a secret (*.pem)',
    'graph deps src/sesion.ts': 'no file src/sesion.ts is indexed in this snapshot',
  };
  for (const [line, message] of Object.entries(failures)) {
    const { code, stderr } = await answer(['-C', repo.dir, ...line.split(' ')]);
    assert.equal(code, 2, line);
    assert.ok(stderr.startsWith(`git-socraticode: ${message}`), stderr);
    if (message.includes('exists')) assert.match(stderr, /List all: git socraticode status --left-out/);
  }
});

test('index --require-complete fails where something is missing, and not for files that a rule leaves out', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'tls/ca.pem': 'x' });
  const before = await answer(['-C', repo.dir, 'index', '--dry-run', '--require-complete']);
  assert.match(before.stdout, /\nincomplete: .*4 to parse/);
  assert.equal(before.code, 1);
  assert.equal((await answer(['-C', repo.dir, 'index', '--require-complete'])).code, 0);
  const report = JSON.parse(
    (await answer(['-C', repo.dir, 'index', '--require-complete', '--json'])).stdout,
  ) as IndexReport;
  assert.equal(gaps(report), '');
  const worse = { ...report, skipped: { secret: 1, unreadable: 2 }, degraded: { 'parse-timeout': 3 } };
  assert.equal(gaps(worse), '3 parse-timeout, 2 unreadable');
  const fault = { code: 'EMBEDDER_UNREACHABLE', message: 'it is down', hint: '' };
  assert.equal(
    gaps({ ...report, vectors: { ...report.vectors, covered: 1, total: 5, fault } }),
    '4 chunks without a vector',
  );
});

test('the text says the verdict with its rule, the details of an indexed file and the next step', async () => {
  const repo = createRepo();
  repo.commit({
    ...PROJECT,
    'gen.ts': '// Code generated by x. DO NOT EDIT.\nexport const a = 1;\n',
    'ca.pem': 'x',
    'a/.keep': '',
  });
  await index(repo);
  repo.write({ 'src/new.ts': 'export const fresh = 1;\n' });
  const text = async (...paths: string[]) =>
    explainText(await documentOf(repo, (at) => answerExplain(at, { paths })), PLAIN);
  const [head, content, chunks, vectors, record, graph, end] = (await text('src/session.ts')).split('\n');
  assert.deepEqual([head, end], ['src/session.ts  indexed', '']);
  assert.match(content, /^ {2}content {3}typescript, 392 B, blob [0-9a-f]{9}$/);
  assert.equal(chunks, '  chunks    1 chunk, 4 symbols');
  assert.match(vectors, /^ {2}vectors {3}1 of 1 by \S+ \S+$/);
  assert.match(record, /^ {2}record {4}in this clone, not shared, profile \S+$/);
  assert.equal(graph, '  graph     its imports and uses are followed');
  assert.match(await text('gen.ts'), /\n {2}ranked {4}lower, since a tool wrote it\n$/);
  assert.match(
    await text('src/new.ts'),
    /^src\/new\.ts {2}indexed \(uncommitted\)\n(?:.*\n)*? {2}record {4}none: it is indexed in this clone alone\n/,
  );
  assert.match(await text('README.md'), /only its path is known: imports and uses are not read from markdown/);
  assert.match(
    await text('ca.pem'),
    /^ca\.pem {2}not indexed: looks like a secret \(\*\.pem\)\n {2}next {6}No setting indexes it/,
  );
  assert.match(await text('src'), /^src {2}folder\n {2}selected {2}2 files\n {2}left out {2}nothing\n$/);
  assert.match(
    await text('src/sesion.ts'),
    /^src\/sesion\.ts {2}no such file in this snapshot\n {2}near {6}src\/session\.ts\n$/,
  );
  const rule = { pattern: 'x', source: 'a.json', line: null };
  assert.equal(reasonText('excluded', rule), 'the setting exclude leaves it out (x in a.json)');
  assert.equal(reasonText('excluded', { ...rule, line: 3 }), 'the setting exclude leaves it out (x in a.json:3)');
  assert.match(reasonText('too-large', { ...rule, source: 'default' }), / \(x, the default\)$/);
});

test('files left out below a path: all of them, or a refusal where nothing is there', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'tls/ca.pem': 'x' });
  const below = (path: string) => documentOf(repo, (at) => answerLeftOut(at, { below: path }));
  assert.deepEqual(
    (await below('tls')).groups.map(({ reason, paths }) => [reason, paths]),
    [['secret', ['tls/ca.pem']]],
  );
  await assert.rejects(below('tls/ca.crt'), { code: 'BAD_ARGUMENT', hint: 'Did you mean tls/ca.pem?' });
});
