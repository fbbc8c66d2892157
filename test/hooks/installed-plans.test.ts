/** What an installation of hooks would change, and what it does change: each hook by its state, in files and in git's configuration. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConfigEntry, openRepository, type Repository, readGitConfig } from '../../src/git/repository.js';
import { findHooks, type HookPlace } from '../../src/hooks/hooks-path.js';
import {
  ALL_EVENTS,
  applyFile,
  applyPlan,
  type HookEvent,
  hasBlock,
  INDEX_EVENTS,
  isEventInstalled,
  newHookFile,
  planInstall,
  planUninstall,
  readEvents,
  readHook,
  readHookState,
  withBlock,
  withoutBlock,
} from '../../src/hooks/installed.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

const FALLBACK = { node: '/opt/node', program: '/opt/main.js' };
const PLAIN = '#!/bin/sh\necho hello\n';
const REPOSITORY = { workTree: null } as Repository;

function placeOf(target: string | null, more: Partial<HookPlace> = {}): HookPlace {
  return { manager: 'files', directory: target, target, refusal: null, managerFile: null, committed: false, ...more };
}

/** A folder with hooks, of which those that begin with `!` are not executable. */
function hooksOf(hooks: Partial<Record<HookEvent, string>>): string {
  const folder = makeDirectory('hooks');
  for (const [event, text] of Object.entries(hooks)) {
    writeFileSync(join(folder, event), Buffer.from(text.replace(/^!/, ''), 'latin1'));
    chmodSync(join(folder, event), text.startsWith('!') ? 0o644 : 0o755);
  }
  return folder;
}

const ours = (event: HookEvent, text = PLAIN) => withBlock(text, event, null);
const older = (event: HookEvent) => ours(event).replace('set +eu', 'set +e');

const entry = (name: string, variable: string, value: string, scope: ConfigEntry['scope'] = 'local'): ConfigEntry => ({
  ...{ key: `hook.${name}.${variable}`, value, scope, origin: '' },
});

test('each hook is planned by what stands in its place', () => {
  const folder = hooksOf({
    'post-commit': PLAIN,
    'post-merge': ours('post-merge'),
    'post-checkout': older('post-checkout'),
    'post-rewrite': `!${PLAIN}`,
  });
  symlinkSync(join(folder, 'post-commit'), join(folder, 'post-applypatch'));
  mkdirSync(join(folder, 'pre-push'));
  const planned = (share: boolean) => planInstall(placeOf(folder), [], { share, fallback: null }).changes;
  const expected = [
    ['post-commit', 'add', null, ours('post-commit')],
    ['post-merge', 'none', null, null],
    ['post-checkout', 'update', null, ours('post-checkout')],
    ['post-rewrite', 'refuse', 'it is not executable, so git does not run it', null],
    ['post-applypatch', 'refuse', 'it is a symbolic link', null],
  ].map(([event, kind, reason, text]) => ({ event, path: join(folder, `${event}`), kind, reason, text }));
  assert.deepEqual(planned(false), expected);
  const push = { event: 'pre-push', path: join(folder, 'pre-push'), kind: 'refuse', reason: 'it cannot be read' };
  assert.deepEqual(planned(true), [...expected, { ...push, text: null }]);
  const refused = placeOf(folder, { refusal: 'hooks are off' });
  assert.deepEqual(
    planInstall(refused, [], { share: true, fallback: null }).changes,
    ALL_EVENTS.map((event) => ({
      ...{ event, path: join(folder, event), kind: 'refuse', reason: 'hooks are off', text: null },
    })),
  );
});

test('a new hook has the paths of this machine, unless it gets committed, and managers of their own get none', () => {
  const folder = hooksOf({});
  const texts = (more: Partial<HookPlace>) =>
    planInstall(placeOf(folder, more), [], { share: true, fallback: FALLBACK }).changes.map(({ kind, text }) => [
      kind,
      text,
    ]);
  const made = (fallback: typeof FALLBACK | null) =>
    ALL_EVENTS.map((event) => ['create', newHookFile(event, fallback)]);
  assert.deepEqual(texts({}), made(FALLBACK));
  assert.deepEqual(texts({ committed: true }), made(null));
  assert.deepEqual(texts({ manager: 'lefthook' }), []);
  assert.deepEqual(texts({ manager: 'pre-commit' }), []);
});

