/** S6: a repository that tries to make us run something, or look somewhere else. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { campaign } from '../support/campaigns/campaign.js';
import { assertEveryCommand, everyCommand } from '../support/campaigns/every-command.js';
import { type Canaries, hostileRepo, makeCanaries } from '../support/hostile/canaries.js';
import { cli } from '../support/processes/cli.js';
import { createRepo, makeDirectory, runGit, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { startServer } from '../support/servers/mcp.js';
import { assertCalm, makeSpy, runHere, type Spy } from '../support/spies/spy.js';

const QUESTIONS: readonly [string, Record<string, unknown>][] = [
  ['codebase_search', { query: 'rememberToken' }],
  ['codebase_symbol', { name: 'rememberToken' }],
  ['codebase_impact', { target: 'rememberToken' }],
  ['codebase_read', { targets: ['src/session.ts', 'login'] }],
  ['codebase_grep', { pattern: 'rememberToken' }],
  ['codebase_similar', { snippet: 'rememberToken(user)' }],
  ['codebase_references', { name: 'login' }],
  ['codebase_why', { target: 'src/login.ts:4' }],
  ['codebase_coupling', { target: 'src/login.ts' }],
  ['codebase_tests', { target: 'login' }],
  ['codebase_owners', { paths: ['src/login.ts'], lines: true }],
  ['codebase_hotspots', {}],
  ['codebase_outline', {}],
  ['codebase_pack', { task: 'rememberToken' }],
  ['codebase_status', {}],
  ['codebase_history', { query: 'rememberToken' }],
  ['codebase_diff', { base: 'HEAD~1', head: 'HEAD' }],
  ['codebase_conflicts', {}],
  ['codebase_graph_visualize', {}],
  ['codebase_graph_build', {}],
  ['codebase_context', {}],
  ['codebase_update', {}],
  ['codebase_health', {}],
  ['codebase_list_projects', {}],
];

/** The ways in which a directory can be a repository. */
const LAYOUTS = {
  plain: (repo: TestRepo) => repo.dir,
  /** A `.git` file, and a `commondir` that leads to the rest. */
  elsewhere(repo: TestRepo) {
    const moved = join(makeDirectory('elsewhere'), 'common');
    renameSync(join(repo.dir, '.git'), moved);
    const own = join(makeDirectory('own'), 'git');
    mkdirSync(own);
    for (const name of ['HEAD', 'index']) cpSync(join(moved, name), join(own, name));
    writeFileSync(join(own, 'commondir'), `${moved}\n`);
    writeFileSync(join(own, 'gitdir'), `${join(repo.dir, '.git')}\n`);
    writeFileSync(join(repo.dir, '.git'), `gitdir: ${own}\n`);
    return repo.dir;
  },
  bare: (repo: TestRepo) => join(repo.dir, '.git'),
} as const;

/** All of them have been heard when git itself does daily work: the others would be no proof. */
function assertAlive(canaries: Canaries): number {
  const repo = hostileRepo(canaries);
  const attempts = [
    'status',
    'add -u',
    'commit -m x',
    'diff HEAD~1',
    'log -p -1',
    'fetch',
    'push',
    'checkout -f',
    'gc',
  ];
  const env = { GIT_ALLOW_PROTOCOL: 'ext:file' };
  for (const args of attempts) runGit(args.split(' '), { cwd: repo.dir, env, allowFailure: true });
  const heard = canaries.sung();
  // Which of the others are heard depends on who comes first: a filter that fails ends its command.
  for (const name of ['worktree-config', 'filter.evil.clean', 'hook-post-index-change'])
    assert.ok(heard.includes(name), `${name} is dead; alive: ${heard.join()}`);
  assert.ok(heard.length >= 6, heard.join());
  canaries.silence();
  return heard.length;
}

async function runEvery(
  directory: string,
  { sung }: Canaries,
  spy: Spy,
  isLong: boolean,
  every: number,
): Promise<number> {
  const run = isLong ? (args: string[]) => cli(args, { env: spy.env }) : (args: string[]) => runHere(args, spy.env);
  const commands = everyCommand(join(makeDirectory('out'), 'export')).filter((_, i) => i % every === 0);
  for (const command of commands) {
    const what = command.join(' ');
    assertCalm(await run(['-C', directory, ...command]), what);
    assert.deepEqual([sung(), spy.faults()], [[], []], what);
  }
  // The worker that hooks start changes directory and priority.
  assertCalm(await cli(['-C', directory, 'hooks', 'run', '--event', 'post-commit'], { env: spy.env }), 'hooks run');
  assert.deepEqual([sung(), spy.faults()], [[], []], 'hooks run');
  return commands.length + 1;
}

