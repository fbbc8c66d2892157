/** Contract suite of `FleetEngine`: every engine passes it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FleetEngine, ViewRow } from '../../fleet/src/contract.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { familyId, viewKey } from '../../fleet/src/keys.js';
import { openPayload, openText } from '../../fleet/src/unit.js';
import { materialise } from '../support/generated/corpus.js';
import { commitId, keyIn, PROFILE, sourceFile, storedUnit, uploadOf, viewOf } from './made.js';

const CART = sourceFile('src/cart.ts', 'Cart', ['discount', 'total', 'price', 'discount']);
const LOGIN = sourceFile('src/login.ts', 'Login', ['password', 'session', 'token']);
const PARSER = sourceFile('src/parser.ts', 'Parser', ['token', 'grammar', 'syntax']);
const FILES = [CART, LOGIN, PARSER];
const ABOUT = { profile: PROFILE.id, repo: 'shop', family: 'shop', ref: 'main' };

interface Opened {
  engine: FleetEngine;
  /** The same store as another process would see it. */
  other: FleetEngine;
}

async function fill(engine: FleetEngine, family = 'shop', now = 1_000): Promise<void> {
  const made = FILES.map((file) => storedUnit(file, family, now));
  await engine.append(
    made.map(({ unit }) => unit),
    made.map(({ record }) => record),
  );
}

const keys = (family = 'shop') => FILES.map((file) => keyIn(family, file));

function rowOf(about: Partial<ViewRow> = {}): ViewRow {
  const { profile, family, keep, ...view } = viewOf(FILES);
  return { ...view, family: familyId(family), publishedAt: 1_000, ...about };
}

