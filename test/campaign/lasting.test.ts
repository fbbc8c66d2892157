/** L2: what stays (a server, the process that indexes for it, `watch`) is killed, or its disk fails. What it says is right, what comes after it as well. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setLogLevel } from '../../src/base/log.js';
import { campaign } from '../support/campaigns/campaign.js';
import { Findings, inTurns } from '../support/campaigns/findings.js';
import { age, ask, askReader, copyOf, debris, faults, index, moveOn, orphansIn } from '../support/faults/aftermath.js';
import { countPoints, type DiskError, type FaultPlan, faulty, spread } from '../support/faults/fault.js';
import { SCENARIOS } from '../support/faults/fault-scenarios.js';
import { type Expected, type Lasting, server, type Trouble, watcher } from '../support/faults/lasting.js';
import type { Random } from '../support/generated/random.js';
import type { TestRepo } from '../support/repositories/repo.js';

setLogLevel('error');

/** Which process of which program: a pattern over its command. */
const SUBJECTS: readonly { name: string; live: Lasting; process: string }[] = [
  { name: 'indexer of a server', live: server, process: 'background-worker' },
  { name: 'watch', live: watcher, process: 'main.js' },
  { name: 'server', live: server, process: 'main.js' },
];
type Subject = (typeof SUBJECTS)[number];

const ERRORS: readonly DiskError[] = ['ENOSPC', 'EIO', 'EROFS', 'EMFILE'];
/** Longer than any of them needs to be done. */
const LATEST_MS = 2_500;

interface Prepared {
  template: TestRepo;
  /** Of the commit before. */
  old: Expected;
  now: Expected;
}

/** Something is committed that is not indexed, and something edited. */
async function prepare(): Promise<Prepared> {
  const scenario = SCENARIOS.find(({ name }) => name === 'search');
  assert.ok(scenario);
  const template = await scenario.make();
  const repo = copyOf(template);
  const { old, questions } = scenario;
  const [before, now] = [await ask(repo, old), await ask(repo, questions)];
  return { template, old: { questions: old, answers: before }, now: { questions, answers: now } };
}

/** Lives through a trouble; then everything must be as if there had been none. */
async function survive(t: Parameters<Lasting>[0], prepared: Prepared, subject: Subject, trouble: Trouble) {
  const { template, old, now } = prepared;
  const about = `${subject.name}, ${JSON.stringify({ ...trouble, env: trouble.env.SOCRATICODE_TEST_FAULT })}`;
  const repo = copyOf(template);
  const both = { questions: [...old.questions, ...now.questions], answers: [...old.answers, ...now.answers] };
  const life = await subject.live(t, repo, trouble, both).catch((error: Error) => {
    error.message = `${about}: ${error.message}`;
    throw error;
  });
  assert.deepEqual(await orphansIn(repo), [], `processes are left: ${about}`);
  assert.equal(repo.fsck(), '', about);
  assert.deepEqual(await faults(repo), [], about);
  assert.deepEqual(await askReader(repo, old.questions), old.answers, `the old state: ${about}`);
  age(repo);
  await index(repo);
  const { questions } = now;
  const after = { questions, answers: await ask(neverIndexed(repo), questions) };
  assert.deepEqual(await ask(repo, questions), after.answers, `the new state: ${about}`);
  const next = await subject.live(t, repo, { env: {} }, after);
  assert.deepEqual([next.died, next.said], [false, 0], `the next one: ${about}`);
  await moveOn(repo);
  assert.deepEqual(debris(repo), [], about);
  return life;
}

/** The same commits and files, and nothing that was made of them. */
function neverIndexed(repo: TestRepo): TestRepo {
  const clean = copyOf(repo);
  for (const ref of Object.keys(clean.notesRefs())) clean.git('update-ref', '-d', ref);
  rmSync(clean.state, { recursive: true });
  return clean;
}

/** How many points a process of a program that nothing happens to has. */
async function pointsOf(t: Parameters<Lasting>[0], { template, now }: Prepared, subject: Subject, plan: FaultPlan) {
  const repo = copyOf(template);
  const points = await countPoints({ ...plan, process: subject.process }, (env) => subject.live(t, repo, { env }, now));
  return points.map(({ n }) => n);
}

function randomKills({ process }: Subject, count: number, random: Random): Trouble[] {
  return Array.from({ length: count }, () => ({ env: {}, kill: { process, afterMs: random(LATEST_MS) } }));
}

campaign(
  'lasting',
  {
    bar: 'L2',
    claim:
      'servers, their indexers and watchers answer right or say why not when they are killed or their disk fails, and leave nothing behind',
    short: { subjects: 2, points: 0, errors: 0, random: 1 },
    long: { subjects: SUBJECTS.length, points: 20, errors: 5, random: 20 },
  },
  async ({ size, random, note, t }) => {
    const findings = new Findings(note);
    const prepared = await prepare();
    const figures = { points: 0, lives: 0, 'ended early': 0, 'right answers': 0, 'partial or refused': 0 };
    const lives: [Subject, Trouble][] = [];
    for (const subject of SUBJECTS.slice(0, size.subjects)) {
      const plan = async (plan: FaultPlan, count: number) => {
        const points = count === 0 ? [] : await pointsOf(t, prepared, subject, plan);
        figures.points += points.length;
        for (const n of spread(points, count, random)) {
          // Every other disk stays as it is then.
          const persistent = plan.error !== undefined && n % 2 === 0;
          lives.push([subject, { env: faulty({ ...plan, process: subject.process, at: n, persistent }) }]);
        }
      };
      for (const trouble of randomKills(subject, size.random, random)) lives.push([subject, trouble]);
      await plan({ kill: 'process' }, size.points);
      for (const error of ERRORS) await plan({ error }, size.errors);
    }
    await inTurns(lives, async ([subject, trouble]) => {
      const life = await findings.of(() => survive(t, prepared, subject, trouble));
      if (life === null) return;
      figures.lives++;
      figures['ended early'] += Number(life.died);
      figures['right answers'] += life.right;
      figures['partial or refused'] += life.said;
      if (figures.lives % 20 === 0) note(JSON.stringify(figures));
    });
    findings.check();
    return figures;
  },
);
