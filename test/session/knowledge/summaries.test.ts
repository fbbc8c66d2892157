/** Sets of summaries: one for each model, found by the settings or by who wrote last. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { SUMMARIES, type SummaryBody } from '../../../src/knowledge/codecs.js';
import { EntryStore } from '../../../src/knowledge/entry.js';
import type { LexicalScores } from '../../../src/search/lexical.js';
import { ownModel, profileOf, readSummaries, summaryScores } from '../../../src/session/knowledge/summaries.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, runGit, type TestRepo } from '../../support/repositories/repo.js';

const AUTHOR = { name: 'A', email: '', by: 'agent' as const };
const bodyOf = (key: string, change: Partial<SummaryBody> = {}): SummaryBody => ({
  ...{ kind: 'file', key: key.repeat(32), model: 'm', text: `about ${key}`, objects: ['a'.repeat(40)] },
  ...change,
});

/** Writes summaries of a model at a day. */
async function write(
  repo: TestRepo,
  model: string,
  day: number,
  bodies: SummaryBody[],
  isShared = true,
): Promise<void> {
  const session = await Session.open({ directory: repo.dir });
  const store = new EntryStore(session, SUMMARIES, profileOf(model));
  await store.addAll(
    bodies.map((body, i) => ({ author: AUTHOR, time: day + i, body })),
    isShared,
    0,
  );
  session.close();
  const ref = store.refOf(isShared);
  const dated = repo.gitAt(`2024-01-0${day}T00:00:00Z`, 'commit-tree', '-m', 'x', `${ref}^{tree}`);
  repo.git('update-ref', ref, dated);
}

test('a set is named by the model and the version of the prompt, and a model by its provider', () => {
  const hash = createHash('sha256').update('[1,"ollama:tiny"]').digest('hex');
  assert.equal(profileOf('ollama:tiny'), hash.slice(0, 16));
  const own = (name: string, model?: string) => ownModel({ name, model } as Parameters<typeof ownModel>[0]);
  assert.deepEqual(
    [own('host'), own('host', 'x'), own('none', 'x'), own('ollama'), own('ollama', 'tiny')],
    ['host', 'host', null, null, 'ollama:tiny'],
  );
});

test('summaries of a model are read from its set, and without a model those of the one that wrote last', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1\n' });
  const read = async (model: string | null) => {
    const session = await Session.open({ directory: repo.dir });
    const { byKey, store, entries } = await readSummaries(session, model);
    session.close();
    return [[...byKey.values()].map(({ text }) => text).sort(), store !== null, entries];
  };
  assert.deepEqual(await read(null), [[], false, 0]);
  assert.deepEqual(await read('one'), [[], true, 0]);
  await write(repo, 'one', 3, [bodyOf('1'), bodyOf('1', { text: 'later' }), bodyOf('2')]);
  await write(repo, 'two', 2, [bodyOf('3')], false);
  assert.deepEqual(await read('one'), [['about 1', 'about 2'], true, 3]);
  assert.deepEqual(await read('two'), [['about 3'], true, 1]);
  assert.deepEqual(await read(null), [['about 1', 'about 2'], false, 3]);
  await write(repo, 'two', 4, [bodyOf('4')], false);
  assert.deepEqual(await read(null), [['about 3', 'about 4'], false, 2], 'a private set counts, too');
});

test('scores are those of the model of the settings, of another one where it has written nothing, and of no folder', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1\n', 'b.ts': '2\n' });
  const flags = { 'summarizer.name': 'ollama', 'summarizer.model': 'tiny' };
  const [a, b] = ['a.ts', 'b.ts'].map((path) =>
    runGit(['rev-parse', `HEAD:${path}`], { cwd: repo.dir })
      .toString()
      .trim(),
  );
  const scored = async (term: string) => {
    const session = await Session.open({ directory: repo.dir, flags });
    t.after(() => session.close());
    const scores = await summaryScores(session, await session.origin('HEAD'));
    const of = scores?.({ terms: [{ term }] } as unknown as LexicalScores);
    return of === undefined ? null : [a, b].map((blob) => of(blob) > 0);
  };
  assert.equal(await scored('parcel'), null);
  await write(repo, 'other', 2, [bodyOf('1', { text: 'parcel', objects: [a] })]);
  assert.deepEqual(await scored('parcel'), [true, false]);
  await write(repo, 'ollama:tiny', 1, [
    bodyOf('2', { kind: 'symbol', text: 'letter', objects: [b, a] }),
    bodyOf('3', { kind: 'folder', text: 'stone', objects: [a] }),
  ]);
  assert.deepEqual(
    [await scored('letter'), await scored('parcel'), await scored('stone')],
    [
      [false, true],
      [false, false],
      [false, false],
    ],
  );
});
