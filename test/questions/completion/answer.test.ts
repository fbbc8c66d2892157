/** The completion scripts in real shells, in a repository whose names try to run something. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SCRIPTS } from '../../../src/questions/completion/answer.js';
import { CLI } from '../../support/processes/cli.js';
import { pathWith } from '../../support/repositories/hooks.js';
import { createRepo, makeDirectory } from '../../support/repositories/repo.js';

const PATH = pathWith('git-socraticode', `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);

function inShell(shell: string, script: string, cwd: string): string[] {
  const { stdout, stderr, status } = spawnSync(shell, ['-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH },
  });
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter((line) => line !== '');
}

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** Prints the candidates for the words of one command line. */
const bash = (words: string) =>
  `${SCRIPTS.bash}\nCOMP_WORDS=(git socraticode ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _git_socraticode; printf '%s\\n' "\${COMPREPLY[@]}"`;

test('bash completes commands, options and refs, and runs no name of the repository', { skip: !has('bash') }, () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own.
  const hostile = 'zz$(touch${IFS}pwned)`touch${IFS}pwned`';
  repo.git('branch', 'zfeature');
  repo.git('branch', hostile);
  const { dir } = repo;
  assert.deepEqual(inShell('bash', bash('graph imp'), dir), ['impact']);
  assert.deepEqual(inShell('bash', bash('graph impact --dep'), dir), ['--depth']);
  assert.deepEqual(inShell('bash', bash('search --ref zf'), dir), ['zfeature']);
  const [quoted, ...others] = inShell('bash', bash('search --ref zz'), dir);
  assert.deepEqual(others, []);
  assert.ok(!existsSync(join(dir, 'pwned')), 'completing runs nothing');
  assert.deepEqual(inShell('bash', `printf '%s\\n' ${quoted}`, dir), [hostile]);
  assert.ok(!existsSync(join(dir, 'pwned')), 'the completed word is one literal word');
});

test('names that no terminal shows as they are, are not offered', { skip: !has('bash') }, () => {
  const repo = createRepo();
  repo.commit({ 'src/a\u001b[2Jb.ts': 'x\n', 'src/é.ts': 'y\n' });
  assert.deepEqual(inShell('bash', `${bash('graph deps src/')} | cat -v`, repo.dir).length, 1);
});

test('fish completes git socraticode as soon as it is installed, and git itself as before', {
  skip: !has('fish'),
}, () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const HOME = makeDirectory('fish-home');
  const env = { ...process.env, PATH, HOME, XDG_CONFIG_HOME: join(HOME, '.config'), XDG_DATA_HOME: join(HOME, 'data') };
  const run = (program: string, ...words: string[]) =>
    spawnSync(program, words, { cwd: repo.dir, encoding: 'utf8', env }).stdout;
  run('git', 'socraticode', 'completion', 'fish', '--install');
  assert.match(run('fish', '-c', 'complete -C "git socraticode graph imp"'), /^impact\t/);
  assert.match(run('fish', '-c', 'complete -C "git-socraticode graph imp"'), /^impact\t/);
  assert.match(run('fish', '-c', 'complete -C "git checko"'), /^checkout\b/);
});
