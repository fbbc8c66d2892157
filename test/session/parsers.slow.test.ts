/** Parsers are shared: a question about uncommitted files starts one, whatever parts of the answer need it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Session } from '../../src/session/session.js';
import { IdleParsers, parsersOf } from '../../src/session/speculation.js';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { makeSpy } from '../support/spies/spy.js';

const SHOP = {
  'src/cart.ts': "import { price } from './price';\nexport function total(): number {\n  return price() * 2;\n}\n",
  'src/price.ts': 'export function price(): number {\n  return 21;\n}\n',
};

test('search, graph and comparison of an edited file start one parser together', async () => {
  const repo = createRepo();
  repo.commit(SHOP);
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  // The graph of HEAD is there already, as after a first question.
  assert.equal((await cli(['graph', 'impact', 'price'], { cwd: repo.dir })).code, 0);
  repo.write({ 'src/price.ts': 'export function price(vat: number): number {\n  return 21 + vat;\n}\n' });
  const spy = makeSpy();
  const { code, stdout } = await cli(['graph', 'impact'], { cwd: repo.dir, env: spy.env });
  assert.equal(code, 0);
  assert.match(stdout, /src\/cart\.ts/);
  const log = readFileSync(spy.env.SOCRATICODE_TEST_SPY as string, 'utf8');
  const parsers = log.split('\n').filter((line) => line.includes('parser-child.js'));
  assert.equal(parsers.length, 1, parsers.join('\n'));
});

test('a closed session starts no parser, which nothing would stop', async () => {
  const repo = createRepo();
  repo.commit(SHOP);
  const session = await Session.open({ directory: repo.dir });
  const parsers = parsersOf(session);
  assert.equal(parsersOf(session), parsers);
  session.close();
  assert.throws(() => parsers.get(), /closed/);
});

test('parsers that somebody waits for outlive their minute; idle ones end with it', async (t) => {
  const parsers = new IdleParsers(1);
  t.after(() => parsers.end());
  const pool = parsers.get();
  const bytes = Buffer.from(SHOP['src/price.ts']);
  const waiting = pool.parse({ oid: '0'.repeat(40), language: 'typescript', bytes });
  const minute = () => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    parsers.rest();
    t.mock.timers.tick(60_000);
    t.mock.timers.reset();
  };
  minute();
  assert.equal(parsers.get(), pool, 'another question still waits for a file');
  assert.ok('record' in (await waiting));
  minute();
  assert.notEqual(parsers.get(), pool);
});
