/** R2: disks that are full, broken or read-only. What fails says so, what was there is still served, nothing is lost or left. */
import assert from 'node:assert/strict';
import { setLogLevel } from '../../src/base/log.js';
import { campaign } from '../support/campaigns/campaign.js';
import { Findings, inTurns } from '../support/campaigns/findings.js';
import {
  age,
  askReader,
  copyOf,
  debris,
  faults,
  moveOn,
  type Picture,
  pictureOf,
  withoutLocks,
} from '../support/faults/aftermath.js';
import { countPoints, type DiskError, type FaultPlan, faulty, spread } from '../support/faults/fault.js';
import { checkFailure, stable } from '../support/faults/fault-outcome.js';
import { Preload, type PreloadPlan } from '../support/faults/fault-preload.js';
import { READERS, ready, SCENARIOS, type Scenario, WRITERS } from '../support/faults/fault-scenarios.js';
import {
  canMount,
  onFullDisk,
  onReadOnlyDisk,
  PAGE,
  sizeOnDisk,
  withOpenFiles,
} from '../support/faults/small-disks.js';
import type { Random } from '../support/generated/random.js';
import { type CliResult, cli } from '../support/processes/cli.js';
import { logLines } from '../support/repositories/hooks.js';
import type { TestRepo } from '../support/repositories/repo.js';

setLogLevel('error');

const OLD_SEARCH = ['search', 'rememberToken', '--ref', 'before'];

/** A scenario with what a clean run of it says and ends as. */
interface Prepared extends Scenario {
  template: TestRepo;
  stdout: string;
  clean: Picture;
  oldStdout: string;
  /** Bytes that a disk must have free. */
  needs: number;
}

async function prepare(scenario: Scenario): Promise<Prepared> {
  const template = await scenario.make();
  const repo = copyOf(template);
  const { code, stdout, stderr } = await cli(scenario.args, { cwd: repo.dir });
  assert.equal(code, 0, stderr);
  const old = scenario.old.length === 0 ? null : await cli(OLD_SEARCH, { cwd: copyOf(template).dir });
  // What is written before it is removed comes on top of what stays.
  const needs = 2 * Math.max(sizeOnDisk(repo) - sizeOnDisk(template), 1 << 16);
  const clean = await pictureOf(repo, scenario.questions);
  return { ...scenario, template, stdout: stable(stdout), clean, oldStdout: old?.stdout ?? '', needs };
}

/** A disk that fails once, or from then on. */
interface Fault {
  about: string;
  /** Of the command. */
  env: (repo: TestRepo) => NodeJS.ProcessEnv;
  /** Of a search while the disk is still like that; null where it is not, or where nothing could be read. */
  stillSo: ((repo: TestRepo) => NodeJS.ProcessEnv) | null;
  /** Removing goes on: what fails leaves nothing behind. */
  canRemove: boolean;
}

function faultOf(plan: FaultPlan): Fault {
  const stillSo = () => faulty({ ...plan, at: 1 });
  return {
    about: JSON.stringify(plan),
    env: () => faulty(plan),
    stillSo: plan.persistent && !plan.reads ? stillSo : null,
    canRemove: plan.error === 'ENOSPC',
  };
}

function faultBelow(preload: Preload, plan: PreloadPlan): Fault {
  return {
    about: `git and all: ${JSON.stringify(plan)}`,
    env: (repo) => preload.plan(repo, plan).env,
    stillSo: plan.persistent ? (repo) => preload.plan(repo, { ...plan, at: 1 }).env : null,
    // Git removes what it has begun, but for reports of its own ends.
    canRemove: false,
  };
}

