/** A fleet whose chunks have vectors of another model ranks by the same rules as a repository with such vectors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from '../../fleet/src/access/access.js';
import { asking } from '../../fleet/src/ask/asking.js';
import { fleetStore } from '../../fleet/src/ask/store.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { fleetProfile } from '../../fleet/src/keys.js';
import { encodeVectorRecord } from '../../src/record/vector-codec.js';
import { materialise, type SourceFile } from '../support/generated/corpus.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { LANGUAGE, PROFILE, sourceFile, uploadOf, viewOf } from './made.js';

const DIMENSIONS = 32;
const everybody = clientOf({ name: 'test', read: ['**'], publish: [] });
const OTHER = fleetProfile('syntax', 'other', { pathDimensions: PROFILE.content, provider: DIMENSIONS });

/** What all vectors share is `SHARED` long, what a file's own are about `ABOUT`: two files have a cosine of .8. */
const [SHARED, ABOUT] = [127, 64];

function vectorOf(about: number): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  vector[about] = ABOUT;
  vector[DIMENSIONS - 1] = SHARED;
  return vector;
}

const WORDS = ['parcel', 'voucher', 'password', 'invoice', 'currency', 'schedule', 'session', 'thumbnail'];
const files = WORDS.map((word, i) => sourceFile(`src/f${i}.ts`, `Name${i}`, [word, 'common']));

async function fleetOf(profile: typeof PROFILE, about: number) {
  const engine = new MemoryEngine(profile);
  const intake = new FleetIntake(engine, { now: () => 1_700_000_000_000 });
  const view = { ...viewOf(files), profile: profile.id };
  const units = files.map((file, i) => (profile === OTHER ? withVectors(file, i) : uploadOf(file)));
  await intake.units({ ...view, units });
  assert.deepEqual(await intake.view(view), { outcome: 'published' });
  const question = Float32Array.from(vectorOf(about), (x) => x / Math.hypot(SHARED, ABOUT));
  return asking(fleetStore(engine, { embed: async () => question }), everybody);
}

function withVectors(file: SourceFile, about: number) {
  const upload = uploadOf(file);
  const chunks = countOf(file);
  const rows = Int8Array.from(Array.from({ length: chunks }, () => vectorOf(about)).flat());
  const own = { hashes: new Uint8Array(8 * chunks), rows };
  const record = { dimensions: DIMENSIONS, languages: { [LANGUAGE]: own } };
  return { ...upload, vectors: encodeVectorRecord(upload.oid, record) as Uint8Array };
}

const countOf = (file: SourceFile) => materialise(file).facts.chunks.length;

const explained = async (fleet: Awaited<ReturnType<typeof fleetOf>>, mode: 'semantic' | 'hybrid', query: string) => {
  const { results } = await fleet.search({ query, mode, explain: true, limit: 50 });
  const best = new Map<string, Record<string, number>>();
  for (const { path, explain = {} } of results) if (!best.has(path)) best.set(path, explain);
  return best;
};

test('chunks about something else are far from a question, although all vectors point in nearly one direction', async () => {
  const found = await explained(await fleetOf(OTHER, 3), 'semantic', 'zzqq');
  const [first, ...others] = [...found];
  assert.equal(first[0], 'src/f3.ts');
  for (const [path, { dense = 0 }] of others) assert.ok(dense < 0.3 * first[1].dense, `${path}: ${dense}`);
});

test('the built-in model keeps its say on rare words beside another model', async () => {
  const query = 'how is the password stored';
  const [own, other] = [
    await explained(await fleetOf(PROFILE, 3), 'hybrid', query),
    await explained(await fleetOf(OTHER, 3), 'hybrid', query),
  ];
  const rare = (found: typeof own, path: string) => found.get(path)?.denseRare?.toFixed(6);
  assert.ok(rare(own, 'src/f2.ts') !== undefined);
  assert.equal(rare(other, 'src/f2.ts'), rare(own, 'src/f2.ts'));
  assert.notEqual(other.get('src/f3.ts')?.dense, own.get('src/f3.ts')?.dense);
});
