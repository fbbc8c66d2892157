/** S1: records are read by many and written by anybody. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HostileRun } from '../record/hostile-run.js';
import { campaign, type Figures } from '../support/campaigns/campaign.js';

const RUN = fileURLToPath(new URL('../record/hostile-run.js', import.meta.url));
/** So much room for what is new that next to nothing is collected while one record is decoded, and measured. */
const MEMORY = ['--max-semi-space-size=128', '--max-old-space-size=256'];

campaign(
  'cbor',
  {
    bar: 'S1',
    claim: 'hostile records are refused within 50 ms and 64 MB each, and what is accepted has one encoding',
    short: { mutations: 2_500, golden: 10 },
    long: { mutations: 50_000, golden: 200 },
  },
  async ({ size, random }) => {
    const input: HostileRun = { mutations: size.mutations, golden: size.golden, seed: random(2 ** 31) };
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...MEMORY, RUN], {
      input: JSON.stringify(input),
      encoding: 'utf8',
    });
    assert.deepEqual([status, signal], [0, null], stderr.slice(-4_000));
    return JSON.parse(stdout) as Figures;
  },
);