/** Fails one run and looks at everything that must be true then. Did it succeed all the same? */
async function survive(prepared: Prepared, fault: Fault): Promise<boolean> {
  const { name, args, clean, questions, oldStdout } = prepared;
  const about = `${name}, ${fault.about}`;
  const repo = copyOf(prepared.template);
  const result = await cli(args, { cwd: repo.dir, env: fault.env(repo) });
  const isFine = result.code === 0;
  if (isFine) checkSuccess(prepared, result, about);
  else checkFailure(result, about);
  if (isFine && prepared.isBackground && fault.stillSo === null) await checkBackground(prepared, repo, about);
  assert.equal(repo.fsck(), '', about);
  if (oldStdout !== '' && fault.stillSo !== null) {
    const served = await cli(OLD_SEARCH, { cwd: repo.dir, env: fault.stillSo(repo) });
    assert.deepEqual([served.code, served.stdout], [0, oldStdout], `the old state, ${about}: ${served.stderr}`);
  }
  if (fault.canRemove) assert.deepEqual(debris(repo), [], about);
  age(repo);
  const again = await cli(args, { cwd: repo.dir });
  assert.deepEqual([again.code, withoutLocks(again)], [0, ''], `the next run, ${about}`);
  assert.deepEqual(await pictureOf(repo, questions), clean, about);
  assert.deepEqual(await faults(repo), [], about);
  await moveOn(repo);
  // Graphs are made, and those before them removed, when somebody asks for one.
  if (name === 'graph') await cli(args, { cwd: repo.dir });
  assert.deepEqual(debris(repo), [], about);
  return isFine;
}

/** Whatever could not be kept, the answer is as if it could, or says what it lacks and why. */
function checkSuccess({ stdout }: Prepared, result: CliResult, about: string): void {
  const isPartial = /^partial: /m.test(result.stdout) && /; answered from what there is$/m.test(result.stderr);
  if (!isPartial) assert.equal(stable(result.stdout), stdout, about);
  assert.doesNotMatch(result.stderr, /This is a bug/, about);
}

/** Nobody sees how a command in the background ends: it has done its work, or its log says why not. */
async function checkBackground({ questions }: Prepared, repo: TestRepo, about: string): Promise<void> {
  const answers = await askReader(repo, questions);
  const isDone = answers.every((answer) => answer !== null && answer.coverage.covered === answer.coverage.total);
  assert.ok(isDone || logLines(repo).some((line) => line.includes('failed')), `${about}: ${logLines(repo)}`);
}

const ERRORS: readonly DiskError[] = ['ENOSPC', 'EIO', 'EROFS'];

/** Each point with each error, once and for good; and each read. */
async function faultsOf({ template, args }: Prepared): Promise<Fault[]> {
  const kinds: FaultPlan[] = [...ERRORS.map((error) => ({ error })), { error: 'EIO', reads: true, under: ['.git'] }];
  const list: Fault[] = [];
  for (const kind of kinds) {
    const { dir } = copyOf(template);
    const points = await countPoints(kind, (env) => cli(args, { cwd: dir, env }));
    for (const { n } of points)
      for (const persistent of [true, false]) list.push(faultOf({ ...kind, at: n, persistent }));
  }
  return list;
}

/** The same for all that git does as well. */
async function faultsBelow({ template, args }: Prepared, preload: Preload): Promise<Fault[]> {
  const list: Fault[] = [];
  for (const error of ERRORS) {
    const repo = copyOf(template);
    const { env, count } = preload.plan(repo, { at: 0, error });
    await cli(args, { cwd: repo.dir, env });
    for (let at = 1; at <= count(); at++)
      for (const persistent of [true, false]) list.push(faultBelow(preload, { at, error, persistent }));
  }
  return list;
}

/** Commands on a disk that takes nothing: those that only read answer as ever. Returns how many were tried. */
async function onSuchDisks(count: number, random: Random): Promise<number> {
  const repo = await ready();
  const commands = spread(READERS, count, random);
  for (const args of commands) {
    // Whatever can be kept is kept neither here nor there.
    const before = copyOf(repo);
    const expected = await cli(args, { cwd: before.dir });
    for (const error of ['EROFS', 'ENOSPC'] as const) {
      const seen = await cli(args, { cwd: before.dir, env: faulty({ at: 1, error, persistent: true }) });
      assert.deepEqual([seen.code, stable(seen.stdout)], [expected.code, stable(expected.stdout)], `${args} ${error}`);
    }
  }
  for (const args of spread(WRITERS, count, random)) {
    const result = await cli(args, { cwd: copyOf(repo).dir, env: faulty({ at: 1, error: 'EROFS', persistent: true }) });
    checkFailure(result, String(args));
  }
  return commands.length + Math.min(count, WRITERS.length);
}

