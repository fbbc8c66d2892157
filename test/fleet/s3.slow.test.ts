/**
 * LanceDB over the protocol of S3, spoken by a server of the tests on loopback (`support/servers/s3-server.ts`). It shows what LanceDB
 * sends and relies on; how a provider behaves under load it does not show. `FLEET_STORE` names a real bucket for the contract.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { FleetIntake } from '../../fleet/src/intake.js';
import { checkFleet } from '../../fleet/src/look-after.js';
import { openEngine } from '../../fleet/src/open.js';
import { type S3Options, type S3Server, s3Environment, startS3 } from '../support/servers/s3-server.js';
import { testContract } from './contract.js';
import { keyIn, numberedCommit, numberedFile, PROFILE, uploadOf, viewOf } from './made.js';

let server: S3Server;
let stores = 0;

/** Bucket of another server: FLEET_STORE=s3://bucket, with AWS_ENDPOINT_URL and credentials. */
const BUCKET = process.env.FLEET_STORE;

before(async () => {
  server = await startS3({ page: 7 });
  if (BUCKET === undefined) Object.assign(process.env, s3Environment(server));
});
after(() => server.close());

testContract('lance over S3', async () => {
  const address = BUCKET === undefined ? `s3://bucket/fleet${stores++}` : `${BUCKET}/${randomUUID()}`;
  return { engine: await openEngine(address, PROFILE), other: await openEngine(address, PROFILE, { probe: false }) };
});

/** Works over a server of its own, in a bucket that no other test names: LanceDB keeps clients by bucket. */
async function over(options: S3Options, work: (own: S3Server, address: string) => Promise<void>): Promise<void> {
  const own = await startS3(options);
  Object.assign(process.env, s3Environment(own));
  try {
    await work(own, `s3://bucket${stores++}/fleet`);
  } finally {
    Object.assign(process.env, s3Environment(server));
    await own.close();
  }
}

test('a bucket that ignores conditional writes is refused when it is opened', () =>
  over({ isConditional: false }, async (_, address) => {
    await assert.rejects(openEngine(address, PROFILE), {
      code: 'FLEET_UNSAFE_STORE',
      message: /of 12 simultaneous commits were lost/,
    });
  }));

const FILES = [0, 1, 2, 3].map(numberedFile);
const KEYS = FILES.map((file) => keyIn('shop', file));

test('requests that fail, or whose answers are lost after the work was done, lose and double nothing', () => {
  // Every seventh request is refused, and of every eleventh the answer is lost: LanceDB tries each again.
  const faultOf: S3Options['faultOf'] = ({ number }) => (number % 11 === 10 ? 'cut' : number % 7 === 6 ? 503 : null);
  return over({ faultOf }, async (own, address) => {
    const engine = await openEngine(address, PROFILE, { probe: false });
    const intake = new FleetIntake(engine);
    const about = { profile: PROFILE.id, repo: 'shop', family: 'shop', ref: 'main' };
    for (const [i, file] of FILES.entries()) {
      const { previous, missing } = await intake.plan({ ...about, keys: KEYS });
      assert.deepEqual(missing, KEYS.slice(i));
      await intake.units({ ...about, units: [uploadOf(file)] });
      const answer = await intake.view(viewOf(FILES.slice(0, i + 1), { commit: numberedCommit(i), previous }));
      // A swap that was done, and whose answer was lost, finds its own commit: publishers take that as done.
      const own = answer.outcome === 'published' || (answer.outcome === 'moved' && answer.commit === numberedCommit(i));
      assert.ok(own, JSON.stringify(answer));
    }
    delete own.options.faultOf;
    assert.deepEqual(await checkFleet(engine), { checked: FILES.length, damaged: [], faults: [] });
    const now = Math.floor(Date.now() / 1_000);
    await engine.maintain({ holder: 'x', now, orphansBefore: 0, versionsBefore: now, force: true, graceMs: 0 });
    const { tables } = await engine.status();
    assert.deepEqual([tables.unit.rows, tables.record.rows, tables.view.rows], [FILES.length, FILES.length, 1]);
    await engine.close();
  });
});

test('a store that is gone is an error with a next step, and answers again when it is back', () =>
  over({}, async (own, address) => {
    const engine = await openEngine(address, PROFILE, { probe: false });
    own.options.faultOf = () => 'cut';
    await assert.rejects(engine.missing(KEYS), { code: 'FLEET_STORE', hint: /address and the storage/ });
    delete own.options.faultOf;
    assert.deepEqual(await engine.missing(KEYS), KEYS);
    await engine.close();
  }));
