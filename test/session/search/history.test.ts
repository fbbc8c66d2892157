/** Subjects of earlier commits lift the files that these changed, of the commits before the ref that is searched alone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeSubjects, SubjectIndex } from '../../../src/search/commit-subjects.js';
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
