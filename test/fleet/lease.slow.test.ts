/** Maintainers that die or stop anywhere, and others with other clocks that take the lease over. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FleetEngine } from '../../fleet/src/contract.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { checkFleet } from '../../fleet/src/look-after.js';
import { openEngine } from '../../fleet/src/open.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { keyIn, numberedCommit, numberedFile, PROFILE, storedUnit, uploadOf, viewOf } from './made.js';

const MAINTAINER = fileURLToPath(new URL('../support/processes/fleet-maintainer.js', import.meta.url));
const DEADLINE = { timeout: 540_000 };
const NOW = 10_000;
const NAMED = [0, 1, 2, 3].map(numberedFile);
const KEYS = NAMED.map((file) => keyIn('shop', file));

/** A store in which each named unit stands two or three times, with an old unit that no view names. */
async function worn(): Promise<string> {
  const directory = makeDirectory('worn');
  const engine = await openEngine(pathToFileURL(directory).href, PROFILE, { probe: false });
  const intake = new FleetIntake(engine);
  const about = { profile: PROFILE.id, repo: 'shop', family: 'shop', ref: 'main' };
  await intake.units({ ...about, units: NAMED.map(uploadOf) });
  const publish = (ref: string, commit: string, previous: string) =>
    intake.view(viewOf(NAMED, { ...about, ref, commit, previous }));
  assert.equal((await publish('main', numberedCommit(1), '')).outcome, 'published');
  for (const files of [NAMED, NAMED.slice(0, 2), [numberedFile(9)]]) {
    const units = files.map((file) => storedUnit(file, 'shop', 1_000));
    await engine.append(...([units.map(({ unit }) => unit), units.map(({ record }) => record)] as const));
  }
  await engine.close();
  return directory;
}

function copyOf(directory: string): string {
  const copy = join(makeDirectory('copy'), 'store');
  cpSync(directory, copy, { recursive: true });
  return pathToFileURL(copy).href;
}

function maintainer(t: TestContext, address: string, stop: NodeJS.Signals, at: number) {
  const args = [MAINTAINER, address, 'first', `${NOW}`, stop, `${at}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  // A stopped one would keep a test that fails from ending.
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([status, signal]) => (signal ?? status) as string | number);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, ended, line: async () => (await lines.next()).value as string };
}

const maintain = (engine: FleetEngine, now: number) =>
  engine.maintain({ holder: 'second', now, orphansBefore: 5_000, versionsBefore: now, graceMs: 0, force: true });

async function checkWhole(engine: FleetEngine, where: string): Promise<void> {
  assert.deepEqual(await engine.missing(KEYS), [], where);
  const { damaged, faults, checked } = await checkFleet(engine);
  assert.deepEqual([damaged, faults, checked], [[], [], KEYS.length], where);
}

async function checkTidy(engine: FleetEngine, where: string): Promise<void> {
  const { tables } = await engine.status();
  assert.deepEqual(
    [tables.unit.rows, tables.record.rows],
    [KEYS.length, KEYS.length],
    `${where}: no row is left twice`,
  );
}

test(
  'a maintainer that is killed before any of its writes loses nothing, and another one takes over when its lease has run out',
  DEADLINE,
  async (t) => {
    const directory = await worn();
    const places: string[] = [];
    for (let at = 0; ; at++) {
      const address = copyOf(directory);
      const first = maintainer(t, address, 'SIGKILL', at);
      const line = await first.line();
      const how = await first.ended;
      if (line.startsWith('done')) {
        assert.equal(line, `done ${at}`);
        break;
      }
      assert.equal(how, 'SIGKILL', line);
      places.push(line);
      const engine = await openEngine(address, PROFILE, { probe: false });
      await checkWhole(engine, `killed ${line}`);
      assert.equal(await maintain(engine, NOW + 599), null, 'the lease of the dead one has not run out');
      assert.notEqual(await maintain(engine, NOW + 600), null);
      assert.equal((await engine.status()).lease?.holder, 'second');
      await checkWhole(engine, `killed ${line}, then maintained`);
      await checkTidy(engine, `killed ${line}`);
      await engine.close();
    }
    assert.ok(places.length >= 8, `${places}`);
    console.log(`killed ${places.join(', ')}`);
  },
);

test('two maintainers at a time, since the clock of one is ahead, lose nothing', DEADLINE, async (t) => {
  const directory = await worn();
  for (const at of [0, 2, 4, 7]) {
    const address = copyOf(directory);
    const first = maintainer(t, address, 'SIGSTOP', at);
    const line = await first.line();
    const engine = await openEngine(address, PROFILE, { probe: false });
    assert.notEqual(await maintain(engine, NOW + 3_600), null, 'its clock is an hour ahead');
    await checkWhole(engine, `stopped ${line}`);
    await checkTidy(engine, `stopped ${line}`);
    first.child.kill('SIGCONT');
    await first.ended;
    await checkWhole(engine, `stopped ${line}, then continued`);
    assert.notEqual(await maintain(engine, NOW + 3_601), null);
    await checkWhole(engine, `stopped ${line}, then maintained`);
    await checkTidy(engine, `stopped ${line}`);
    await engine.close();
  }
});
