/** S5: settings that come with a repository start nothing, connect to nobody and read nothing outside. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { LIMITED } from '../../src/git/process.js';
import { campaign } from '../support/campaigns/campaign.js';
import { makeCanaries } from '../support/hostile/canaries.js';
import { apply, hostileConfigs } from '../support/hostile/hostile-configs.js';
import type { CliResult } from '../support/processes/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { startServer as startEmbedder } from '../support/repositories/vectors-repo.js';
import { startServer as startAgent } from '../support/servers/mcp.js';
import { assertCalm, makeSpy, runHere, type Spy } from '../support/spies/spy.js';
import { hasStrace, tracedCli } from '../support/spies/strace.js';

const COMMANDS = [
  ['search', 'rememberToken'],
  ['config', '--show-origin'],
  ['status'],
  ['index'],
  ['graph', 'stats'],
  ['doctor'],
  ['search', 'rememberToken', '--linked'],
  ['context', 'list'],
];
/** Outside of the repository; whoever prints it has read it. */
const OUTSIDE_TEXT = 'outsideTextOfSomebodyElse';
/** A glob or a file that takes longer is an attack that has worked. */
const MAX_CPU_MS = 8_000;

interface Scene {
  repo: TestRepo;
  config: string;
  outside: string;
}

function makeScene(): Scene {
  const outside = makeDirectory('outside');
  writeFileSync(join(outside, 'outside.ts'), `export const ${OUTSIDE_TEXT} = 1;\n`);
  writeFileSync(join(outside, 'evil.json'), '{"exclude":["**"]}');
  createRepo({ directory: outside }).commit();
  const repo = createRepo();
  repo.commit(PROJECT);
  // What is tried is not to be indexed itself.
  writeFileSync(join(repo.commonDir, 'info', 'exclude'), '/.socraticode*\n/linked\n/.gitattributes\n');
  return { repo, outside, config: readFileSync(join(repo.commonDir, 'config'), 'utf8') };
}

function assertHarmless(result: CliResult, what: string): void {
  assertCalm(result, what);
  assert.ok(!result.stdout.includes(OUTSIDE_TEXT) && !result.stderr.includes(OUTSIDE_TEXT), what);
  assert.doesNotMatch(result.stderr, /[^\P{Cc}\n\t]|[\u200b-\u202e]/u, what);
}

/** A program that may run: git as we run it, and what git and node are to the kernel. */
function isOurs([path, ...args]: string[]): boolean {
  // Becomes what it names, which is looked at in turn.
  if (path === '/usr/bin/setpriv')
    return args[0] === '--pdeathsig' && [process.execPath, 'git', 'true'].includes(args[2]);
  if (path === process.execPath) return args.some((arg) => arg.endsWith('.js'));
  // The shell that bounds git's memory and becomes git, which is looked at in turn.
  if (path === '/bin/sh') return args[0] === '-c' && args[1] === LIMITED && args.includes('core.fsmonitor=false');
  return (
    /\/git$|\/git-core\/git(?:-\w+)?$/.test(path) &&
    (args.includes('core.fsmonitor=false') || !args[0]?.startsWith('-'))
  );
}

/** Asks an agent's server one question and ends it. */
async function askAgent(t: TestContext, { repo }: Scene, spy: Spy, env: NodeJS.ProcessEnv): Promise<void> {
  const server = await startAgent(t, repo.dir, { env: { ...spy.env, ...env } }).catch(() => null);
  if (server === null) return;
  const { text } = await server.call('codebase_search', { query: 'rememberToken' });
  assert.ok(!text.includes(OUTSIDE_TEXT));
  await server.close();
}

/**
 * A user's own endpoint, in every spelling of an address: without consent only this machine itself is asked, and where that
 * leads elsewhere, nobody is.
 */
