/** R1: a command is killed anywhere. What is there is the old or the new state, and the next run ends as a clean one does. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setLogLevel } from '../../src/base/log.js';
import { campaign } from '../support/campaigns/campaign.js';
import { Findings, inTurns } from '../support/campaigns/findings.js';
import {
  type Answer,
  age,
  ask,
  askReader,
  copyOf,
  debris,
  faults,
  moveOn,
  orphansIn,
  type Picture,
  pictureOf,
  withoutLocks,
} from '../support/faults/aftermath.js';
import { countPoints, type FaultPlan, type FaultPoint, faulty, spread } from '../support/faults/fault.js';
import { Preload, type PreloadPlan } from '../support/faults/fault-preload.js';
import { SCENARIOS, type Scenario } from '../support/faults/fault-scenarios.js';
import { pick, type Random } from '../support/generated/random.js';
import { cli } from '../support/processes/cli.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { manyFiles } from '../support/repositories/samples.js';

setLogLevel('error');

/** A scenario with what a clean run of it ends as. */
interface Prepared extends Scenario {
  template: TestRepo;
  points: FaultPoint[];
  /** Of a clean run, in milliseconds. */
  ms: number;
  clean: Picture;
  oldAnswers: Answer[];
}

async function prepare(scenario: Scenario): Promise<Prepared> {
  const template = await scenario.make();
  const repo = copyOf(template);
  let ms = 0;
  const points = await countPoints({}, async (env) => {
    const started = performance.now();
    const { code, stderr } = await cli(scenario.args, { cwd: repo.dir, env });
    ms = performance.now() - started;
    assert.equal(code, 0, stderr);
  });
  const oldAnswers = await ask(repo, scenario.old);
  return { ...scenario, template, points, ms, clean: await pictureOf(repo, scenario.questions), oldAnswers };
}

/** How one run is killed: at a point of the program, at one of everything it starts, or after so many milliseconds. */
type Death = { plan: FaultPlan } | { preload: PreloadPlan } | { afterMs: number };

let preload: Preload | null = null;

function environmentOf(repo: TestRepo, death: Death): NodeJS.ProcessEnv {
  if ('plan' in death) return faulty(death.plan);
  return 'preload' in death ? (preload?.plan(repo, death.preload).env ?? {}) : {};
}

async function die({ args }: Scenario, repo: TestRepo, death: Death): Promise<boolean> {
  const { code, signal, stderr } = await cli(args, {
    cwd: repo.dir,
    detached: true,
    env: environmentOf(repo, death),
    onStart: (child) => {
      if ('afterMs' in death) void sleep(death.afterMs).then(() => killGroup(child));
    },
  });
  // A fetch or a push has a process group of its own, and is killed alone.
  if ('preload' in death && code === 2 && /^git-socraticode: git \w+ was killed/.test(stderr)) return true;
  // The last point of one run may be none of the next: some things are done side by side.
  assert.ok(signal === 'SIGKILL' || code === 0, stderr);
  return signal === 'SIGKILL';
}

function killGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid as number), 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Kills one run and looks at everything that must be true then. Was it killed? */
async function survive(prepared: Prepared, death: Death): Promise<boolean> {
  const { name, args, old, oldAnswers, questions, clean } = prepared;
  const about = `${name}, ${JSON.stringify(death)}`;
  const repo = copyOf(prepared.template);
  const died = await die(prepared, repo, death);
  assert.deepEqual(await orphansIn(repo), [], `processes are left: ${about}`);
  await checkSound(repo, about);
  assert.deepEqual(await askReader(repo, old), oldAnswers, `the old state: ${about}`);
  for (const [i, answer] of (await askReader(repo, questions)).entries()) {
    const isWhole = answer !== null && answer.coverage.covered === answer.coverage.total;
    if (isWhole) assert.deepEqual(answer, clean.answers[i], `the new state: ${about}`);
  }
  age(repo);
  const again = await cli(args, { cwd: repo.dir });
  assert.deepEqual([again.code, withoutLocks(again)], [0, ''], `the next run: ${about}`);
  assert.deepEqual(await pictureOf(repo, questions), clean, about);
  await checkSound(repo, about);
  await moveOn(repo);
  // Graphs are made, and those before them removed, when somebody asks for one.
  if (name === 'graph') await cli(args, { cwd: repo.dir });
  assert.deepEqual(debris(repo), [], about);
  return died;
}