/** Registers the suite. `open` gives an empty store; `name` heads the titles. */
export function testContract(name: string, open: () => Promise<Opened>): void {
  const contract = (title: string, work: (opened: Opened) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      const opened = await open();
      try {
        await work(opened);
      } finally {
        await opened.other.close();
        await opened.engine.close();
      }
    });

  contract('numbers too small for the column are stored as none', async ({ engine }) => {
    const { unit, record } = storedUnit(CART);
    const vector = Float32Array.from(unit.vector, (value, i) => (i < 8 ? value : (i % 5) * 1e-9));
    await engine.append([{ ...unit, vector }], [record]);
    const { vectors } = await engine.candidates({ terms: [], vector, families: null, count: 5 });
    assert.deepEqual(
      vectors.map(({ key }) => key),
      [unit.key],
    );
  });

  contract('an empty store lacks every unit and proposes none', async ({ engine }) => {
    assert.deepEqual(await engine.missing(keys()), keys());
    const found = await engine.candidates({ terms: ['token'], vector: null, families: null, count: 10 });
    assert.deepEqual(found, { words: [], vectors: [] });
    assert.deepEqual((await engine.readViews({ parts: 'all' }))?.views, []);
  });

  contract('appended units can be read by others, and appending them again changes nothing', async (opened) => {
    const { engine, other } = opened;
    await fill(engine);
    assert.deepEqual(await other.missing([...keys(), 'A'.repeat(22)]), ['A'.repeat(22)]);
    await fill(other);
    const records = await engine.records([...keys(), 'A'.repeat(22)]);
    assert.deepEqual([...records.keys()].sort(), keys().sort());
    const payloads = await engine.payloads([...keys(), 'A'.repeat(22)]);
    assert.deepEqual(payloads, new Map([...records].map(([key, { payload }]) => [key, payload])));
    const record = records.get(keyIn('shop', CART));
    const { lexical, vectors } = openPayload(keyIn('shop', CART), record?.payload ?? new Uint8Array(0));
    assert.deepEqual([lexical.meta.documents, vectors.count, record?.oid], [2, 2, uploadOf(CART).oid]);
    const texts = await engine.texts([keyIn('shop', CART)]);
    const text = openText('cart', texts.get(keyIn('shop', CART)) ?? new Uint8Array(0));
    assert.deepEqual(text, materialise(CART).bytes);
    const found = await engine.candidates({ terms: ['token'], vector: null, families: null, count: 10 });
    assert.equal(new Set(found.words.map(({ key }) => key)).size, found.words.length, 'a key twice in one list');
  });

  contract('words and meaning propose the units that have them, the best first', async ({ engine }) => {
    await fill(engine);
    const { vector } = storedUnit(LOGIN).unit;
    const asked = { terms: ['discount', 'grammar'], vector, families: null, count: 10 };
    const { words, vectors } = await engine.candidates(asked);
    assert.deepEqual(new Set(words.map(({ key }) => key)), new Set([CART, PARSER].map((file) => keyIn('shop', file))));
    assert.equal(words[0].key, keyIn('shop', CART));
    assert.equal(vectors[0].key, keyIn('shop', LOGIN));
    assert.ok(vectors[0].score > 0.99 && words.every(({ score }, i) => score <= (words[i - 1]?.score ?? score)));
    const one = await engine.candidates({ ...asked, count: 1 });
    assert.deepEqual([one.words.length, one.vectors.length], [1, 1]);
  });

  contract('a query holds no syntax: every word is taken as it is', async ({ engine }) => {
    await fill(engine);
    const terms = ["'", '"', 'token', '-token', 'AND', '(', '\\', "x') OR 1=1 --"];
    const { words } = await engine.candidates({ terms, vector: null, families: null, count: 10 });
    assert.deepEqual(new Set(words.map(({ key }) => key)), new Set([LOGIN, PARSER].map((file) => keyIn('shop', file))));
  });

  contract('only units of the asked families are proposed', async ({ engine }) => {
    await fill(engine, 'shop');
    await fill(engine, 'bank');
    const { vector } = storedUnit(CART).unit;
    const asked = { terms: ['discount'], vector, families: [familyId('bank')], count: 10 };
    const { words, vectors } = await engine.candidates(asked);
    assert.deepEqual(new Set([...words, ...vectors].map(({ family }) => family)), new Set([familyId('bank')]));
    assert.ok(words.length === 1 && vectors.length > 0);
    const none = await engine.candidates({ ...asked, families: [] });
    assert.deepEqual(none, { words: [], vectors: [] });
  });

  contract('a view is swapped in if the stored commit is the expected one', async ({ engine, other }) => {
    const first = rowOf();
    assert.equal(await engine.swapView(rowOf({ previous: commitId('b') })), false);
    assert.equal(await engine.swapView(first), true);
    assert.equal(await other.swapView(first), false, 'a first publication twice');
    const next = rowOf({ commit: commitId('b'), previous: commitId('a'), publishedAt: 2_000 });
    assert.equal(await other.swapView(next), true);
    assert.equal(await engine.swapView(rowOf({ commit: commitId('c'), previous: commitId('a') })), false);
    const { views, version } = (await engine.readViews({ parts: 'all' })) ?? assert.fail();
    assert.deepEqual(
      views.map((view) => ({ ...view, facts: [...view.facts], stats: [...view.stats], links: [...view.links] })),
      [{ ...next, facts: [...next.facts], stats: [...next.stats], links: [...next.links] }],
    );
    assert.equal(await engine.readViews({ parts: 'heads', since: version }), null);
    assert.equal(await engine.swapView(rowOf({ commit: commitId('d'), previous: commitId('b') })), true);
    assert.equal((await other.readViews({ parts: 'heads', since: version }))?.views[0].commit, commitId('d'));
  });

  contract('views are read by key, by repository and in parts', async ({ engine }) => {
    await engine.swapView(rowOf({ ref: 'old' }));
    await engine.swapView(rowOf({ ref: "it's" }));
    await engine.swapView(rowOf({ repo: 'bank' }));
    const refs = async (request: Parameters<FleetEngine['readViews']>[0]) =>
      (await engine.readViews(request))?.views.map(({ repo, ref }) => `${repo} ${ref}`);
    assert.deepEqual(await refs({ parts: 'heads' }), ['bank main', "shop it's", 'shop old']);
    assert.deepEqual(await refs({ parts: 'heads', repo: 'shop' }), ["shop it's", 'shop old']);
    assert.deepEqual(await refs({ parts: 'heads', keys: [viewKey('shop', "it's")] }), ["shop it's"]);
    assert.deepEqual(await refs({ parts: 'heads', keys: [] }), []);
    const sizes = async (parts: 'heads' | 'facts' | 'all') => {
      const view = (await engine.readViews({ parts, repo: 'bank' }))?.views[0] ?? assert.fail();
      return [view.facts.length > 0, view.stats.length > 0];
    };
    assert.deepEqual(await sizes('heads'), [false, false]);
    assert.deepEqual(await sizes('facts'), [true, false]);
    assert.deepEqual(await sizes('all'), [true, true]);
  });

  contract('of many first publications of one ref, exactly one wins', async ({ engine, other }) => {
    const swaps = Array.from({ length: 8 }, (_, i) =>
      (i % 2 ? engine : other).swapView(rowOf({ tree: commitId(`${i}`) })),
    );
    const won = (await Promise.all(swaps)).filter(Boolean);
    assert.equal(won.length, 1);
    assert.equal((await engine.readViews({ parts: 'heads' }))?.views.length, 1);
  });

  contract('of many simultaneous swaps each is told its own outcome', async ({ engine }) => {
    await engine.swapView(rowOf({ ref: 'ref1' }));
    // The first one is under way while the others wait for it.
    const rows = Array.from({ length: 9 }, (_, i) =>
      rowOf({
        ref: `ref${i % 8}`,
        commit: commitId(`${i}`),
        previous: i === 5 ? commitId('f') : i === 1 ? commitId('a') : '',
      }),
    );
    const won = await Promise.all(rows.map((row) => engine.swapView(row)));
    // The last one comes second to its ref, and the sixth expects a commit that is not there.
    assert.deepEqual(won, [true, true, true, true, true, false, true, true, false]);
    const found = (await engine.readViews({ parts: 'heads' }))?.views.map(({ ref, commit }) => `${ref} ${commit[0]}`);
    assert.deepEqual(found, ['ref0 0', 'ref1 1', 'ref2 2', 'ref3 3', 'ref4 4', 'ref6 6', 'ref7 7']);
    const stale = [0, 2, 3].map((i) =>
      rowOf({ ref: `ref${i}`, commit: commitId('e'), previous: commitId(i === 2 ? 'f' : `${i}`) }),
    );
    const next = await Promise.all(
      [rowOf({ ref: 'ref4', previous: commitId('4') }), ...stale].map((row) => engine.swapView(row)),
    );
    assert.deepEqual(next, [true, true, false, true]);
  });

  contract('a deleted branch is a tombstone, over which a new one can be published', async ({ engine }) => {
    await engine.swapView(rowOf());
    assert.equal(await engine.swapView(rowOf({ commit: '', previous: commitId('a') })), true);
    assert.equal((await engine.readViews({ parts: 'heads' }))?.views[0].commit, '');
    assert.equal(await engine.swapView(rowOf({ previous: commitId('a') })), false);
    assert.equal(await engine.swapView(rowOf({ previous: '' })), true);
  });

  contract('a family is removed with everything of it', async ({ engine, other }) => {
    await fill(engine, 'shop');
    await fill(engine, 'bank');
    await engine.swapView(rowOf());
    await engine.remove({ family: familyId('shop') });
    assert.deepEqual(await other.missing([...keys('shop'), ...keys('bank')]), keys('shop'));
    assert.equal((await other.payloads(keys('shop'))).size, 0);
    assert.deepEqual((await other.readViews({ parts: 'heads' }))?.views, []);
    const { words } = await other.candidates({ terms: ['discount'], vector: null, families: null, count: 10 });
    assert.deepEqual(
      words.map(({ key }) => key),
      [keyIn('bank', CART)],
    );
  });

  contract('maintenance collects old units that no view names, and old tombstones', async ({ engine }) => {
    await fill(engine, 'shop', 1_000);
    await fill(engine, 'bank', 9_000);
    const [, , named] = FILES;
    const { facts } = viewOf([named]);
    await engine.swapView(rowOf({ facts }));
    await engine.swapView(rowOf({ ref: 'gone' }));
    await engine.swapView(rowOf({ ref: 'gone', commit: '', previous: commitId('a') }));
    const request = { holder: 'one', now: 10_000, orphansBefore: 5_000, versionsBefore: 0, graceMs: 0, force: true };
    const report = await engine.maintain(request);
    assert.deepEqual([report?.orphans, report?.tombstones], [2, 1]);
    assert.deepEqual(await engine.missing([...keys('shop'), ...keys('bank')]), keys('shop').slice(0, 2));
    const { words } = await engine.candidates({ terms: ['grammar'], vector: null, families: null, count: 10 });
    assert.equal(words.length, 2, 'units are proposed after maintenance');
    const { views } = (await engine.readViews({ parts: 'heads' })) ?? assert.fail();
    assert.deepEqual(
      views.map(({ ref }) => ref),
      ['main'],
    );
  });

  contract('one process maintains at a time, and another when its lease has run out', async ({ engine, other }) => {
    const request = { holder: 'one', now: 10_000, orphansBefore: 0, versionsBefore: 0, graceMs: 0 };
    assert.notEqual(await engine.maintain(request), null);
    assert.equal(await other.maintain({ ...request, holder: 'two' }), null);
    assert.notEqual(await engine.maintain({ ...request, now: 10_001 }), null, 'the holder renews its lease');
    assert.notEqual(await other.maintain({ ...request, holder: 'two', now: 20_000 }), null);
    assert.equal((await engine.status()).lease?.holder, 'two');
    const ahead = await other.maintain({ ...request, holder: 'ahead', now: 1_000_000 });
    assert.notEqual(ahead, null, 'a clock that is ahead takes what has run out by it');
    assert.equal(await engine.maintain({ ...request, now: 999_500 }), null, 'a clock that is a little behind waits');
    assert.notEqual(await engine.maintain({ ...request, now: 20_100 }), null, 'one that is far ahead keeps nobody out');
  });

  contract(
    'a publication is planned, sent and published; a lost race and a missing unit change nothing',
    async (opened) => {
      const intake = new FleetIntake(opened.engine, { now: () => 5_000_000 });
      assert.deepEqual(await intake.plan({ ...ABOUT, keys: keys() }), { previous: '', missing: keys() });
      const incomplete = await intake.view(viewOf(FILES));
      assert.deepEqual(incomplete, { outcome: 'incomplete', missing: keys() });
      assert.deepEqual(await intake.units({ ...ABOUT, units: FILES.map(uploadOf) }), { stored: 3 });
      assert.deepEqual(await intake.units({ ...ABOUT, units: [uploadOf(CART)] }), { stored: 0 });
      assert.deepEqual(await intake.view(viewOf(FILES)), { outcome: 'published' });
      const moved = await intake.view(viewOf(FILES, { commit: commitId('b') }));
      assert.deepEqual(moved, { outcome: 'moved', commit: commitId('a') });
      assert.deepEqual(await intake.plan({ ...ABOUT, keys: keys() }), { previous: commitId('a'), missing: [] });
      assert.deepEqual(
        (await intake.refs(ABOUT)).map(({ ref, commit, publishedAt }) => [ref, commit, publishedAt]),
        [['main', commitId('a'), 5_000]],
      );
      await assert.rejects(intake.plan({ ...ABOUT, profile: 'x-y', keys: [] }), { code: 'FLEET_PROFILE' });
    },
  );
}
