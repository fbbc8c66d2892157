/** `status`, `config`, `--version` and `--help`. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { type ConfigReport, configReportSchema } from '../../src/questions/state/question.js';
import { type StatusReport, statusSchema } from '../../src/questions/status/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const status = async (repo: TestRepo, ...args: string[]): Promise<StatusReport> =>
  check(statusSchema, await cliJson(['status', ...args], { cwd: repo.dir }));

test('status before and after indexing; it writes nothing', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'image.png': Buffer.from([0x89, 0x50, 0]), '.env': 'A=1\n', 'package-lock.json': '{}' });
  const before = await status(repo);
  assert.deepEqual(before.coverage, { covered: 0, total: 4 });
  assert.deepEqual([before.records, before.next], [{ present: 0, missing: 4 }, ['git socraticode index']]);
  assert.deepEqual([existsSync(repo.state), repo.notesRefs()], [false, {}]);
  await cliJson(['index'], { cwd: repo.dir });
  repo.write({ 'new.ts': '' });
  const after = await status(repo);
  assert.deepEqual(after.coverage, { covered: 4, total: 4 });
  assert.deepEqual(after.skipped, { binary: 1, secret: 1, builtin: 1 });
  assert.deepEqual([after.records.present, after.notes.records, after.notes.ref], [4, 4, repo.notesRef]);
  assert.deepEqual([after.dirty, after.branch, after.hook.installed, after.writer], [1, 'main', false, null]);
  assert.ok(after.notes.packedBytes > 0 && after.shards.bytes > 0 && after.chunks >= 4);
  assert.equal(after.languages.typescript, 1);
  const text = await cli(['status'], { cwd: repo.dir });
  for (const word of ['coverage', '4 of 4 files', '1 secret', 'next', 'git socraticode search']) {
    assert.ok(text.stdout.includes(word), word);
  }
});

test('status of another ref, of a detached HEAD, with remotes', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  repo.git('branch', 'other');
  repo.commit({ 'extra.ts': 'export {};\n' });
  repo.git('remote', 'add', 'upstream', 'https://example.invalid/x.git');
  repo.git('checkout', '-q', '--detach');
  const report = await status(repo, '--ref', 'other');
  assert.deepEqual([report.branch, report.remotes, report.coverage.total], [null, ['upstream'], 4]);
  assert.deepEqual(report.next, ['git socraticode index --ref other']);
});

const values = async (repo: TestRepo, env: NodeJS.ProcessEnv = {}, ...args: string[]) => {
  const report: ConfigReport = check(configReportSchema, await cliJson(['config', ...args], { cwd: repo.dir, env }));
  return Object.fromEntries(report.values.map(({ key, value, origin }) => [key, [value, origin] as const]));
};

test('config --show-origin names the layer of every value', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, '.socraticode.json': '{"maxFileBytes":1100,"exclude":["a/**"],"search":{"limit":5}}' });
  assert.deepEqual((await values(repo)).maxFileBytes, [1100, '.socraticode.json']);
  assert.equal((await values(repo))['search.mode'][1], 'default');
  repo.git('config', 'socraticode.maxFileBytes', '2k');
  const [size, origin] = (await values(repo)).maxFileBytes;
  assert.equal(size, 2048);
  assert.match(origin, /^git config \(local, file:/);
  const env = { SOCRATICODE_MAX_FILE_BYTES: '3000', SOCRATICODE_SEARCH_LIMIT: '7' };
  const all = await values(repo, env);
  assert.deepEqual(all.maxFileBytes, [3000, 'environment SOCRATICODE_MAX_FILE_BYTES']);
  assert.equal(all['search.limit'][0], 7);
  const text = await cli(['config', '--show-origin'], { cwd: repo.dir, env });
  assert.match(text.stdout, /^environment SOCRATICODE_MAX_FILE_BYTES +maxFileBytes=3000$/m);
  assert.match(text.stdout, /^\.socraticode\.json +exclude=\["a\/\*\*"\]$/m);
  assert.match((await cli(['config'], { cwd: repo.dir })).stdout, /^maxFileBytes=2048$/m);
});

test('the work tree has the say for HEAD, the tree for a ref', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, '.socraticode.json': '{"maxFileBytes":1100}' });
  repo.write({ '.socraticode.json': '{"maxFileBytes":1111}' });
  assert.deepEqual((await values(repo)).maxFileBytes, [1111, '.socraticode.json']);
  const [size, origin] = (await values(repo, {}, '--ref', 'HEAD')).maxFileBytes;
  assert.equal(size, 1100);
  assert.match(origin, /^[0-9a-f]{12}:\.socraticode\.json$/);
});

const BAD_SETTINGS: [text: string, message: RegExp][] = [
  ['{"exclud":["x"]}', /unknown key "exclud"; did you mean exclude\?/],
  ['{"maxFileBytes":"big"}', /maxFileBytes is "big"; allowed/],
  ['{"maxFileBytes":1', /\.socraticode\.json:1:\d+: not valid JSON/],
  ['[]', /allowed: an object/],
];

test('bad settings are refused by every command, with the place and the nearest key', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  for (const [text, message] of BAD_SETTINGS) {
    repo.write({ '.socraticode.json': text });
    for (const command of [['index'], ['search', 'x'], ['config']]) {
      const { code, stdout, stderr } = await cli(command, { cwd: repo.dir });
      assert.deepEqual([code, stdout], [2, ''], text);
      assert.match(stderr, message);
    }
  }
  assert.deepEqual(repo.notesRefs(), {});
});

test('.socraticodeignore and exclude leave files out and say so', async () => {
  const repo = createRepo();
  repo.commit({
    ...PROJECT,
    '.socraticodeignore': 'lib/\n!lib/keep.py\n',
    '.socraticode.json': '{"exclude":["cmd/**"]}',
  });
  const report = await cliJson<{ skipped: Record<string, number> }>(['index'], { cwd: repo.dir });
  assert.deepEqual([report.skipped.ignored, report.skipped.excluded], [1, 1]);
});

test('settings that are too large to be heeded are errors, in the work tree and in a tree', async () => {
  const repo = createRepo();
  for (const [name, text] of [
    ['.socraticode.json', `{"exclude": [${'"a",'.repeat(20_000)}"b"]}`],
    ['.socraticodeignore', 'secret/**\n'.repeat(30_000)],
  ]) {
    repo.commit({ ...PROJECT, [name]: text });
    for (const command of [['index'], ['search', '--ref', 'HEAD', 'x']]) {
      const { code, stdout, stderr } = await cli(command, { cwd: repo.dir });
      assert.deepEqual([code, stdout], [2, ''], name);
      assert.match(stderr, /\.socraticode\S+ is larger than \d+ KiB\n {2}Make it smaller: /);
    }
    repo.git('rm', '-q', name);
  }
  assert.deepEqual(repo.notesRefs(), {});
});

test('--version and --help', async () => {
  assert.match((await cli(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  const help = await cli(['help', '--all']);
  assert.equal(help.code, 0);
  for (const command of ['index', 'search', 'status', 'config']) {
    assert.match(help.stdout, new RegExp(`^  ${command} `, 'm'));
    const own = await cli([command, '--help']);
    assert.deepEqual([own.code, own.stderr], [0, '']);
  }
});

test('status counts the chunks of one text in two languages twice, as the vectors are counted', async () => {
  const twice = createRepo();
  twice.commit({ 'a.md': '# Shared words\n\nOne text.\n', 'a.html': '# Shared words\n\nOne text.\n' });
  assert.equal((await cli(['index'], { cwd: twice.dir })).code, 0);
  const { chunks, vectors } = check(statusSchema, await cliJson(['status'], { cwd: twice.dir }));
  assert.equal(chunks, vectors.total);
  assert.ok(chunks >= 2);
});

test('variables of SocratiCode are named once by config, status, doctor and the server, with the setting to use', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const env = { SEARCH_DEFAULT_LIMIT: '20', SOCRATICODE_BRANCH_AWARE: 'true' };
  const said = /SEARCH_DEFAULT_LIMIT .*not read here: git config --global socraticode\.search\.limit 20$/gm;
  for (const command of [['config'], ['status'], ['doctor'], ['mcp']]) {
    const { stdout, stderr } = await cli(command, { cwd: repo.dir, env, input: '' });
    const text = stdout + stderr;
    assert.equal(text.match(said)?.length, 1, `${command}: ${text}`);
    assert.match(text, /SOCRATICODE_BRANCH_AWARE .*not read here: each branch/);
  }
  const report = check(configReportSchema, await cliJson<ConfigReport>(['config'], { cwd: repo.dir, env }));
  assert.deepEqual(
    report.unread?.map(({ name }) => name),
    ['SEARCH_DEFAULT_LIMIT', 'SOCRATICODE_BRANCH_AWARE'],
  );
  // Not after the setting was made here.
  repo.git('config', 'socraticode.search.limit', '20');
  assert.doesNotMatch((await cli(['config'], { cwd: repo.dir, env })).stdout, said);
});
