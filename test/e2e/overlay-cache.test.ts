/** What is remembered of uncommitted files: parsed once, never wrong, made again when damaged. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ParserPool } from '../../src/indexer/parser-pool.js';
import { overlayDirectory } from '../../src/overlay/state-file.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { inProcess, type Process } from '../support/in-process/search.js';
import { cli } from '../support/processes/cli.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';

const define = (name: string) => `export function ${name}(): number {\n  return 1;\n}\n`;

function project(): TestRepo {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'src/old.ts': define('oldQuokka') });
  return repo;
}

/** Files handed to parsers while something is done. */
async function parsed(work: () => Promise<unknown>): Promise<number> {
  const { parse } = ParserPool.prototype;
  let count = 0;
  ParserPool.prototype.parse = function (job) {
    count++;
    return parse.call(this, job);
  };
  try {
    await work();
  } finally {
    ParserPool.prototype.parse = parse;
  }
  return count;
}

const search = (repo: TestRepo, query: string): Promise<SearchResponse> =>
  inProcess(repo, (process) => process.search(query, { mode: 'lexical' }));
/** Where a word stands in an answer; null if it does not. */
const placeOf = ({ results }: SearchResponse, word: string) =>
  results.find(({ content }) => content?.includes(word))?.path ?? null;
const top = async (repo: TestRepo, word: string) => placeOf(await search(repo, word), word);

/** Clocks of file systems tick; files older than a tick are trusted. */
function settle(repo: TestRepo, ...paths: string[]): void {
  const before = new Date(Date.now() - 60_000);
  for (const path of paths) utimesSync(join(repo.dir, path), before, before);
}

test('a file is parsed once, whatever process asks, and again only when its content is another', async () => {
  const repo = project();
  await search(repo, 'quokka');
  repo.write({ 'src/old.ts': define('editedWombat'), 'src/new.ts': define('untrackedEmu') });
  assert.equal(await parsed(() => search(repo, 'wombat')), 2);
  assert.equal(await parsed(() => search(repo, 'wombat')), 0);
  settle(repo, 'src/old.ts');
  assert.equal(await parsed(() => search(repo, 'wombat')), 0);
  repo.write({ 'src/old.ts': define('otherWombat') });
  assert.equal(await parsed(() => search(repo, 'wombat')), 1);
  // A text that a commit has, at another path: known already.
  repo.write({ 'src/copy.ts': PROJECT['src/session.ts'], 'src/old.ts': define('oldQuokka') });
  assert.equal(await parsed(() => search(repo, 'wombat')), 0);
  assert.equal(await top(repo, 'otherWombat'), null);
});

test('the same size in the same moment: the change is seen', async () => {
  const repo = project();
  for (let i = 0; i < 5; i++) {
    for (const name of ['quickWombat', 'briskWombat']) {
      repo.write({ 'src/old.ts': define(name) });
      assert.equal(await top(repo, name), 'src/old.ts');
    }
  }
});

test('many edits leave few shards, and all that is uncommitted is still found', async () => {
  const repo = project();
  await inProcess(repo, async (process) => {
    for (let i = 0; i < 24; i++) {
      repo.write({ [`src/part${i}.ts`]: define(`partOf${i}`) });
      assert.equal(placeOf(await process.search(`partOf${i}`), `partOf${i}`), `src/part${i}.ts`);
    }
  });
  assert.equal(await parsed(() => search(repo, 'partOf0')), 0);
  for (const i of [0, 11, 23]) assert.equal(await top(repo, `partOf${i}`), `src/part${i}.ts`);
  assert.ok(overlayFiles(repo).filter((path) => path.endsWith('.bin')).length <= 8);
});

test('five hundred uncommitted files are searched, and parsed once', async () => {
  const repo = project();
  repo.write(manyFiles(500, 'lots'));
  const response = await search(repo, 'Part499');
  assert.deepEqual([response.results[0].path, response.overlay], ['lots/part499.ts', 500]);
  assert.equal(await parsed(() => search(repo, 'Part7')), 0);
});

test('beyond the limits files are as committed, and counted', async () => {
  const repo = createRepo();
  const files = Object.fromEntries(
    Array.from({ length: 5_010 }, (_, i) => [`t/${String(i).padStart(5, '0')}.txt`, `w${i}`]),
  );
  repo.write(files);
  repo.commit({ 'z.txt': 'committedword' });
  for (const path of Object.keys(files)) files[path] += ' more';
  repo.write({ ...files, 'z.txt': 'changedword' });
  const response = await search(repo, 'committedword');
  assert.deepEqual([response.results[0]?.path, response.dirty, response.overlay], ['z.txt', 5_011, 5_000]);
  const { stdout } = await cli(['search', 'committedword'], { cwd: repo.dir });
  assert.match(stdout, /5,000 uncommitted files included, 11 left out/);
});

