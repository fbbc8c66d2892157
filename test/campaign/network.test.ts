/** S9: with default settings nothing but git opens a connection, and git only where a remote was asked for. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { campaign } from '../support/campaigns/campaign.js';
import { everyCommand } from '../support/campaigns/every-command.js';
import { CLI, cli } from '../support/processes/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { startServer as startEmbedder } from '../support/repositories/vectors-repo.js';
import { startServer as startAgent } from '../support/servers/mcp.js';
import { assertCalm, makeSpy, runHere, type Spy } from '../support/spies/spy.js';
import { hasStrace, tracedCli } from '../support/spies/strace.js';

/** A remote that is asked must not be needed: this one would be another machine, if there were one. */
const UNREACHABLE = 'https://192.0.2.1/x.git';

function repoWithHistory(): TestRepo {
  const repo = createRepo();
  repo.commit(PROJECT);
  const artifacts = { artifacts: [{ name: 'notes', path: 'README.md', description: 'notes' }] };
  repo.commit({ '.socraticodecontextartifacts.json': JSON.stringify(artifacts) });
  repo.write({ 'src/new.ts': 'export const uncommitted = 1;\n' });
  return repo;
}

/** Servers and keys are there to be used, if anybody looked. */
function temptations(url: string): NodeJS.ProcessEnv {
  return { OLLAMA_HOST: url, OPENAI_API_KEY: 'sk-tempting', OPENAI_BASE_URL: url, HTTP_PROXY: url, HTTPS_PROXY: url };
}

async function withSpy(commands: readonly string[][], repo: TestRepo, spy: Spy, env: NodeJS.ProcessEnv) {
  for (const command of commands) {
    assertCalm(await runHere(['-C', repo.dir, ...command], { ...spy.env, ...env }), command.join(' '));
    assert.deepEqual(spy.faults(), [], command.join(' '));
  }
}

/** The spy sees what there is to see. */
async function assertSees(t: TestContext, spy: Spy): Promise<void> {
  const { url } = await startEmbedder(t);
  const env = { ...spy.env, SOCRATICODE_EMBEDDER_NAME: 'ollama', SOCRATICODE_EMBEDDER_ENDPOINT: url };
  const repo = createRepo();
  repo.commit({ 'more.ts': 'export const more = 1;\n' });
  await runHere(['-C', repo.dir, 'index'], env);
  assert.match(spy.connections().join(), /connect 127\.0\.0\.1:\d+/);
  spy.faults();
}

const QUESTIONS: readonly [tool: string, args: Record<string, unknown>][] = [
  ['codebase_search', { query: 'rememberToken' }],
  ['codebase_history', { query: 'rememberToken' }],
  ['codebase_health', {}],
];

async function askAgent(t: TestContext, repo: TestRepo, spy: Spy, env: NodeJS.ProcessEnv, questions: number) {
  const server = await startAgent(t, repo.dir, { env: { ...spy.env, ...env } });
  for (const [tool, args] of QUESTIONS.slice(0, questions)) await server.ask(tool, args);
  await server.close();
  assert.deepEqual(spy.faults(), []);
}

/** A commit, with our hooks and their worker. */
async function commitWithHooks(repo: TestRepo, spy: Spy, env: NodeJS.ProcessEnv): Promise<void> {
  const run = ['-C', repo.dir, 'hooks', 'run', '--event', 'post-commit'];
  assertCalm(await cli(run, { env: { ...spy.env, ...env } }), 'hooks run');
  assert.deepEqual(spy.faults(), []);
}

/** Every command, from the kernel's side; with a remote nobody but git's own transport may connect. */
async function withStrace(commands: readonly string[][], env: NodeJS.ProcessEnv, note: (text: string) => void) {
  const repo = repoWithHistory();
  let executed = 0;
  for (const command of commands) {
    const result = await tracedCli(command, repo.dir, env);
    assertCalm(result, command.join(' '));
    assert.deepEqual(result.connected, [], command.join(' '));
    executed += result.executed.length;
  }
  repo.git('remote', 'add', 'origin', UNREACHABLE);
  for (const command of [['search', 'rememberToken'], ['status'], ['push'], ['pull']]) {
    const { connected } = await tracedCli(command, repo.dir, env);
    note(`${command[0]} with a remote: ${connected.length} connections`);
    const strange = connected.filter((line) => !/ by \S*\/git-remote-https?$/.test(line));
    assert.deepEqual(strange, [], command[0]);
    if (command[0] === 'status') assert.deepEqual(connected, []);
  }
  return executed;
}

const canUnshare = spawnSync('unshare', ['-n', 'true']).status === 0;

/** Without any network, not even the loopback device, everything works as it does with one. */
function withoutNetwork(commands: readonly string[][]): number {
  const repo = repoWithHistory();
  for (const command of commands) {
    const args = ['-n', process.execPath, CLI, '-C', repo.dir, ...command];
    const { status, signal, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    assertCalm({ code: status, signal, stderr, stdout: '' }, command.join(' '));
  }
  return commands.length;
}

campaign(
  'network',
  {
    bar: 'S9',
    claim: "a default run opens no network connection but git's own",
    short: { every: 10, questions: 1 },
    long: { every: 1, questions: QUESTIONS.length },
  },
  async ({ size, isLong, t, note }) => {
    const all = everyCommand(join(makeDirectory('out'), 'export'));
    // Not the ones of the canary's short form.
    const commands = all.filter(([name], i) => i === 0 || (i + 1) % size.every === 0 || name === 'push');
    const spy = makeSpy();
    await assertSees(t, spy);
    const { url } = await startEmbedder(t);
    const env = temptations(url);
    const repo = repoWithHistory();
    await withSpy(commands, repo, spy, env);
    await commitWithHooks(repo, spy, env);
    await askAgent(t, repo, spy, env, size.questions);
    const figures = { commands: commands.length, 'processes looked at': spy.started(), connections: 0 };
    if (!isLong) return figures;
    const executed = hasStrace ? await withStrace(all, env, note) : 'no strace here';
    const alone = canUnshare ? withoutNetwork(all) : 'no unshare here';
    return { ...figures, 'programs under strace': executed, 'commands without a network': alone };
  },
);
