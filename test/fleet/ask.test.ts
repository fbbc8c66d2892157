/** Questions over published views: who sees what, at which commit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clientOf } from '../../fleet/src/access/access.js';
import { matchesGrant } from '../../fleet/src/access/globs.js';
import { asking } from '../../fleet/src/ask/asking.js';
import { ByteCache } from '../../fleet/src/ask/byte-cache.js';
import { FleetStatistics } from '../../fleet/src/ask/statistics.js';
import { fleetStore } from '../../fleet/src/ask/store.js';
import { FleetViews } from '../../fleet/src/ask/views.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import type { PublishedView } from '../../fleet/src/target.js';
import { encodeStats } from '../../fleet/src/view.js';
import type { SourceFile } from '../support/generated/corpus.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { commitId, PROFILE, sourceFile, uploadOf, viewOf } from './made.js';

const file = (repo: string, words: readonly string[]) =>
  sourceFile(`src/${repo}.ts`, `${repo[0].toUpperCase()}${repo.slice(1)}`, words);

async function publish(engine: MemoryEngine, files: readonly SourceFile[], about: Partial<PublishedView>) {
  const intake = new FleetIntake(engine, { now: () => 1_700_000_000_000 });
  const view = viewOf(files, about);
  await intake.units({ ...view, units: files.map(uploadOf) });
  assert.deepEqual(await intake.view(view), { outcome: 'published' });
}

const reader = (...read: string[]) => clientOf({ name: 'test', read, publish: [] });

test('an answer names repository, ref, commit, age and coverage, and only of repositories that the reader may read', async () => {
  const engine = new MemoryEngine(PROFILE);
  await publish(engine, [file('shop', ['discount', 'voucher'])], { repo: 'acme/shop' });
  await publish(engine, [file('bank', ['discount', 'ledger'])], { repo: 'acme/bank' });
  const store = fleetStore(engine);
  const all = await asking(store, reader('**')).search({ query: 'discount' });
  assert.deepEqual(new Set(all.results.map(({ repo }) => repo)), new Set(['acme/shop', 'acme/bank']));
  const own = await asking(store, reader('acme/shop')).search({ query: 'discount' });
  const [first] = own.results;
  assert.equal(
    own.results.every(({ repo }) => repo === 'acme/shop'),
    true,
  );
  assert.deepEqual(own.fleet, { searched: 1, withoutRef: 0, damaged: 0 });
  assert.deepEqual(
    [first.ref, first.commit, first.publishedAt, first.coverage, first.path],
    ['main', commitId('a'), '2023-11-14T22:13:20.000Z', { covered: 1, total: 1 }, 'src/shop.ts'],
  );
  assert.match(first.content ?? '', /discount/);
});

test('a repository that the reader may not read answers as one that does not exist', async () => {
  const engine = new MemoryEngine(PROFILE);
  await publish(engine, [file('bank', ['ledger'])], { repo: 'acme/bank' });
  await publish(engine, [file('shop', ['voucher'])], { repo: 'acme/shop' });
  const fleet = asking(fleetStore(engine), reader('acme/shop'));
  const said = async (ask: Promise<unknown>) =>
    ask.then(
      (answer) => JSON.stringify(answer),
      ({ code, message, hint }) => JSON.stringify({ code, message, hint }),
    );
  for (const ask of [
    (repo: string) => fleet.search({ query: 'ledger', repo: [repo] }),
    (repo: string) => fleet.repos({ repo: [repo] }),
    (repo: string) => fleet.file({ repo, path: 'src/bank.ts' }),
  ])
    assert.equal(await said(ask('acme/bank')), await said(ask('acme/none')));
});

test('whatever the grants, no byte of a forbidden repository is in an answer or an error', async () => {
  const engine = new MemoryEngine(PROFILE);
  const names = ['a/one', 'a/two', 'b/three', 'b/four', 'c'];
  const secretOf = (name: string) => `secret${Buffer.from(name).toString('hex')}`;
  for (const [i, name] of names.entries())
    await publish(engine, [sourceFile(`lib/${secretOf(name)}.ts`, 'Common', ['shared', secretOf(name), `more${i}`])], {
      ...{ repo: name, ref: secretOf(name), commit: commitId(String(i + 1)) },
      // Forks in one family: their units are proposed together.
      family: name.startsWith('a/') ? 'a/one' : name,
    });
  const store = fleetStore(engine);
  const glob = fc.constantFrom(...names, '*', '**', 'a/*', 'b/**', 'a/t*', 'C', '');
  await fc.assert(
    fc.asyncProperty(fc.array(glob, { maxLength: 3 }), fc.constantFrom(...names), async (globs, named) => {
      const fleet = asking(store, clientOf({ name: 'x', read: globs, publish: names }));
      const answers = await Promise.allSettled([
        fleet.search({ query: 'shared' }),
        fleet.search({ query: secretOf(named), explain: true }),
        fleet.search({ query: 'shared', repo: [named] }),
        fleet.search({ query: 'shared', ref: secretOf(named) }),
        fleet.search({ query: '"shared"', lang: ['typescript'], path: ['lib'] }),
        fleet.repos({}),
        fleet.file({ repo: named, path: `lib/${secretOf(named)}.ts` }),
        fleet.file({ repo: named, path: 'none' }),
      ]);
      const said = answers
        .map((answer) => (answer.status === 'fulfilled' ? { ...answer.value, query: '' } : errorOf(answer.reason)))
        .map((each) => JSON.stringify(each))
        .join('\n');
      for (const [i, name] of names.entries()) {
        if (globs.some((each) => each !== '' && matchesGrant(each, name))) continue;
        for (const byte of [secretOf(name), name === 'c' ? '"c"' : name, commitId(String(i + 1)), `more${i}`])
          assert.equal(said.includes(byte), false, `${byte} of ${name} with ${JSON.stringify(globs)}`);
      }
    }),
    // More for a campaign: FLEET_GRANTS=5000.
    { numRuns: Number(process.env.FLEET_GRANTS ?? 60) },
  );
});

const errorOf = ({ code, message, hint }: { code?: string; message: string; hint?: string }) => {
  assert.ok(code, message);
  return { code, message, hint };
};

test('after a commit is published, nothing of the one before is found, and a deleted branch is gone', async () => {
  let now = 0;
  const engine = new MemoryEngine(PROFILE);
  const old = file('shop', ['voucher', 'obsolete']);
  const fresh = file('shop', ['voucher', 'modern']);
  await publish(engine, [old], { repo: 'shop' });
  const store = { ...fleetStore(engine), views: new FleetViews(engine, () => now) };
  const fleet = asking(store, reader('**'));
  const contents = async (query: string) =>
    (await fleet.search({ query })).results.map(({ content }) => content).join();
  assert.match(await contents('voucher'), /obsolete/);
  await publish(engine, [fresh], { repo: 'shop', commit: commitId('b'), previous: commitId('a') });
  now += 1_501;
  for (const query of ['voucher', 'obsolete']) assert.doesNotMatch(await contents(query), /obsolete/);
  assert.equal((await fleet.search({ query: 'voucher' })).results[0].commit, commitId('b'));
  const intake = new FleetIntake(engine);
  await intake.view({ ...viewOf([], { repo: 'shop' }), commit: '', previous: commitId('b') });
  now += 1_501;
  assert.deepEqual((await fleet.search({ query: 'voucher' })).fleet, { searched: 0, withoutRef: 0, damaged: 0 });
});

test('a question that names a repository gets its answers first, and one with a common word does not', async () => {
  const engine = new MemoryEngine(PROFILE);
  const averages = { body: 9, name: 2, enclosing: 1, path: 3 };
  const stats = encodeStats({ count: 100, averages, df: new Map([['server', 60]]) });
  for (const repo of ['acme/bank', 'acme/shop-front', 'acme/server'])
    await publish(engine, [file(repo.slice(5), ['voucher', 'discount'])], { repo, stats });
  const fleet = asking(fleetStore(engine), reader('**'));
  const named = async (query: string) => {
    const { results } = await fleet.search({ query, explain: true });
    const raised = results.filter(({ explain }) => explain?.['factor:repository'] !== undefined);
    return { first: results[0].repo, raised: [...new Set(raised.map(({ repo }) => repo))] };
  };
  const shop = 'acme/shop-front';
  assert.deepEqual(await named('where does shop-front discount a voucher'), { first: shop, raised: [shop] });
  assert.deepEqual((await named('where does a server discount a voucher')).raised, []);
});

test('counts that memory has no room for are read again, and weigh the same', async () => {
  const engine = new MemoryEngine(PROFILE);
  const averages = { body: 9, name: 2, enclosing: 1, path: 3 };
  const stats = encodeStats({ count: 5, averages, df: new Map([['voucher', 3]]) });
  for (const repo of ['shop', 'bank']) await publish(engine, [file(repo, ['voucher'])], { repo, stats });
  const views = [...(await new FleetViews(engine).fresh()).repositories.values()].flat();
  const [whole, none] = [new FleetStatistics(engine), new FleetStatistics(engine, 0)];
  for (let asked = 0; asked < 2; asked++) {
    for (const statistics of [whole, none]) {
      const { count, df } = await statistics.of(views);
      assert.deepEqual([count, df('voucher')], [10, 6]);
    }
  }
});

test('a question does not wait for a look at views that are a second old, and the next one has what it found', async () => {
  let now = 0;
  const engine = new MemoryEngine(PROFILE);
  await publish(engine, [file('shop', ['voucher'])], { repo: 'shop' });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = {
    readViews: async (request: Parameters<MemoryEngine['readViews']>[0]) => {
      if (now > 0) await held;
      return engine.readViews(request);
    },
  };
  const views = new FleetViews(slow, () => now);
  const repositories = async () => [...(await views.fresh()).repositories.keys()];
  assert.deepEqual(await repositories(), ['shop']);
  await publish(engine, [file('bank', ['voucher'])], { repo: 'bank' });
  now = 1_000;
  assert.deepEqual(await repositories(), ['shop']);
  release();
  await new Promise(setImmediate);
  assert.deepEqual(await repositories(), ['bank', 'shop']);
});

test('a ref is meant by its name, its short name or a commit, and the default branch without one', async () => {
  const engine = new MemoryEngine(PROFILE);
  const at = (word: string) => [file('shop', [word])];
  await publish(engine, at('first'), { repo: 'shop', ref: 'refs/heads/main' });
  await publish(engine, at('second'), {
    ...{ repo: 'shop', ref: 'refs/tags/v2', commit: commitId('b'), isDefault: false },
  });
  const fleet = asking(fleetStore(engine), reader('**'));
  const commitAt = async (ref?: string) => (await fleet.search({ query: 'shop', ref })).results[0].commit[0];
  const found = [await commitAt(), await commitAt('main'), await commitAt('v2'), await commitAt('refs/tags/v2')];
  assert.deepEqual([...found, await commitAt('b'.repeat(12))], ['a', 'a', 'b', 'b', 'b']);
  await assert.rejects(fleet.search({ query: 'shop', ref: 'v3' }), { code: 'UNKNOWN_REF' });
});

test('units of branches that were not asked for do not push out those of the one that was', async () => {
  const engine = new MemoryEngine(PROFILE);
  // 300 versions of one file on another branch are better by words than the one on the default branch.
  const versions = Array.from({ length: 300 }, (_, i) => file('shop', ['voucher', 'voucher', 'voucher', `v${i}`]));
  for (const [i, version] of versions.entries())
    await publish(engine, [version], { repo: 'shop', ref: `branch${i}`, isDefault: false });
  await publish(engine, [file('shop', ['voucher', 'other', 'things', 'here', 'too'])], { repo: 'shop' });
  const { results } = await asking(fleetStore(engine), reader('**')).search({ query: 'voucher', mode: 'lexical' });
  assert.deepEqual([...new Set(results.map(({ ref }) => ref))], ['main']);
});

test('the definition of a name is found though more files use it than are ranked', async () => {
  const engine = new MemoryEngine(PROFILE);
  const users = Array.from({ length: 210 }, (_, i) => sourceFile(`src/u${i}.ts`, `User${i}`, ['depends', 'depends']));
  const others = Array.from({ length: 60 }, (_, i) => `other${i}`);
  await publish(engine, [...users, sourceFile('src/long.ts', 'Depends', others)], { repo: 'shop' });
  const { results } = await asking(fleetStore(engine), reader('**')).search({ query: 'Depends', mode: 'lexical' });
  assert.equal(results[0].path, 'src/long.ts');
});

test('a file is read at a published ref, whole, by its lines, or as an outline', async () => {
  const engine = new MemoryEngine(PROFILE);
  await publish(engine, [file('shop', ['voucher', 'discount'])], { repo: 'shop' });
  const fleet = asking(fleetStore(engine), reader('shop'));
  const whole = await fleet.file({ repo: 'shop', path: 'src/shop.ts' });
  assert.deepEqual([whole.startLine, whole.endLine, whole.language], [1, whole.lines, 'typescript']);
  const part = await fleet.file({ repo: 'shop', path: 'src/shop.ts', from: 2, to: 3 });
  assert.equal(part.content, whole.content?.split('\n').slice(1, 3).join('\n'));
  const outline = await fleet.file({ repo: 'shop', path: 'src/shop.ts', outline: true });
  assert.ok(outline.symbols?.some(({ symbol }) => symbol.includes('Shop')));
  await assert.rejects(fleet.file({ repo: 'shop', path: '../shop.ts' }), { code: 'BAD_ARGUMENT' });
});

test('a quoted phrase is looked for in texts that are read together', async () => {
  const engine = new MemoryEngine(PROFILE);
  const files = Array.from({ length: 12 }, (_, i) => file(`shop${i}`, ['discount', 'voucher']));
  await publish(engine, files, { repo: 'acme/shop' });
  let requests = 0;
  const texts = engine.texts.bind(engine);
  engine.texts = (keys) => {
    requests++;
    return texts(keys);
  };
  const { results } = await asking(fleetStore(engine), reader('**')).search({ query: '"voucher"' });
  assert.equal(results.length, 10);
  assert.equal(requests, 1);
});

test('questions wait for their turn, and one too many is told to come again', async () => {
  const engine = new MemoryEngine(PROFILE);
  await publish(engine, [file('shop', ['discount'])], { repo: 'acme/shop' });
  let [running, most] = [0, 0];
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const candidates = engine.candidates.bind(engine);
  engine.candidates = async (request) => {
    most = Math.max(most, ++running);
    await opened;
    running--;
    return candidates(request);
  };
  const fleet = asking(fleetStore(engine), reader('**'));
  const gone = new AbortController();
  const asked = Array.from({ length: 140 }, (_, i) =>
    fleet.search({ query: 'discount' }, i === 50 ? gone.signal : undefined).then(
      ({ results }) => results.length,
      ({ code, name }) => (name === 'AbortError' ? name : code),
    ),
  );
  gone.abort();
  setImmediate(open);
  const said = await Promise.all(asked);
  assert.equal(said.filter((each) => each === 1).length, 131);
  assert.equal(said[50], 'AbortError');
  assert.deepEqual(new Set(said.slice(132)), new Set(['FLEET_BUSY']));
  assert.equal(most, 4);
});

test('a question that nothing fits is answered with nothing', async () => {
  const engine = new MemoryEngine(PROFILE);
  const fleet = asking(fleetStore(engine), reader('**'));
  assert.deepEqual((await fleet.search({ query: 'discount' })).results, []);
  await publish(engine, [file('shop', ['discount'])], { repo: 'acme/shop' });
  const other = asking(fleetStore(engine), reader('**'));
  assert.deepEqual((await other.search({ query: 'discount', path: ['no/such/**'] })).results, []);
});

test('a full cache forgets what was unused longest, and counts a value that comes again once', () => {
  const cache = new ByteCache<string>(30);
  for (const key of ['a', 'b', 'c']) cache.set(key, key, 10);
  assert.equal(cache.get('a'), 'a');
  cache.set('d', 'd', 10);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => cache.get(key) ?? null),
    ['a', null, 'c', 'd'],
  );
  cache.set('d', 'longer', 10);
  assert.deepEqual(
    ['a', 'c', 'd'].map((key) => cache.get(key) ?? null),
    ['a', 'c', 'longer'],
  );
  cache.set('e', 'e', 25);
  assert.deepEqual(
    ['a', 'c', 'd', 'e'].map((key) => cache.get(key) ?? null),
    [null, null, null, 'e'],
  );
});
