/** S6: a repository that tries to make us run something, or look somewhere else. Every command leaves a canary. */
import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SearchResponse } from '../../src/engine/contract.js';
import { cli, cliJson } from '../support/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repo.js';
import { PROJECT } from '../support/samples.js';

const HOOKS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'post-commit', 'pre-rebase'],
  ...['post-checkout', 'post-merge', 'pre-push', 'pre-auto-gc', 'post-rewrite', 'reference-transaction'],
  ...['post-index-change', 'fsmonitor-watchman', 'update', 'pre-receive', 'post-receive', 'post-update'],
];

const ATTRIBUTES = '*.ts filter=evil diff=evil merge=evil\n*.py filter=e=vil diff=evil\n*.go filter=proc\n';

/** A command that leaves a file named after what ran it; `%` in the name stands for itself. */
function canary(directory: string, name: string): string {
  const script = join(directory, `run-${name}`);
  writeFileSync(script, `#!/bin/sh\ntouch '${join(directory, 'sung', name)}'\ncat\n`);
  chmodSync(script, 0o755);
  return script;
}

function hostileConfig(directory: string): string {
  const run = (name: string) => canary(directory, name);
  const included = join(directory, 'included.config');
  writeFileSync(
    included,
    `[filter "incl"]\n\tclean = ${run('include-clean')}\n[core]\n\tpager = ${run('include-pager')}\n`,
  );
  const hooks = join(directory, 'hooks');
  mkdirSync(hooks);
  for (const hook of HOOKS) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\nexec ${run(`hook-${hook}`)}\n`);
    chmodSync(join(hooks, hook), 0o755);
  }
  const filters = ['evil', 'e=vil', 'proc'].map(
    (name) =>
      `[filter "${name}"]\n\tclean = ${run(`clean-${name}`)}\n\tsmudge = ${run(`smudge-${name}`)}\n\trequired\n`,
  );
  return `[core]
	fsmonitor = ${run('fsmonitor')}
	hooksPath = ${hooks}
	sshCommand = ${run('ssh')}
	pager = ${run('pager')}
	editor = ${run('editor')}
	askPass = ${run('askpass')}
	gitProxy = ${run('proxy')}
	alternateRefsCommand = ${run('alternates')}
[sequence]
	editor = ${run('sequence')}
[diff]
	external = ${run('diff-external')}
[diff "evil"]
	textconv = ${run('textconv')}
	command = ${run('diff-command')}
[merge "evil"]
	driver = ${run('merge')}
[alias]
	cat-file = !${run('alias-cat-file')}
	status = !${run('alias-status')}
	socraticode-x = !${run('alias')}
[credential]
	helper = !${run('credential')}
[gpg]
	program = ${run('gpg')}
[log]
	showSignature = true
[pager]
	status = ${run('pager-status')}
	config = true
	notes = true
[uploadpack]
	packObjectsHook = ${run('pack-objects')}
[remote "origin"]
	url = ext::${run('ext')}
	uploadpack = ${run('uploadpack')}
	promisor = true
	partialclonefilter = blob:none
[status]
	submoduleSummary = true
[trace2]
	eventTarget = ${join(directory, 'sung', 'trace2')}
[include]
	path = ${included}
${filters.join('')}[filter "proc"]
	process = ${run('process')}
`;
}

interface Hostile {
  repo: TestRepo;
  sung: () => string[];
}

function hostileRepo(): Hostile {
  const repo = createRepo();
  repo.commit({ ...PROJECT, '.gitattributes': ATTRIBUTES });
  const directory = makeDirectory('canary');
  mkdirSync(join(directory, 'sung'));
  // The stat data in git's index must be out of date, or filters have no reason to run.
  for (const path of ['src/session.ts', 'lib/depot.py', 'cmd/main.go']) repo.write({ [path]: `${PROJECT[path]}\n` });
  appendFileSync(join(repo.commonDir, 'config'), hostileConfig(directory));
  return { repo, sung: () => readdirSync(join(directory, 'sung')) };
}

test('no command that the repository names is run', async () => {
  const { repo, sung } = hostileRepo();
  const commands = [
    ['index'],
    ['search', 'rememberToken'],
    ['status'],
    ['config', '--show-origin'],
    ['index', '--dry-run'],
  ];
  for (const command of commands) {
    const { code, stderr } = await cli(command, { cwd: repo.dir });
    assert.equal(code, 0, stderr);
    assert.deepEqual(sung(), [], command.join(' '));
  }
  repo.write({ 'src/new.ts': 'export const again = 1;\n' });
  assert.equal((await cli(['search', 'again', '--ref', 'main'], { cwd: repo.dir })).stderr, '');
  assert.deepEqual(sung(), []);
});

test('the canaries are alive: git itself runs them', () => {
  const { repo, sung } = hostileRepo();
  repo.git('add', 'src/session.ts');
  assert.ok(sung().length >= 2, sung().join());
});

test('replacement refs and grafts change nothing', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const real = repo.git('rev-parse', 'HEAD:src/session.ts');
  const fake = repo.blob('export function injectedByReplacement(): void {}\n');
  repo.git('replace', real, fake);
  const fakeCommit = repo.git('commit-tree', '-m', 'fake', repo.git('mktree'));
  repo.git('replace', repo.git('rev-parse', 'HEAD'), fakeCommit);
  const response = await cliJson<SearchResponse>(['search', 'rememberToken'], { cwd: repo.dir });
  assert.equal(response.results[0].path, 'src/session.ts');
  assert.ok(response.results[0].content?.includes('rememberToken(user'));
  assert.equal((await cli(['search', 'injectedByReplacement'], { cwd: repo.dir })).code, 1);
});

test('variables inherited from another repository do not leak with -C', async () => {
  const [here, other] = [createRepo(), createRepo()];
  const commit = here.commit(PROJECT);
  other.commit({ 'other.ts': 'export function fromTheOtherRepository(): void {}\n' });
  const env = {
    ...{ GIT_DIR: join(other.dir, '.git'), GIT_WORK_TREE: other.dir, GIT_INDEX_FILE: join(other.dir, '.git/index') },
    ...{ GIT_OBJECT_DIRECTORY: join(other.dir, '.git/objects'), GIT_COMMON_DIR: join(other.dir, '.git') },
    ...{ GIT_NAMESPACE: 'evil', GIT_PREFIX: 'src/', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'socraticode.exclude' },
    ...{ GIT_CONFIG_VALUE_0: '**', GIT_CONFIG_PARAMETERS: "'socraticode.include'='nothing'" },
  };
  const response = await cliJson<SearchResponse>(['-C', here.dir, 'search', 'rememberToken'], { env });
  assert.deepEqual([response.commit, response.coverage.total], [commit, 4]);
  assert.equal(existsSync(other.state), false);
  assert.deepEqual(other.notesRefs(), {});
  const { GIT_DIR, GIT_WORK_TREE } = env;
  const asked = await cliJson<SearchResponse>(['search', 'fromTheOtherRepository'], {
    cwd: here.dir,
    env: { GIT_DIR, GIT_WORK_TREE },
  });
  assert.equal(asked.results[0].path, 'other.ts');
});

test('settings files that are symlinks are not followed', async () => {
  const repo = createRepo();
  const outside = join(makeDirectory(), 'outside.json');
  writeFileSync(outside, '{"exclude":["**"]}');
  repo.commit(PROJECT);
  symlinkSync(outside, join(repo.dir, '.socraticode.json'));
  repo.commit();
  const report = await cliJson<{ values: { key: string; value: unknown }[] }>(['config'], { cwd: repo.dir });
  assert.deepEqual(report.values.find(({ key }) => key === 'exclude')?.value, []);
  const tree = await cliJson<{ values: { key: string; value: unknown }[] }>(['config', '--ref', 'HEAD'], {
    cwd: repo.dir,
  });
  assert.deepEqual(tree.values.find(({ key }) => key === 'exclude')?.value, []);
});
