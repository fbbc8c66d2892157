import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ExplainResponse } from '../../../src/questions/explain/output.js';
import { gaps } from '../../../src/questions/index/gaps.js';
import type { IndexReport } from '../../../src/questions/index/output.js';
import type { LeftOutResponse } from '../../../src/questions/status/left-out/output.js';
import { cli, cliJson } from '../../support/processes/cli.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';

/** Files by path, without the details of indexed ones. */
async function explain(repo: TestRepo, args: readonly string[], cwd = repo.dir) {
  // The exit status is 1 where a file is not indexed.
  const { stdout, stderr } = await cli(['explain', ...args, '--json'], { cwd });
  assert.equal(stderr, '');
  const { files } = JSON.parse(stdout) as ExplainResponse;
  return new Map(files.map((file) => [file.path, file]));
}

/** `state reason pattern source:line` */
function verdict({ state, reason, rule }: ExplainResponse['files'][number]): string {
  const where = rule === null ? '' : ` ${rule.pattern} ${rule.source}${rule.line === null ? '' : `:${rule.line}`}`;
  return `${state}${reason === null ? '' : ` ${reason}`}${where}`;
}

const LEFT_OUT = {
  'tls/ca.pem': 'x',
  'logo.png': 'x',
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
  await cli(['index'], { cwd: repo.dir });
  const expected: Readonly<Record<string, string>> = {
    'tls/ca.pem': 'left-out secret *.pem built-in',
    'logo.png': 'left-out binary *.png built-in',
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
  const committed = await explain(repo, [...Object.keys(expected), '--ref', 'HEAD']);
  for (const [path, wanted] of Object.entries(expected)) {
    const file = committed.get(path);
    assert.ok(file, path);
    const { rule } = file;
    // Settings of a ref are read from its tree, which the origin names.
    const source = rule?.source.replace(/^[0-9a-f]{12}:/, '') ?? '';
    assert.equal(verdict({ ...file, rule: rule && { ...rule, source } }), wanted, path);
  }
  assert.deepEqual(committed.get('src/sesion.ts')?.near, ['src/session.ts']);
  const before = await explain(repo, ['docs/a.md', 'src/session.ts', '--ref', first]);
  assert.deepEqual([...before.values()].map(verdict), ['absent absent', 'indexed']);
  const left = await cliJson<LeftOutResponse>(['status', '--left-out', '--limit', '1'], { cwd: repo.dir });
  assert.equal(left.leftOut, 9);
  assert.equal(left.total, 15);
  const below = await cliJson<LeftOutResponse>(['status', '--left-out', 'docs'], { cwd: repo.dir });
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
  await cli(['index'], { cwd: repo.dir });
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
  const committed = await explain(repo, ['README.md', 'src/new.ts', '--committed']);
  assert.deepEqual([...committed.values()].map(verdict), ['indexed', 'absent absent']);
});

test('an indexed file shows chunks, symbols, vectors, its record and whether a remote has it', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const remote = createRepo({ bare: true });
  repo.git('remote', 'add', 'origin', remote.dir);
  await cli(['index'], { cwd: repo.dir });
  const local = await explain(repo, ['src/session.ts', 'README.md']);
  const { chunks, symbols, vectors, record, graph } = local.get('src/session.ts')?.file ?? assert.fail();
  assert.deepEqual([chunks, symbols, vectors.covered, record.state, graph], [1, 4, 1, 'local', 'linked']);
  assert.equal(local.get('README.md')?.file?.graph, 'none');
  repo.git('push', '-q', 'origin', 'HEAD:refs/heads/main');
  await cli(['push', 'origin'], { cwd: repo.dir });
  const shared = await explain(repo, ['src/session.ts']);
  assert.deepEqual(shared.get('src/session.ts')?.file?.record.remotes, ['origin']);
});

test('paths count from the current directory first, and the text fits names that a shell would run', async () => {
  const repo = createRepo();
  const name = 'docs/$(touch pwned)\u001b[31m.pem';
  repo.commit({ ...PROJECT, 'src/README.md': '# inner\n', [name.replace('.pem', '.lock.min.js')]: '' });
  const cwd = join(repo.dir, 'src');
  assert.deepEqual(
    [...(await explain(repo, ['README.md', 'lib/depot.py'], cwd)).keys()],
    ['src/README.md', 'lib/depot.py'],
  );
  const outside = await cli(['explain', '../../x'], { cwd });
  assert.equal(outside.code, 2);
  assert.match(outside.stderr, /outside of this repository/);
  const { stdout, code } = await cli(['explain', name.replace('.pem', '.lock.min.js')], { cwd: repo.dir });
  assert.equal(code, 1);
  assert.ok(stdout.includes("socraticode.include 'docs/$(touch pwned)\\x1b[31m.lock.min.js'"), stdout);
});

test('a failure about a file that is not indexed names the reason', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'tls/ca.pem': 'x', 'yarn.lock': 'x' });
  await cli(['index'], { cwd: repo.dir });
  const failures = {
    'similar tls/ca.pem:1': 'tls/ca.pem exists but is not indexed: looks like a secret (*.pem)',
    'graph deps yarn.lock': 'yarn.lock exists but is not indexed: a tool wrote it',
    'graph outline tls/ca.pem --ref HEAD': 'tls/ca.pem exists but is not indexed: looks like a secret (*.pem)',
    'graph deps src/sesion.ts': 'no file src/sesion.ts is indexed in this snapshot',
  };
  for (const [line, message] of Object.entries(failures)) {
    const { code, stderr } = await cli(line.split(' '), { cwd: repo.dir });
    assert.equal(code, 2, line);
    assert.ok(stderr.startsWith(`git-socraticode: ${message}`), stderr);
    if (message.includes('exists')) assert.match(stderr, /List all: git socraticode status --left-out/);
  }
});

test('index --require-complete fails where something is missing, and not for files that a rule leaves out', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'tls/ca.pem': 'x' });
  const before = await cli(['index', '--dry-run', '--require-complete'], { cwd: repo.dir });
  assert.match(before.stdout, /\nincomplete: .*4 to parse/);
  assert.equal(before.code, 1);
  assert.equal((await cli(['index', '--require-complete'], { cwd: repo.dir })).code, 0);
  const report = await cliJson<IndexReport>(['index', '--require-complete'], { cwd: repo.dir });
  assert.equal(gaps(report), '');
  const worse = { ...report, skipped: { secret: 1, unreadable: 2 }, degraded: { 'parse-timeout': 3 } };
  assert.equal(gaps(worse), '3 parse-timeout, 2 unreadable');
  const fault = { code: 'EMBEDDER_UNREACHABLE', message: 'it is down', hint: '' };
  assert.equal(
    gaps({ ...report, vectors: { ...report.vectors, covered: 1, total: 5, fault } }),
    '4 chunks without a vector',
  );
});
