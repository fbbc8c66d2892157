/** This repository's own hooks: what gets installed elsewhere, run by husky, and our lint before a commit. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { INDEX_EVENTS } from '../../src/hooks/installed.js';
import { CLI, cliJson } from '../support/processes/cli.js';
import { capturedGit, cleanPath, logged, pathWith } from '../support/repositories/hooks.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { ROOT } from './root.js';

const HOOKS = fileURLToPath(new URL('hooks/', ROOT));
const HUSKY = fileURLToPath(new URL('node_modules/husky/bin.js', ROOT));
const NAMES = [...INDEX_EVENTS, 'commit-msg', 'pre-commit', 'shim.sh'].sort();

test('hooks are valid POSIX shell; those that git runs are executable', () => {
  const names = readdirSync(HOOKS, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  assert.deepEqual(names.sort(), NAMES);
  for (const name of names) {
    const text = readFileSync(join(HOOKS, name), 'utf8');
    if (name !== 'shim.sh') assert.match(text, /^#!\/bin\/sh\n/);
    for (const shell of ['sh', 'dash', 'bash', 'busybox sh', 'shellcheck --shell=sh --severity=warning']) {
      const [program, ...flags] = shell.split(' ');
      const check = program === 'shellcheck' ? [] : ['-n'];
      const { status, stdout, error } = spawnSync(program, [...flags, ...check, join(HOOKS, name)], {
        encoding: 'utf8',
      });
      if (error === undefined) assert.equal(status, 0, `${shell}: ${stdout}`);
    }
    // The mode that git records; a checkout without modes has nothing to check.
    const listed = spawnSync('git', ['ls-files', '--stage', `hooks/${name}`], { cwd: HOOKS.replace(/hooks.$/, '') });
    const mode = name === 'shim.sh' ? /^100644 / : /^100755 /;
    if (listed.status === 0 && listed.stdout.length > 0) assert.match(listed.stdout.toString(), mode, name);
  }
});

test('the five hooks are one text, and the package holds it', () => {
  const texts = INDEX_EVENTS.map((event) => readFileSync(join(HOOKS, event), 'utf8'));
  assert.equal(new Set(texts).size, 1);
  const { files } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { files: string[] };
  // Those of this project alone, such as `pre-commit`, stay out.
  const shipped = files.filter((pattern) => pattern.startsWith('hooks'));
  assert.deepEqual(shipped.sort(), ['hooks/post-*', 'hooks/shim.sh']);
});

test("another project's build beside its hooks is not taken for the program", () => {
  const project = makeDirectory('foreign');
  for (const name of ['hooks', 'dist/cli']) mkdirSync(join(project, name), { recursive: true });
  for (const name of ['post-commit', 'shim.sh']) cpSync(join(HOOKS, name), join(project, 'hooks', name));
  writeFileSync(join(project, 'package.json'), '{\n  "name": "their-cli"\n}\n');
  const hook = join(project, 'hooks', 'post-commit');
  const trace = () => spawnSync('sh', ['-x', hook], { env: { ...process.env, PATH: cleanPath() }, encoding: 'utf8' });
  assert.doesNotMatch(trace().stderr, /program=.*main\.js/);
  // The same layout under our own name is what the repository of the program looks like.
  writeFileSync(join(project, 'package.json'), '{\n  "name": "git-socraticode"\n}\n');
  assert.match(trace().stderr, /program=.*main\.js/);
});

test('run by husky from a folder of the repository, and recognised by status', async () => {
  const repo = createRepo();
  mkdirSync(join(repo.dir, 'hooks'));
  for (const name of NAMES) cpSync(join(HOOKS, name), join(repo.dir, 'hooks', name));
  const husky = spawnSync(process.execPath, [HUSKY, 'hooks'], { cwd: repo.dir, encoding: 'utf8' });
  assert.deepEqual([husky.status, repo.git('config', 'core.hooksPath')], [0, 'hooks/_'], husky.stderr);
  const path = pathWith('git-socraticode', `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  repo.write({ 'a.ts': 'export const a = 1;\n' });
  repo.git('-c', 'core.hooksPath=/dev/null', 'add', 'a.ts');
  const { status, stderr } = capturedGit(repo.dir, ['commit', '-m', 'test: add a file'], { PATH: path });
  assert.deepEqual([status, stderr], [0, '']);
  await logged(repo, /indexed .*post-commit/);
  const { hook } = await cliJson<{ hook: { installed: boolean } }>(['status'], { cwd: repo.dir });
  assert.equal(hook.installed, true);
});

test('in the repository of the program, its build is what runs', async () => {
  const repo = createRepo();
  for (const name of ['hooks', 'dist/cli']) mkdirSync(join(repo.dir, name), { recursive: true });
  for (const name of NAMES) cpSync(join(HOOKS, name), join(repo.dir, 'hooks', name));
  const said = join(makeDirectory('said'), 'args');
  const program = `require('fs').writeFileSync(${JSON.stringify(said)}, process.argv.slice(2).join(' '));\n`;
  repo.write({ 'package.json': '{\n  "name": "git-socraticode"\n}\n', 'dist/cli/main.js': program });
  chmodSync(join(repo.dir, 'dist/cli/main.js'), 0o755);
  repo.git('config', 'core.hooksPath', 'hooks');
  repo.git('add', 'hooks');
  assert.equal(capturedGit(repo.dir, ['commit', '-m', 'test: add hooks']).status, 0);
  const words = () => (existsSync(said) ? readFileSync(said, 'utf8') : '');
  for (let i = 0; i < 200 && words() === ''; i++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(words(), `-C ${repo.commonDir} hooks run`);
});
