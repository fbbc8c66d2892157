/** What the doctor says of settings, the index, sharing, hooks and locks here, when all is well and when something is not. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DoctorReport } from '../../../src/questions/doctor/question.js';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';
import { filesOf } from '../fsck/stock.js';

const repo = makeMarket();
const { document, text } = await openTold(repo);
const OF_THE_MACHINE = /^(?:program|git|node|parser|disk|objects|grammars|place|features)/;
async function told(pattern = /./): Promise<string[]> {
  const { checks } = await document<DoctorReport>('doctor');
  return checks
    .filter(({ name, group }) => group !== 'program' && !OF_THE_MACHINE.test(name) && pattern.test(`${group} ${name}`))
    .map(({ group, name, ok, detail, hint }) =>
      [group, name, ok ? 'ok' : 'WRONG', detail, ...(hint === null ? [] : [`(${hint})`])]
        .join(' | ')
        .replaceAll(repo.dir, 'REPO')
        .replace(/[\d.,]+ (?:[kKMG]?B|days)\b/g, 'SOME')
        .replace(/; known: [^|]*/, ' ')
        .replace(/\b[0-9a-f]{9,}\b/g, '<id>'),
    );
}

test('before the index and after it', async () => {
  assert.deepEqual(await told(), [
    'repository | HEAD | ok | main at <id>',
    'configuration | settings | ok | defaults',
    'configuration | artifacts | ok | none named',
    'configuration | embedder | ok | built in, <id>',
    'index | files | ok | 0 of 14 files of HEAD; the next search or `git socraticode index` brings in the rest',
    'index | shards | ok | nothing is built here yet',
    'index | records | ok | no records yet: git socraticode index',
    'sharing | remote | ok | no remote: the index stays here',
    'hooks | run by | ok | REPO/.git/hooks',
    'hooks | hooks | ok | not installed: git socraticode hooks install keeps the index ready',
    'locks | ours | ok | none held',
    'locks | of git | ok | none held',
    'storage | local state | ok | nothing',
    'storage | leftovers | ok | none',
    'storage | log | ok | empty',
  ]);
  await text('index');
  assert.deepEqual(await told(/^index/), [
    'index | files | ok | 14 of 14 files of HEAD',
    'index | shards | ok | 1 shard',
    'index | syntax/<id> | ok | in use, 14 records, tip <id>',
  ]);
});

test('settings that nothing reads, hooks without a program, locks that nobody holds, and damage are told with what to do', async () => {
  repo.git('config', 'socraticode.maxFileSize', '1');
  await text('hooks install');
  writeFileSync(join(repo.dir, '.git/index.lock'), '');
  utimesSync(join(repo.dir, '.git/index.lock'), 1_700_000_000, 1_700_000_000);
  repo.git('remote', 'add', 'origin', 'https://host.invalid/x.git');
  for (const path of filesOf(repo, /^lexical-/)) truncateSync(path, 100);
  mkdirSync(join(repo.dir, '.socraticode'), { recursive: true });
  writeFileSync(
    join(repo.dir, '.socraticodecontextartifacts.json'),
    '{"artifacts": [{"name": "spec", "path": "none"}]}',
  );
  const all = (await told()).filter((line) => !/ \| ok \| /.test(line));
  assert.deepEqual(all, [
    'configuration | settings | WRONG | git config (local, file:REPO/.git/config): unknown key "maxfilesize" | (Correct it where the message says; `git socraticode config` then lists what is set.)',
    'configuration | artifacts | WRONG | .socraticodecontextartifacts.json: artifacts[0].description is missing; allowed: text of at most 2000 characters | (Correct .socraticodecontextartifacts.json; until then it is passed over.)',
    'index | shards | WRONG | 1 shard, of which some are gone | (git socraticode index builds them anew.)',
    'locks | of git | WRONG | index.lock is SOME old | (If no git command runs here, a killed one left it: rm REPO/.git/index.lock)',
  ]);
  rmSync(join(repo.dir, '.git/index.lock'));
});
