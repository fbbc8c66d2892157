/** The log of a repository, as commands write it: what changed and what failed, and nothing where nothing did. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type LogLine, readLog } from '../../src/base/log.js';
import { cli } from '../support/processes/cli.js';
import { cleanPath, logged } from '../support/repositories/hooks.js';
import { createRepo, runGit } from '../support/repositories/repo.js';

const ALL = Number.MAX_SAFE_INTEGER;

test('a run that changed something is one line; searches and status write nothing', async () => {
  const repo = createRepo();
  const head = repo.commit({ 'a.ts': 'export const numbat = 1;\n' });
  assert.equal((await cli(['status'], { cwd: repo.dir })).code, 0);
  assert.equal(existsSync(repo.state), false);
  await cli(['index'], { cwd: repo.dir });
  const [line, ...more] = readLog(repo.state, ALL) as [LogLine, ...LogLine[]];
  assert.deepEqual([line.level, line.command, line.event, more], ['info', 'index', 'index', []]);
  assert.deepEqual([line.data.commit, line.data.new, line.data.blobs], [head.slice(0, 9), 1, 1]);
  assert.ok(Number(line.data.bytes) > 0 && Number(line.data.ms) > 0 && Date.parse(line.time) > 0);
  const before = snapshot(repo.state);
  for (const args of [
    ['index'],
    ['search', 'numbat'],
    ['search', 'nothing like it'],
    ['status'],
    ['config'],
    ['doctor'],
  ])
    await cli(args, { cwd: repo.dir });
  for (const args of [
    ['search', ''],
    ['search', '--ref', 'nowhere', 'x'],
    ['graph', 'deps', 'nowhere.ts'],
  ])
    assert.equal((await cli(args, { cwd: repo.dir })).code, 2);
  assert.deepEqual(snapshot(repo.state), before);
});

const snapshot = (directory: string): string[] =>
  (readdirSync(directory, { recursive: true }) as string[])
    .map((name) => ({ name, stat: statSync(join(directory, name)) }))
    // What a search keeps for the next one is no part of the log, and where it looks is touched.
    .flatMap(({ name, stat }) =>
      /view-|overlay-|graphs|commits|subjects-|checked|notes/.test(name) || stat.isDirectory()
        ? []
        : [`${name} ${stat.mtimeMs}`],
    )
    .sort();

test('a failure is logged with its code, without what was asked for', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const numbat = 1;\n' });
  await cli(['index'], { cwd: repo.dir });
  repo.commit({ 'b.ts': 'export const quoll = 1;\n' });
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  runGit(['update-ref', 'refs/heads/kept', 'HEAD'], { cwd: repo.dir });
  rmSync(join(repo.dir, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
  const { code, stderr } = await cli(['search', 'secret words'], { cwd: repo.dir });
  assert.deepEqual([code, /what HEAD names is missing/.test(stderr), /git fsck/.test(stderr)], [2, true, true]);
  const last = readLog(repo.state, 1)[0];
  assert.deepEqual([last.level, last.command, last.data.code], ['error', 'search', 'UNREADABLE_OBJECT']);
  assert.doesNotMatch(readFileSync(join(repo.state, 'log.jsonl'), 'utf8'), /secret words|numbat|quoll/);
});

test('what changes records otherwise is a line each, and nothing where nothing changes', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const numbat = 1;\n' });
  for (const command of ['export', 'compact']) await cli([command], { cwd: repo.dir });
  const [profile] = Object.keys(repo.notesRefs()).map((ref) => ref.split('/').at(-1) ?? '');
  await cli(['remove', '--profile', profile], { cwd: repo.dir });
  for (const command of ['import', 'import', 'fsck', 'compact']) await cli([command], { cwd: repo.dir });
  const events = readLog(repo.state, ALL).map(({ event, data }) => [
    event,
    data.added ?? data.profile ?? data.refs ?? null,
  ]);
  assert.deepEqual(events, [
    ['index', null],
    ['remove', profile],
    ['import', 1],
  ]);
});

test('-v may stand before or behind the command', async () => {
  for (const args of [
    ['-v', 'index'],
    ['index', '--verbose'],
    ['index', '-v'],
  ]) {
    const repo = createRepo();
    repo.commit({ 'a.ts': 'export const numbat = 1;\n' });
    const { code, stderr } = await cli(args, { cwd: repo.dir });
    assert.deepEqual([code, /^git-socraticode: indexed HEAD/m.test(stderr)], [0, true], stderr);
  }
});

test('what node says of a broken installation is shown where hooks are asked about', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const numbat = 1;\n' });
  await cli(['hooks', 'install'], { cwd: repo.dir });
  const commit = () => {
    const env = { PATH: cleanPath() };
    runGit(['commit', '-q', '--allow-empty', '-m', 'x'], { cwd: repo.dir, env });
  };
  commit();
  await logged(repo, / indexed /);
  assert.equal(existsSync(join(repo.state, 'hook.stderr')), false);
  const hook = join(repo.dir, '.git', 'hooks', 'post-commit');
  const broken = join(repo.dir, '.git', 'broken.mjs');
  writeFileSync(broken, "import './gone.mjs';\n");
  writeFileSync(
    hook,
    readFileSync(hook, 'utf8').replace(/socraticode_program='[^']*'/, `socraticode_program='${broken}'`),
  );
  commit();
  const output = join(repo.state, 'hook.stderr');
  for (let i = 0; i < 200 && !(existsSync(output) && statSync(output).size > 0); i++)
    await new Promise((resolve) => setTimeout(resolve, 25));
  const { stdout } = await cli(['hooks', 'status'], { cwd: repo.dir });
  assert.match(stdout, /the last worker said:\n[\s\S]*gone\.mjs/);
  const { code, stdout: said } = await cli(['doctor'], { cwd: repo.dir, env: { PATH: cleanPath() } });
  assert.deepEqual([code, /! {2}worker .*could not run/.test(said)], [1, true], said);
});
