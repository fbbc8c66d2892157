/** Many processes over one store: publishers that race, that are killed, and that publish while the store is maintained. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FleetEngine } from '../../fleet/src/contract.js';
import { checkFleet } from '../../fleet/src/look-after.js';
import { openEngine } from '../../fleet/src/open.js';
import { randomFrom } from '../support/generated/random.js';
import type { PublisherLine } from '../support/processes/fleet-publisher.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { keyIn, numberedCommit, numberedFile, PROFILE, STEPS } from './made.js';

const PUBLISHER = fileURLToPath(new URL('../support/processes/fleet-publisher.js', import.meta.url));
/** More kills than in a usual run: FLEET_KILLS=200. */
const KILLS = Number(process.env.FLEET_KILLS ?? 6);
/** Publications of each of eight publishers: FLEET_PUBLICATIONS=50 for a long run. */
const PUBLICATIONS = Number(process.env.FLEET_PUBLICATIONS ?? 12);
/** A bucket instead of a folder: FLEET_STORE=s3://bucket, with the usual variables of its server. */
const BUCKET = process.env.FLEET_STORE;
/** Each publisher begins at a file that the one before it comes to: they send the same units. */
const SHIFT = Math.ceil(PUBLICATIONS * 0.4);
const DEADLINE = { timeout: 600_000 };

const makeStore = () =>
  BUCKET === undefined ? pathToFileURL(makeDirectory('fleet')).href : `${BUCKET}/${randomUUID()}`;

interface Publishing {
  child: ChildProcess;
  lines: PublisherLine[];
  /** Called with each step that it begins. */
  onStep(heard: (step: string) => void): void;
  /** Resolves when it is ready. */
  ready: Promise<void>;
  start(): void;
  /** Exit status; null after a signal. */
  ended: Promise<number | null>;
}

function publisher(address: string, repo: string, [from, to]: [number, number], mode = ''): Publishing {
  const args = [PUBLISHER, address, repo, `${from}`, `${to}`, mode];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: PublisherLine[] = [];
  const ended = once(child, 'close').then(([status]) => status as number | null);
  const input = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const told = new EventEmitter();
  const ready = once(input, 'line').then(() => {
    input.on('line', (text) => {
      const line = JSON.parse(text);
      if ('step' in line) told.emit('step', line.step);
      else lines.push(line);
    });
  });
  const onStep = (heard: (step: string) => void) => void told.on('step', heard);
  return { child, lines, ready, ended, onStep, start: () => void child.stdin?.write('go\n') };
}

async function headsOf(engine: FleetEngine): Promise<Record<string, string>> {
  const found = await engine.readViews({ parts: 'heads' });
  return Object.fromEntries((found?.views ?? []).map(({ repo, commit }) => [repo, commit]));
}

async function rowsOf(engine: FleetEngine): Promise<[unit: number, record: number]> {
  const { tables } = await engine.status();
  return [tables.unit.rows, tables.record.rows];
}

test('of eight processes that make a store and claim one ref first, exactly one publishes it', DEADLINE, async () => {
  const address = makeStore();
  for (let round = 0; round < 3; round++) {
    const all = Array.from({ length: 8 }, (_, i) => publisher(address, `repo${round}`, [i, i + 1], 'first'));
    await Promise.all(all.map(({ ready }) => ready));
    for (const each of all) each.start();
    assert.deepEqual(await Promise.all(all.map(({ ended }) => ended)), Array(8).fill(0));
    const engine = await openEngine(address, PROFILE);
    const outcomes = all.map(({ lines }) => lines[0].outcome);
    assert.deepEqual([...outcomes].sort(), [...Array(7).fill('moved'), 'published']);
    const views = (await engine.readViews({ parts: 'heads', repo: `repo${round}` }))?.views ?? [];
    assert.deepEqual(
      views.map(({ commit }) => commit),
      [numberedCommit(outcomes.indexOf('published'))],
    );
    assert.deepEqual((await checkFleet(engine)).damaged, []);
    await engine.close();
  }
});

test('eight publishers with many publications each lose nothing while the store is maintained', DEADLINE, async () => {
  const address = makeStore();
  const engine = await openEngine(address, PROFILE);
  const all = Array.from({ length: 8 }, (_, i) =>
    publisher(address, `repo${i}`, [SHIFT * i, SHIFT * i + PUBLICATIONS]),
  );
  await Promise.all(all.map(({ ready }) => ready));
  const started = performance.now();
  for (const each of all) each.start();
  let isOver = false;
  const over = Promise.all(all.map(({ ended }) => ended)).finally(() => {
    isOver = true;
  });
  let maintained = 0;
  while (!isOver) {
    const now = Math.floor(Date.now() / 1_000);
    await engine.maintain({
      holder: 'test',
      now,
      orphansBefore: now - 3_600,
      versionsBefore: now - 3_600,
      force: true,
    });
    maintained++;
  }
  assert.deepEqual(await over, Array(8).fill(0));
  const seconds = (performance.now() - started) / 1_000;
  const times = all.flatMap(({ lines }) => lines.map(({ ms }) => ms)).sort((a, b) => a - b);
  console.log(
    `${times.length} publications in ${seconds.toFixed(1)} s, p50 ${times[Math.floor(times.length / 2)]} ms, p95 ${times[Math.floor(times.length * 0.95)]} ms, maintained ${maintained} times`,
  );
  assert.ok(
    all.every(({ lines }) => lines.length === PUBLICATIONS && lines.every(({ outcome }) => outcome === 'published')),
  );
  const wanted = Object.fromEntries(all.map((_, i) => [`repo${i}`, numberedCommit(SHIFT * i + PUBLICATIONS - 1)]));
  assert.deepEqual(await headsOf(engine), wanted);
  const keys = Array.from({ length: SHIFT * 7 + PUBLICATIONS + 2 }, (_, i) => keyIn('family', numberedFile(i)));
  assert.deepEqual(await engine.missing(keys), []);
  assert.deepEqual((await checkFleet(engine)).damaged, []);
  const now = Math.floor(Date.now() / 1_000) + 1;
  await engine.maintain({ holder: 'test', now, orphansBefore: 0, versionsBefore: now, force: true });
  assert.deepEqual(await rowsOf(engine), [keys.length, keys.length], 'no surplus row is left');
  await engine.close();
});