test('an installation without sharing removes the hook of an earlier one that shared, and no hook of others', () => {
  const planned = (push: string) => {
    const folder = hooksOf({ 'pre-push': push });
    const { changes } = planInstall(placeOf(folder), [], { share: false, fallback: null });
    return changes.filter(({ event }) => event === 'pre-push').map(({ kind, text }) => [kind, text]);
  };
  assert.deepEqual(planned(ours('pre-push')), [['remove', PLAIN]]);
  assert.deepEqual(planned(newHookFile('pre-push', FALLBACK)), [['delete', null]]);
  assert.deepEqual(planned(PLAIN), []);
});

test('what is removed: a file that was ours alone, our lines of another, nothing of others and nothing where we may not write', () => {
  const folder = hooksOf({
    'post-commit': newHookFile('post-commit', FALLBACK),
    'post-merge': ours('post-merge'),
    'post-checkout': PLAIN,
    'pre-push': ours('pre-push', '#!/bin/bash\n'),
  });
  const planned = (place: HookPlace, config: ConfigEntry[] = []) => planUninstall(place, config).changes;
  const change = (event: HookEvent, kind: string, text: string | null) => ({
    ...{ event, path: join(folder, event), kind, reason: null, text },
  });
  const files = [
    change('post-commit', 'delete', null),
    change('post-merge', 'remove', PLAIN),
    change('post-checkout', 'none', null),
    change('post-rewrite', 'none', null),
    change('post-applypatch', 'none', null),
    change('pre-push', 'remove', '#!/bin/bash\n'),
  ];
  assert.deepEqual(planned(placeOf(folder)), files);
  const nothing = ALL_EVENTS.map((event) => change(event, 'none', null));
  assert.deepEqual(planned(placeOf(folder, { refusal: 'no' })), nothing);
  const config = [entry('git-socraticode', 'event', 'post-commit')];
  const section = { path: 'hook.git-socraticode', kind: 'delete', reason: null, text: null };
  assert.deepEqual(planned(placeOf(folder), config), [
    ...files,
    ...INDEX_EVENTS.map((event) => ({ event, ...section })),
  ]);
});

test('where git runs hooks of its configuration, lines in files are removed, and each section is made, renewed or left', () => {
  const folder = hooksOf({ 'post-merge': ours('post-merge'), 'post-rewrite': PLAIN, 'pre-push': ours('pre-push') });
  const place = placeOf(folder, { manager: 'config' });
  const planned = (share: boolean, config: ConfigEntry[] = []) =>
    planInstall(place, config, { share, fallback: FALLBACK }).changes.map(({ path, kind, event }) =>
      [path.replace(`${folder}/`, ''), kind, event].join(' '),
    );
  const sections = (name: string, kind: string, events: readonly HookEvent[]) =>
    events.map((event) => `hook.${name} ${kind} ${event}`);
  const inFiles = ['post-merge remove post-merge', 'pre-push remove pre-push'];
  const index = (kind: string) => sections('git-socraticode', kind, INDEX_EVENTS);
  const share = (kind: string) => sections('git-socraticode-share', kind, ['pre-push']);
  assert.deepEqual(planned(false), [...inFiles, ...index('create')]);
  assert.deepEqual(planned(true), [...inFiles, ...index('create'), ...share('create')]);
  const { changes } = planInstall(place, [], { share: true, fallback: FALLBACK });
  const commandOf = (path: string) => changes.find((each) => each.path === path)?.text ?? '';
  const written = (name: string, events: readonly HookEvent[], scope?: ConfigEntry['scope']) => [
    entry(name, 'command', commandOf(`hook.${name}`), scope),
    ...events.map((event) => entry(name, 'event', event, scope)),
  ];
  const both = [...written('git-socraticode', INDEX_EVENTS), ...written('git-socraticode-share', ['pre-push'])];
  assert.deepEqual(planned(true, both), [...inFiles, ...index('none'), ...share('none')]);
  assert.deepEqual(planned(false, both), [...inFiles, ...share('delete'), ...index('none')]);
  const one = written('git-socraticode', INDEX_EVENTS.slice(1));
  assert.deepEqual(planned(false, one), [...inFiles, ...index('update')]);
  const other = [...written('git-socraticode', INDEX_EVENTS).slice(1), entry('git-socraticode', 'command', 'old')];
  assert.deepEqual(planned(false, other), [...inFiles, ...index('update')]);
  assert.deepEqual(planned(false, written('git-socraticode', INDEX_EVENTS, 'global')), [
    ...inFiles,
    ...index('create'),
  ]);
  assert.match(commandOf('hook.git-socraticode'), /socraticode_event="post-event-\$#"[\s\S]*\/opt\/node[\s\S]*\n:$/);
  assert.match(
    commandOf('hook.git-socraticode-share'),
    /^socraticode_pusher=[\s\S]*socraticode_event=pre-push\n[\s\S]*\n:$/,
  );
});