async function askEndpoints({ repo }: Scene, spy: Spy, url: string, every: number): Promise<number> {
  const { port } = new URL(url);
  const hosts = [
    ...['0.0.0.0', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:192.0.2.1]', '192.0.2.1', '3221225985'],
    ...['0xc0000201', '0300.0.2.1', '127.0.0.1.nip.io', 'localhost.example.com', 'localhost.', '127.0.0.1@192.0.2.1'],
    ...[
      'me:secret@192.0.2.1',
      '192.0.2.1#@127.0.0.1',
      '127.0.0.1\\@192.0.2.1',
      '[fe80::1]',
      '[::1%25eth0]',
      '128.0.0.1',
    ],
  ].filter((_, i) => i % every === 0);
  for (const host of hosts) {
    const env = { SOCRATICODE_EMBEDDER_NAME: 'ollama', SOCRATICODE_EMBEDDER_ENDPOINT: `http://${host}:${port}` };
    assertHarmless(await runHere(['-C', repo.dir, 'index'], { ...spy.env, ...env }), host);
    assert.deepEqual(spy.faults(), [], host);
  }
  return hosts.length;
}

campaign(
  'configs',
  {
    bar: 'S5',
    claim: 'no setting that comes with a repository starts a program, opens a connection or reads outside of it',
    short: { every: 5, commands: 1, agents: 0, traced: 1 },
    long: { every: 1, commands: 4, agents: 12, traced: 1 },
  },
  async ({ size, isLong, t, note }) => {
    const { url } = await startEmbedder(t);
    const canaries = makeCanaries();
    const scene = makeScene();
    const { repo, config, outside } = scene;
    const spy = makeSpy();
    const all = hostileConfigs({ url, run: canaries.run('config'), outside });
    const configs = all.filter(({ command }, i) => command !== undefined || i % size.every === 0);
    // Keys and servers are there: only the repository asks for them.
    const env = { OPENAI_API_KEY: 'sk-tempting', OLLAMA_HOST: 'http://192.0.2.1:11434' };
    await runHere(['-C', repo.dir, 'index']);
    let [runs, refused, runsTraced, executed, worst] = [0, 0, 0, 0, 0];
    for (const [i, hostile] of configs.entries()) {
      const undo = apply(repo.dir, hostile, config);
      for (let k = 0; k < size.commands; k++) {
        const asked = hostile.command === undefined ? COMMANDS[(i + k) % COMMANDS.length] : [hostile.command];
        const command = ['-C', repo.dir, ...asked];
        const what = `${hostile.name}: ${command.slice(2).join(' ')}`;
        const before = process.cpuUsage();
        const result = await runHere(command, { ...spy.env, ...env });
        const { user, system } = process.cpuUsage(before);
        worst = Math.max(worst, (user + system) / 1_000);
        assertHarmless(result, what);
        assert.deepEqual([canaries.sung(), spy.faults()], [[], []], what);
        runs++;
        if (result.code === 2) refused++;
        if (!isLong || !hasStrace || k > 0 || i % size.traced !== 0) continue;
        const traced = await tracedCli(command, repo.dir, env);
        assertHarmless(traced, what);
        assert.deepEqual([traced.connected, traced.executed.filter((program) => !isOurs(program))], [[], []], what);
        runsTraced++;
        executed += traced.executed.length;
      }
      if (i % Math.ceil(configs.length / Math.max(1, size.agents)) === 0 && size.agents > 0) {
        await askAgent(t, scene, spy, env);
        assert.deepEqual([canaries.sung(), spy.faults()], [[], []], hostile.name);
      }
      undo();
      if (i % 20 === 0) note(`${i} of ${configs.length}`);
    }
    assert.ok(worst < MAX_CPU_MS, `${worst} ms of processor time`);
    const endpoints = await askEndpoints(scene, spy, url, size.every);
    return {
      configs: configs.length,
      runs,
      refused,
      endpoints,
      'most processor time (ms)': Math.round(worst),
      'processes seen by the spy': spy.started(),
      'runs under strace': isLong && !hasStrace ? 'no strace here' : runsTraced,
      'programs seen by it': executed,
    };
  },
);