/** Milliseconds that the steps of a publication take here, of three publishers at once. */
async function durationsOf(address: string): Promise<Map<string, number>> {
  const all = [0, 1, 2].map((i) => publisher(address, `timed${i}`, [0, 3]));
  await Promise.all(all.map(({ ready }) => ready));
  const durations = new Map(STEPS.map((step) => [step as string, 0]));
  const timed = all.map(async ({ ended, onStep, start }) => {
    start();
    let [step, began] = ['', performance.now()];
    onStep((next) => {
      const now = performance.now();
      durations.set(step, Math.max(durations.get(step) ?? 0, now - began));
      [step, began] = [next, now];
    });
    await ended;
  });
  await Promise.all(timed);
  return durations;
}

test('publishers killed anywhere leave no torn view, and the next ones make the store whole', DEADLINE, async () => {
  const address = makeStore();
  const engine = await openEngine(address, PROFILE);
  const random = randomFrom(23);
  const next = [0, 100, 200];
  const killed = new Map<string, number>();
  let checked = 0;
  // A step is over when the next one begins, so the wait is measured: a machine may be ten times slower than another.
  const durations = await durationsOf(makeStore());
  for (let kills = 0; kills < KILLS; kills += next.length) {
    const all = next.map((from, i) => publisher(address, `repo${i}`, [from, from + 1_000]));
    await Promise.all(all.map(({ ready }) => ready));
    const dying = Promise.all(
      all.map(async ({ child, ended, lines, onStep }, i) => {
        const step = STEPS[random(STEPS.length)];
        // Of the second publication in half of the cases, which meets tables that this process has read.
        let wanted = 1 + random(2);
        await new Promise<void>((resolve) => onStep((begun) => begun === step && --wanted === 0 && resolve()));
        await sleep(random(Math.ceil(1.1 * (durations.get(step) ?? 0))));
        child.kill('SIGKILL');
        await ended;
        next[i] += lines.length;
        killed.set(step, (killed.get(step) ?? 0) + 1);
      }),
    );
    for (const each of all) each.start();
    await dying;
    assert.deepEqual((await checkFleet(engine)).damaged, []);
    checked++;
  }
  const last = next.map((from, i) => publisher(address, `repo${i}`, [from, from + 2]));
  await Promise.all(last.map(({ ready }) => ready));
  for (const each of last) each.start();
  assert.deepEqual(await Promise.all(last.map(({ ended }) => ended)), [0, 0, 0]);
  assert.deepEqual(
    await headsOf(engine),
    Object.fromEntries(next.map((from, i) => [`repo${i}`, numberedCommit(from + 1)])),
  );
  const now = Math.floor(Date.now() / 1_000) + 1;
  await engine.maintain({ holder: 'test', now, orphansBefore: now, versionsBefore: now, force: true });
  assert.deepEqual((await checkFleet(engine)).damaged, []);
  assert.deepEqual(await rowsOf(engine), [9, 9], 'what no view names is gone, and no row stands twice');
  console.log(
    `${KILLS} kills, by the step that had begun ${JSON.stringify(Object.fromEntries(killed))}, ${checked} checks of every view, ${next.map((n, i) => n - 100 * i)} publications`,
  );
  await engine.close();
});

test(
  'a process that is killed while the writes of eight publications share commits leaves no torn view',
  DEADLINE,
  async () => {
    const address = makeStore();
    const engine = await openEngine(address, PROFILE);
    const random = randomFrom(29);
    for (let kills = 0; kills < Math.ceil(KILLS / 3); kills++) {
      const crowd = publisher(address, 'crowd', [0, 1_000], 'crowd');
      await crowd.ready;
      let steps = 12 + random(24);
      const reached = new Promise<void>((resolve) => crowd.onStep(() => --steps === 0 && resolve()));
      crowd.start();
      await reached;
      await sleep(random(60));
      crowd.child.kill('SIGKILL');
      await crowd.ended;
      assert.deepEqual((await checkFleet(engine)).damaged, []);
    }
    const last = publisher(address, 'crowd', [0, 2], 'crowd');
    await last.ready;
    last.start();
    assert.equal(await last.ended, 0);
    const wanted = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`crowd.${i}`, numberedCommit(1)]));
    assert.deepEqual(await headsOf(engine), wanted);
    const now = Math.floor(Date.now() / 1_000) + 1;
    await engine.maintain({ holder: 'test', now, orphansBefore: now, versionsBefore: now, force: true });
    assert.deepEqual((await checkFleet(engine)).damaged, []);
    assert.deepEqual(await rowsOf(engine), [3, 3]);
    await engine.close();
  },
);