test('a hook is installed, outdated, of somebody else, or not there', () => {
  const folder = hooksOf({
    'post-commit': ours('post-commit'),
    'post-merge': older('post-merge'),
    'post-checkout': PLAIN,
    'post-rewrite': `!${ours('post-rewrite')}`,
    'post-applypatch': '#!/bin/sh\ngit-socraticode hooks run\n',
  });
  const states = (place: HookPlace) => readEvents(REPOSITORY, place, []).map(({ state }) => state);
  const here = ['installed', 'outdated', 'foreign', 'foreign', 'installed', 'absent'];
  assert.deepEqual(states(placeOf(folder)), here);
  // Husky runs files whatever their mode.
  assert.deepEqual(
    states(placeOf(folder, { manager: 'husky' })),
    here.map((state, i) => (i === 3 ? 'installed' : state)),
  );
  assert.deepEqual(
    states(placeOf(null)),
    ALL_EVENTS.map(() => 'absent'),
  );
  const first = readEvents(REPOSITORY, placeOf(folder), [])[0];
  assert.deepEqual(first, { event: 'post-commit', state: 'installed', path: join(folder, 'post-commit') });
  const isIn = (event: HookEvent) => isEventInstalled(REPOSITORY, placeOf(folder), [], event);
  assert.deepEqual(ALL_EVENTS.map(isIn), [true, true, false, false, true, false]);
  // Paths of another machine make no other version.
  const elsewhere = hooksOf({ 'post-commit': withBlock(PLAIN, 'post-commit', { ...FALLBACK, node: "/it's/node" }) });
  assert.equal(states(placeOf(elsewhere))[0], 'installed');
  writeFileSync(join(folder, 'post-checkout'), Buffer.alloc((1 << 20) + 1, 'git-socraticode '));
  assert.equal(states(placeOf(folder))[2], 'foreign', 'too large to be read');
});

test("a hook of git's configuration is installed where git reads those, by sections of the repository alone", () => {
  const folder = hooksOf({});
  const config = (scope?: ConfigEntry['scope']) => [
    entry('git-socraticode-share', 'command', 'x', scope),
    entry('git-socraticode-share', 'event', 'pre-push', scope),
  ];
  const push = (manager: HookPlace['manager'], entries: ConfigEntry[]) => {
    const { state, path } = readEvents(REPOSITORY, placeOf(folder, { manager }), entries)[5];
    return [state, path];
  };
  assert.deepEqual(push('config', config()), ['installed', 'hook.git-socraticode-share']);
  assert.deepEqual(push('files', config()), ['absent', join(folder, 'pre-push')]);
  assert.deepEqual(push('config', config('global')), ['absent', join(folder, 'pre-push')]);
  assert.deepEqual(push('config', [...config(), entry('git-socraticode-share', 'enabled', 'no')])[0], 'absent');
});