async function askServer(t: TestContext, directory: string, { sung }: Canaries, spy: Spy): Promise<number> {
  const server = await startServer(t, directory, { env: spy.env });
  for (const [name, args] of QUESTIONS) {
    const { text } = await server.ask(name, args);
    assert.doesNotMatch(text, /This is a bug/, name);
  }
  await server.close();
  assert.deepEqual([sung(), spy.faults()], [[], []]);
  return QUESTIONS.length;
}

/** Objects by another name, history by another parent: neither is believed. */
async function assertNothingReplaced(): Promise<void> {
  const repo = createRepo();
  repo.commit(PROJECT);
  const fake = repo.blob('export function injectedByReplacement(): void {}\n');
  repo.git('replace', repo.git('rev-parse', 'HEAD:src/session.ts'), fake);
  const fakeCommit = repo.git('commit-tree', '-m', 'fake', repo.git('mktree'));
  repo.git('replace', repo.git('rev-parse', 'HEAD'), fakeCommit);
  const found = await runHere(['-C', repo.dir, 'search', 'rememberToken', '--json']);
  const { results } = JSON.parse(found.stdout) as SearchResponse;
  assert.equal(results[0].path, 'src/session.ts');
  assert.ok(results[0].content?.includes('rememberToken(user'));
  assert.equal((await runHere(['-C', repo.dir, 'search', 'injectedByReplacement'])).code, 1);
}

async function assertNothingInherited(): Promise<void> {
  const [here, other] = [createRepo(), createRepo()];
  const commit = here.commit(PROJECT);
  other.commit({ 'other.ts': 'export function fromTheOtherRepository(): void {}\n' });
  const env = {
    ...{ GIT_DIR: join(other.dir, '.git'), GIT_WORK_TREE: other.dir, GIT_INDEX_FILE: join(other.dir, '.git/index') },
    ...{ GIT_OBJECT_DIRECTORY: join(other.dir, '.git/objects'), GIT_COMMON_DIR: join(other.dir, '.git') },
    ...{ GIT_NAMESPACE: 'evil', GIT_PREFIX: 'src/', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'socraticode.exclude' },
    ...{ GIT_CONFIG_VALUE_0: '**', GIT_CONFIG_PARAMETERS: "'socraticode.include'='nothing'" },
  };
  const asked = await runHere(['-C', here.dir, 'search', 'rememberToken', '--json'], env);
  const response = JSON.parse(asked.stdout) as SearchResponse;
  assert.deepEqual([response.commit, response.coverage.total], [commit, 4]);
  assert.deepEqual(other.notesRefs(), {});
  // What the user says by them is heard where no directory is named.
  const { GIT_DIR, GIT_WORK_TREE } = env;
  const named = await runHere(['search', 'fromTheOtherRepository', '--json'], { GIT_DIR, GIT_WORK_TREE });
  assert.equal((JSON.parse(named.stdout) as SearchResponse).results[0].path, 'other.ts');
}

async function assertNoLinkFollowed(): Promise<void> {
  const repo = createRepo();
  const outside = join(makeDirectory(), 'outside.json');
  writeFileSync(outside, '{"exclude":["**"]}');
  symlinkSync(outside, join(repo.dir, '.socraticode.json'));
  repo.commit(PROJECT);
  for (const ref of [[], ['--ref', 'HEAD']]) {
    const { stdout } = await runHere(['-C', repo.dir, 'config', '--json', ...ref]);
    const { values } = JSON.parse(stdout) as { values: { key: string; value: unknown }[] };
    assert.deepEqual(values.find(({ key }) => key === 'exclude')?.value, []);
  }
}

campaign(
  'canary',
  {
    bar: 'S6',
    claim: 'wherever git lets a repository name a command, none of these commands is run by any command of ours',
    short: { layouts: 1, every: 12 },
    long: { layouts: 3, every: 1 },
  },
  async ({ size, isLong, t, note }) => {
    await assertEveryCommand();
    const canaries = makeCanaries();
    const alive = assertAlive(canaries);
    const spy = makeSpy();
    let [commands, questions] = [0, 0];
    for (const [name, layout] of Object.entries(LAYOUTS).slice(0, size.layouts)) {
      note(name);
      const repo = hostileRepo(canaries);
      const directory = layout(repo);
      commands += await runEvery(directory, canaries, spy, isLong, size.every);
      if (isLong) questions += await askServer(t, directory, canaries, spy);
      rmSync(directory, { recursive: true, force: true });
    }
    await assertNothingReplaced();
    await assertNothingInherited();
    await assertNoLinkFollowed();
    return {
      'canaries heard under git itself': alive,
      commands,
      'questions to the server': questions,
      'processes looked at': spy.started(),
      'canaries heard': canaries.sung().length,
    };
  },
);
