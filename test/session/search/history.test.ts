/** Subjects of earlier commits lift the files that these changed, of the commits before the ref that is searched alone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeSubjects, SubjectIndex } from '../../../src/search/commit-subjects.js';
import { warmMessages } from '../../../src/session/indexing/index-operation.js';
import { Process } from '../../support/in-process/search.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
const body = (name: string) => `export function ${name}(order) {\n  return order.shipment;\n}\n`;
let shop: Process;
before(async () => {
  repo.commit({ 'src/alpha.js': body('alpha'), 'src/omega.js': body('omega') }, 'two functions');
  repo.git('tag', 'early');
  repo.commit({ 'src/omega.js': `${body('omega')}// more\n` }, 'shipment of parcels to islands');
  shop = await Process.open(repo);
});
after(() => shop.close());

const said = async (options: object) => {
  const { results } = await shop.search('shipment parcels islands', { mode: 'lexical', explain: true, ...options });
  return Object.fromEntries(results.map(({ path, explain }) => [path, explain?.history ?? 0]));
};

test('the file that a commit of these words changed comes first', async () => {
  const { 'src/omega.js': omega, 'src/alpha.js': alpha } = await said({});
  assert.ok(omega > 0);
  assert.equal(alpha, 0);
});

test('commits after the ref say nothing', async () => {
  assert.deepEqual(Object.values(await said({ ref: 'early' })), [0, 0]);
});

test('without history the order has nothing of it', async () => {
  assert.deepEqual(Object.values(await said({ noHistory: true })), [0, 0]);
});

test('the method that a commit of these words changed comes first, wherever its lines are now', async (t) => {
  const methods = ['alpha', 'beta', 'gamma'];
  const statements = (name: string, value: number) =>
    Array.from({ length: 12 }, (_, i) => `    this.${name}${i} = order.${name}${i} + ${value};`).join('\n');
  const text = (value: number) =>
    `${methods.map((name) => `  ${name}(order) {\n${statements(name, name === 'beta' ? value : 1)}\n  }`).join('\n')}\n`;
  const past = createRepo();
  past.commit({ 'src/shop.js': `class Shop {\n${text(1)}}\n` }, 'a class');
  past.commit({ 'src/shop.js': `class Shop {\n${text(2)}}\n` }, 'compute shipment of parcels to islands');
  const last = `${'// A line above.\n'.repeat(40)}class Shop {\n${text(2)}}\n`;
  const tip = past.commit({ 'src/shop.js': last }, 'say who wrote it');
  const process = await Process.open(past);
  t.after(() => process.close());
  const first = async (options: object) => {
    const { results } = await process.search('where is the parcel shipment to islands computed', options);
    return results.find(({ path }) => path === 'src/shop.js')?.symbol;
  };
  assert.notEqual(await first({ mode: 'hybrid' }), 'Shop.beta', 'no search compares commits');
  await warmMessages(process.session, tip);
  assert.equal(await first({ mode: 'hybrid' }), 'Shop.beta');
  assert.notEqual(await first({ mode: 'hybrid', noHistory: true }), 'Shop.beta');
});

test('a commit of many files says less of each', () => {
  const commits = [
    { subject: 'parcels', paths: ['one.js'] },
    { subject: 'parcels', paths: ['a.js', 'b.js', 'c.js', 'd.js'] },
  ];
  const score = new SubjectIndex(encodeSubjects(commits), 'test').scores(['parcel']);
  assert.ok(score('one.js') > score('a.js'));
  assert.ok(score('a.js') > 0);
  assert.equal(score('other.js'), 0);
});