test('the state of the repository is that of its hook after a commit, an outdated one included', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const path = join(repo.commonDir, 'hooks/post-commit');
  const state = () => readHookState(repository, []);
  assert.deepEqual(await state(), { installed: false, path });
  for (const [text, installed] of [
    [older('post-commit'), true],
    [ours('post-commit'), true],
    [PLAIN, false],
  ] as const) {
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    assert.deepEqual(await state(), { installed, path });
  }
});

test('a plan is carried out as it stands: files keep their mode, and sections have their command first', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const hooks = join(repo.dir, 'own/hooks');
  const place = placeOf(hooks);
  const config = async () => (await readGitConfig(repository.git)).filter(({ key }) => key.startsWith('hook.'));
  await applyPlan(repository, planInstall(place, [], { share: false, fallback: null }));
  assert.equal(readHook(join(hooks, 'post-merge')), newHookFile('post-merge', null));
  assert.equal(statSync(join(hooks, 'post-merge')).mode & 0o100, 0o100);
  writeFileSync(join(hooks, 'post-commit'), Buffer.from('#!/bin/sh\necho \xff\n', 'latin1'));
  chmodSync(join(hooks, 'post-commit'), 0o750);
  await applyPlan(repository, planInstall(place, [], { share: false, fallback: null }));
  const grown = readHook(join(hooks, 'post-commit')) ?? '';
  assert.deepEqual([hasBlock(grown), withoutBlock(grown)], [true, '#!/bin/sh\necho \xff\n']);
  assert.equal(statSync(join(hooks, 'post-commit')).mode & 0o777, 0o750);
  assert.deepEqual(await config(), []);

  const inConfig = { ...place, manager: 'config' as const };
  repo.git('config', 'hook.git-socraticode.command', 'old');
  repo.git('config', 'hook.git-socraticode.event', 'pre-commit');
  const plan = planInstall(inConfig, await config(), { share: true, fallback: null });
  await applyPlan(repository, plan);
  const [index, share] = ['hook.git-socraticode', 'hook.git-socraticode-share'];
  const commandOf = (path: string) => plan.changes.find((each) => each.path === path)?.text;
  const named = async () => (await config()).map(({ key, value }) => [key, value]);
  const sections = [
    [`${index}.command`, commandOf(index)],
    ...INDEX_EVENTS.map((event) => [`${index}.event`, event]),
    [`${share}.command`, commandOf(share)],
    [`${share}.event`, 'pre-push'],
  ];
  assert.deepEqual(await named(), sections);
  assert.equal(existsSync(join(hooks, 'post-merge')), false);
  assert.equal(readHook(join(hooks, 'post-commit')), '#!/bin/sh\necho \xff\n');
  // Once more changes nothing, and without sharing one section goes.
  await applyPlan(repository, planInstall(inConfig, await config(), { share: true, fallback: null }));
  assert.deepEqual(await named(), sections);
  await applyPlan(repository, planInstall(inConfig, await config(), { share: false, fallback: null }));
  assert.deepEqual(await named(), sections.slice(0, 1 + INDEX_EVENTS.length));
  await applyPlan(repository, planUninstall(place, await config()));
  assert.deepEqual([await named(), readFileSync(join(hooks, 'post-commit'), 'latin1')], [[], '#!/bin/sh\necho \xff\n']);
});

test('what cannot be deleted or created is told with its path', () => {
  const folder = hooksOf({ 'post-commit': PLAIN });
  const change = { event: 'post-commit' as const, reason: null, text: null };
  const missing = join(folder, 'missing');
  assert.throws(() => applyFile({ ...change, kind: 'delete', path: missing }), {
    ...{ code: 'DISK', message: /^cannot delete .*missing: ENOENT/ },
  });
  const below = join(folder, 'post-commit/hooks/post-merge');
  assert.throws(() => applyFile({ ...change, kind: 'create', path: below, text: PLAIN }), {
    ...{ code: 'DISK', message: /^cannot create .*post-commit\/hooks: / },
  });
  applyFile({ ...change, kind: 'none', path: missing });
  assert.equal(existsSync(missing), false);
});