/** Everything that is kept of this work tree. */
function overlayFiles(repo: TestRepo): string[] {
  const names = readdirSync(repo.state, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /overlay-[^/]+\/.*\.(?:bin|json)$/.test(name)).map((name) => join(repo.state, name));
}

test('a damaged cache is made again', async () => {
  const repo = project();
  repo.write({ 'src/new.ts': define('untrackedEmu') });
  settle(repo, 'src/new.ts');
  await search(repo, 'emu');
  const damages: ((path: string) => void)[] = [
    (path) => writeFileSync(path, ''),
    (path) => writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size >> 1)),
    (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] ^= 1;
      writeFileSync(path, bytes);
    },
    (path) => renameSync(path, `${path}.gone`),
  ];
  for (const damage of damages) {
    for (const path of overlayFiles(repo)) {
      damage(path);
      assert.equal(await top(repo, 'untrackedEmu'), 'src/new.ts', path);
      assert.equal(await parsed(() => search(repo, 'emu')), 0);
    }
  }
});

test('once all is committed nothing is kept', async () => {
  const repo = project();
  repo.write({ 'src/new.ts': define('untrackedEmu') });
  await search(repo, 'emu');
  assert.equal(overlayFiles(repo).length, 2);
  repo.commit();
  await search(repo, 'emu');
  assert.deepEqual(overlayFiles(repo), []);
});

test('where nothing can be kept, it costs time only', async () => {
  const repo = project();
  await search(repo, 'quokka');
  await inProcess(repo, async ({ session }) => {
    writeFileSync(overlayDirectory(session.shards.directory, session.repository.gitDir), 'in the way');
  });
  repo.write({ 'src/new.ts': define('untrackedEmu') });
  for (let i = 0; i < 2; i++) assert.equal(await top(repo, 'untrackedEmu'), 'src/new.ts');
});

test('searches at the same time', async () => {
  const repo = project();
  repo.write({ 'src/new.ts': define('untrackedEmu') });
  const answers = await Promise.all(Array.from({ length: 6 }, () => top(repo, 'untrackedEmu')));
  assert.deepEqual(answers, Array(6).fill('src/new.ts'));
});

test('a file that changes between finding and showing never lends its text to a chunk', async () => {
  const repo = project();
  repo.write({ 'src/new.ts': define('untrackedEmu') });
  await inProcess(repo, async (process) => {
    const { session } = process;
    const origin = session.origin.bind(session);
    let changes = 0;
    // Right after git was asked, the file is written again, twice.
    session.origin = async (...args) => {
      const found = await origin(...args);
      const before = session.readChanges;
      if (changes++ < 2)
        await before?.().then(() => repo.write({ 'src/new.ts': `// moved ${changes}\n${define('untrackedEmu')}` }));
      return found;
    };
    const { results } = await process.search('untrackedEmu', { mode: 'lexical' });
    assert.match(results[0].content ?? '', /^(?:\/\/ moved \d\n)?export function untrackedEmu/);
  });
});

test('a process that stays sees every edit at its next search', async () => {
  const repo = project();
  await inProcess(repo, async (process) => {
    await warm(process);
    const finds = async (name: string) =>
      placeOf(await process.search(name, { mode: 'lexical', limit: 40 }), `${name}(`);
    for (let i = 0; i < 10; i++) {
      repo.write({ 'src/old.ts': define(`editNumber${i}`), [`deep/new${i}/a/b.ts`]: define(`deepNumber${i}`) });
      assert.equal(await finds(`editNumber${i}`), 'src/old.ts');
      assert.equal(await finds(`deepNumber${i}`), `deep/new${i}/a/b.ts`);
      if (i > 0) assert.equal(await finds(`editNumber${i - 1}`), null);
    }
    repo.write({ '.gitignore': 'deep/\n' });
    assert.equal(await finds('deepNumber3'), null);
    repo.git('checkout', '-q', '--', 'src/old.ts');
    assert.equal(await finds('oldQuokka'), 'src/old.ts');
    repo.commit({ 'src/old.ts': define('committedNumber') });
    assert.equal(await finds('committedNumber'), 'src/old.ts');
    repo.git('reset', '-q', '--hard', 'HEAD~1');
    assert.equal(await finds('oldQuokka'), 'src/old.ts');
    assert.equal(await finds('committedNumber'), null);
  });
});

/** Asks until nothing more is asked of git. */
async function warm({ searcher, session }: Process): Promise<void> {
  let asked = 0;
  const ask = session.readChanges;
  session.readChanges = (paths) => {
    asked++;
    return (ask as NonNullable<typeof ask>)(paths);
  };
  for (let i = 0; i < 100; i++) {
    const before = asked;
    await searcher.search({ query: 'quokka' });
    if (asked === before) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail('git is asked at every search');
}