/** A real disk of a size from full (0) to large enough (1). Did the command succeed on it? */
async function onSmallDisk(prepared: Prepared, share: number): Promise<boolean> {
  const { name, template, args, clean, questions, oldStdout, needs } = prepared;
  const used = sizeOnDisk(template);
  const bytes = used + PAGE * (2 + Math.round((needs * share) / PAGE));
  const about = `${name}, ${bytes} bytes, ${used} of them used`;
  const { first, meanwhile, again, after } = onFullDisk(template, { bytes, args, meanwhile: OLD_SEARCH });
  const isFine = first.code === 0;
  if (isFine) checkSuccess(prepared, first, about);
  else checkFailure(first, about);
  if (oldStdout !== '') assert.deepEqual([meanwhile.code, meanwhile.stdout], [0, oldStdout], about);
  assert.deepEqual([again.code, withoutLocks(again)], [0, ''], `the next run, ${about}`);
  assert.deepEqual(await pictureOf(after, questions), clean, about);
  assert.deepEqual([after.fsck(), await faults(after)], ['', []], about);
  return isFine;
}

/** A disk that is mounted for reading alone: readers answer as ever, writers say so. Returns how many were tried. */
async function onReadOnlyDisks(count: number, random: Random): Promise<number> {
  const repo = await ready();
  const readers = spread(READERS, count, random);
  for (const args of readers) {
    const { dir } = copyOf(repo);
    const { code, stdout } = await cli(args, { cwd: dir });
    const seen = onReadOnlyDisk(repo, args);
    const said = stable(stdout.replaceAll(dir, repo.dir));
    assert.deepEqual([seen.code, stable(seen.stdout)], [code, said], `${args}: ${seen.stderr}`);
  }
  const writers = spread(WRITERS, count, random);
  for (const args of writers) checkFailure(onReadOnlyDisk(repo, args), String(args));
  return readers.length + writers.length;
}

/** Few files may be open: a run ends as ever or says so. Returns how many limits were tried. */
async function withFewFiles(prepared: Prepared): Promise<number> {
  let tried = 0;
  for (let limit = 24; limit <= 64; limit += 8) {
    const result = withOpenFiles(copyOf(prepared.template), limit, prepared.args);
    if (result === null) continue;
    tried++;
    const about = `${prepared.name}, ${limit} open files`;
    if (result.code === 0) checkSuccess(prepared, result, about);
    else checkFailure(result, about);
  }
  return tried;
}

campaign(
  'io-faults',
  {
    bar: 'R2',
    claim:
      'on a full, broken or read-only disk, failures are reported, the old snapshot is served, and nothing is lost or left behind',
    short: { points: 2, below: 0, first: 1, scenarios: 1, commands: 1, disks: 0 },
    long: { points: 12, below: 12, first: 0, scenarios: SCENARIOS.length, commands: 100, disks: 4 },
  },
  async ({ size, random, isLong, note }) => {
    const findings = new Findings(note);
    const preload = isLong ? Preload.build() : null;
    const disks = size.disks > 0 && canMount() ? size.disks : 0;
    const figures = { faults: 0, 'faults with git': 0, 'failed and said so': 0, 'right all the same': 0, commands: 0 };
    const real = { 'full disks': 0, 'failed there': 0, 'commands on read-only disks': 0, 'limits of open files': 0 };
    figures.commands = (await findings.of(() => onSuchDisks(size.commands, random))) ?? 0;
    if (disks > 0)
      real['commands on read-only disks'] = (await findings.of(() => onReadOnlyDisks(size.commands, random))) ?? 0;
    for (const scenario of SCENARIOS.slice(size.first, size.first + size.scenarios)) {
      const prepared = await prepare(scenario);
      const above = spread(await faultsOf(prepared), size.points, random);
      const below = preload === null ? [] : spread(await faultsBelow(prepared, preload), size.below, random);
      await inTurns([...above, ...below], async (fault) => {
        figures[(await findings.of(() => survive(prepared, fault))) ? 'right all the same' : 'failed and said so']++;
      });
      figures.faults += above.length;
      figures['faults with git'] += below.length;
      for (let i = 0; i < disks; i++) {
        const isFine = await findings.of(() => onSmallDisk(prepared, i / disks));
        real['full disks']++;
        if (isFine === false) real['failed there']++;
      }
      if (isLong) real['limits of open files'] += (await findings.of(() => withFewFiles(prepared))) ?? 0;
      note(`${scenario.name}: ${JSON.stringify({ ...figures, ...real })}`);
    }
    findings.check();
    return isLong ? { ...figures, ...real } : figures;
  },
);