/** Before that a process has not begun. */
const EARLIEST_MS = 50;

/** A time that was too late for one run is tried earlier with the next one. */
async function surviveAny(prepared: Prepared, death: Death): Promise<boolean> {
  if (await survive(prepared, death)) return true;
  if (!('afterMs' in death) || death.afterMs < EARLIEST_MS) return false;
  return surviveAny(prepared, { afterMs: Math.floor(death.afterMs / 2) });
}

/** Neither git nor we find anything wrong. */
async function checkSound(repo: TestRepo, about: string): Promise<void> {
  assert.equal(repo.fsck(), '', about);
  assert.deepEqual(await faults(repo), [], about);
}

const WAYS: readonly Omit<FaultPlan, 'at'>[] = [{ kill: 'process' }, { kill: 'group' }, { kill: 'group', torn: true }];

/** Every point, each in one of the ways. */
function deathsAt({ points }: Prepared, random: Random): Death[] {
  return points.map(({ n, op }) => {
    const ways = WAYS.filter(({ torn }) => !torn || op === 'write' || op === 'pipe');
    return { plan: { ...pick(random, ways), at: n } };
  });
}

/** Every point of git and of the program. */
async function deathsBelow({ template, args }: Prepared): Promise<Death[]> {
  const repo = copyOf(template);
  const counted = preload?.plan(repo, { at: 0 });
  if (counted === undefined) return [];
  await cli(args, { cwd: repo.dir, env: counted.env });
  return Array.from({ length: counted.count() }, (_, i) => ({ preload: { at: i + 1 } }));
}

campaign(
  'kill',
  {
    bar: 'R1',
    claim:
      'after a kill at any point, readers see the old or the new state, the next run ends like a clean one, and nothing is left behind',
    short: { points: 2, below: 0, random: 1, first: 1, scenarios: 1 },
    long: { points: 1_000, below: 20, random: 200, first: 0, scenarios: SCENARIOS.length },
  },
  async ({ size, random, isLong, note }) => {
    if (isLong) preload = Preload.build();
    const findings = new Findings(note);
    const seen = { points: 0, 'points with git': isLong && preload === null ? 'skipped: no C compiler' : 0 };
    const figures = { 'killed at points': 0, 'killed with git': 0, 'killed at random times': 0, 'ended before': 0 };
    for (const scenario of SCENARIOS.slice(size.first, size.first + size.scenarios)) {
      const prepared = await prepare(scenario);
      const below = await deathsBelow(prepared);
      seen.points += prepared.points.length;
      if (typeof seen['points with git'] === 'number') seen['points with git'] += below.length;
      const someTimes = Array.from({ length: Math.ceil(size.random / size.scenarios) }, (): Death => {
        return { afterMs: EARLIEST_MS + random(Math.ceil(prepared.ms)) };
      });
      const deaths = {
        'killed at points': spread(deathsAt(prepared, random), size.points, random),
        'killed with git': spread(below, size.below, random),
        'killed at random times': someTimes,
      };
      for (const [kind, list] of Object.entries(deaths)) {
        await inTurns(list, async (death) => {
          const died = await findings.of(() => surviveAny(prepared, death));
          figures[died === true ? (kind as keyof typeof deaths) : 'ended before']++;
        });
      }
      note(`${scenario.name}: ${JSON.stringify({ ...seen, ...figures })}`);
    }
    findings.check();
    return { ...seen, ...figures };
  },
);

/** Sends a signal as soon as the run holds the writer lock. */
async function signalWhenRunning(repo: TestRepo, child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const lock = join(repo.state, 'writer.lock');
  while (child.exitCode === null && !existsSync(lock)) await sleep(5);
  child.kill(signal);
}

test('SIGINT and SIGTERM end a run cleanly', async () => {
  const repo = createRepo();
  repo.commit(manyFiles(150));
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const { code, stderr } = await cli(['index'], {
      cwd: repo.dir,
      onStart: (child) => void signalWhenRunning(repo, child, signal),
    });
    assert.equal(code, status, stderr);
    assert.match(stderr, /cancelled/);
    assert.deepEqual(debris(repo), []);
  }
});