test("a manager's file runs us for an event if it names both, and is told as the place", () => {
  const workTree = makeDirectory('managed');
  writeFileSync(join(workTree, 'lefthook.yml'), 'post-merge:\n  run: git-socraticode index\n');
  const place = placeOf(join(workTree, 'hooks'), { manager: 'lefthook', managerFile: 'lefthook.yml' });
  const stateOf = (repository: Partial<Repository>, more: Partial<HookPlace> = {}) =>
    readEvents(repository as Repository, { ...place, ...more }, [])[1];
  const path = join(workTree, 'lefthook.yml');
  assert.deepEqual(stateOf({ workTree }), { event: 'post-merge', state: 'installed', path });
  assert.equal(stateOf({ workTree: null }).state, 'absent');
  assert.equal(stateOf({ workTree }, { managerFile: null }).state, 'absent');
  writeFileSync(path, 'post-merge:\n  run: make\n');
  assert.equal(stateOf({ workTree }).state, 'absent');
  rmSync(path);
  assert.equal(stateOf({ workTree }).state, 'absent');
});

test('husky is one level up, and a manager that is found by its files is named with them', async () => {
  const repo = createRepo().write({ '.husky/_/h': '', 'tools/lefthook.yml': '' });
  const repository = await openRepository(repo.dir);
  const path: ConfigEntry = { key: 'core.hookspath', value: '.husky/_', scope: 'local', origin: '' };
  const find = (version: string) => findHooks(repository, [path], `git version ${version}`);
  const husky = {
    ...{ directory: join(repo.dir, '.husky/_'), target: join(repo.dir, '.husky'), refusal: null, managerFile: null },
  };
  assert.deepEqual(find('2.53.0'), { ...husky, manager: 'husky', committed: true });
  assert.deepEqual(find('2.54.0'), { ...husky, manager: 'config', committed: false });
  repo.write({ 'prek.toml': '' });
  const hooks = join(repo.commonDir, 'hooks');
  assert.deepEqual(findHooks(repository, [], 'git version 2.54.0'), {
    ...{ directory: hooks, target: hooks, committed: false, managerFile: 'prek.toml', manager: 'pre-commit' },
    refusal: null,
  });
  repo.write({ '.config/lefthook.json': '' });
  assert.equal(findHooks(repository, [], 'git version 2.54.0').managerFile, '.config/lefthook.json');
});

test('our lines go after the first line and directives of a hook; in one without a first line to its top, or below a comment', () => {
  const block = ours('post-commit', '#!/bin/sh\n').slice('#!/bin/sh\n'.length);
  for (const [text, expected] of [
    ['#!/bin/sh\n# shellcheck disable=SC1\necho\n', `#!/bin/sh\n# shellcheck disable=SC1\n${block}echo\n`],
    ['npm test', `${block}npm test`],
    ['npm test\n', `${block}npm test\n`],
    ['# tests\nnpm test\n', `${block}# tests\nnpm test\n`],
    ['#!/bin/sh', `#!/bin/sh\n${block.slice(0, -1)}`],
  ])
    assert.equal(ours('post-commit', text), expected, text);
});

test('lines that are half there, or do not begin a line, are none of ours', () => {
  const [begin, end] = ['# >>> git-socraticode >>>', '# <<< git-socraticode <<<'];
  for (const text of [
    `${PLAIN}${begin}\nx\n`,
    `${PLAIN}${begin} x\n${end}\n`,
    `x${begin}\n${end}\n`,
    `${PLAIN}echo ${begin}\n${end}\n`,
    `${PLAIN}${begin}\nx\n${end} x\n`,
  ]) {
    assert.equal(hasBlock(text), false, text);
    assert.equal(withoutBlock(text), text);
  }
  assert.equal(withoutBlock(`${begin}\nx\n${end}\n${PLAIN}`), PLAIN);
});

test('a section of another name that ends alike is not ours', () => {
  const entries = [{ ...entry('git-socraticode', 'command', 'x'), key: 'a.hook.git-socraticode.command' }];
  const { changes } = planUninstall(placeOf(hooksOf({})), entries);
  assert.deepEqual(
    changes.filter(({ kind }) => kind !== 'none'),
    [],
  );
});
