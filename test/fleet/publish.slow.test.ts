/** Publishing: what a repository has is what a fleet gets, once, and the newest commit of a branch stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking } from '../../fleet/src/ask/asking.js';
import { fleetStore } from '../../fleet/src/ask/store.js';
import { MemoryEngine } from '../../fleet/src/engines/memory.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { decodeLinks } from '../../fleet/src/links.js';
import { installedProfile } from '../../fleet/src/publish/profile.js';
import { Publisher } from '../../fleet/src/publish/publish.js';
import { nameOfAddress, publishRefs } from '../../fleet/src/publish/refs.js';
import type { PublishedView, PublishTarget, ViewAnswer } from '../../fleet/src/target.js';
import { decodeFacts, decodeStats } from '../../fleet/src/view.js';
import { silentProgress } from '../../src/base/progress.js';
import type { Config } from '../../src/config/settings.js';
import { fleetUsesOf } from '../../src/questions/graph/sibling-uses.js';
import { GraphPreparer } from '../../src/session/graph/prepare.js';
import { Session } from '../../src/session/session.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const SOURCE = (name: string) => `export function ${name}(basket: string[]) {\n  return basket.length;\n}\n`;

interface Place {
  repo: TestRepo;
  engine: MemoryEngine;
  intake: FleetIntake;
  publish: (ref?: string, target?: PublishTarget, keep?: number) => ReturnType<Publisher['publish']>;
}

async function withPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const repo = createRepo();
  repo.write({ 'src/cart.ts': SOURCE('countBasket') });
  repo.write({ 'src/copy.ts': SOURCE('countBasket') });
  repo.write({ 'docs/readme.md': '# Baskets\n\nHow baskets are counted.\n' });
  repo.commit();
  const profile = installedProfile({ embedder: { name: 'builtin' } as Config['embedder'] });
  const engine = new MemoryEngine(profile);
  const intake = new FleetIntake(engine);
  const publish = async (ref = 'HEAD', target: PublishTarget = intake, keep?: number) => {
    const session = await Session.open({ directory: repo.dir });
    try {
      const options = { repo: 'shop', family: 'shop', progress: silentProgress, keep };
      const publisher = new Publisher(session, target, profile, options);
      return await publisher.publish({ ref, name: 'main', isDefault: true });
    } finally {
      session.close();
    }
  };
  await work({ repo, engine, intake, publish });
}

test('the files of a commit are published once, and found by their words', () =>
  withPlace(async ({ repo, engine, publish }) => {
    const first = await publish();
    assert.deepEqual([first.outcome, first.missing, first.covered], ['published', 2, 3]);
    assert.equal((await publish()).outcome, 'unchanged');
    const { views } = (await engine.readViews({ parts: 'all' })) ?? assert.fail();
    const facts = decodeFacts(views[0].facts);
    assert.deepEqual(facts.paths, ['docs/readme.md', 'src/cart.ts', 'src/copy.ts']);
    assert.ok((decodeStats(views[0].stats).df.get('basket') ?? 0) >= 2);
    const { words } = await engine.candidates({ terms: ['countbasket'], vector: null, families: null, count: 5 });
    assert.equal(words.length, 1);
    repo.write({ 'src/new.ts': SOURCE('emptyBasket') });
    repo.commit();
    const second = await publish();
    assert.deepEqual([second.outcome, second.missing], ['published', 1]);
  }));

test('an older commit does not take a branch back, and a lost race is planned again by the newer one', () =>
  withPlace(async ({ repo, engine, intake, publish }) => {
    const older = repo.git('rev-parse', 'HEAD').trim();
    repo.write({ 'src/new.ts': SOURCE('emptyBasket') });
    repo.commit();
    const newer = repo.git('rev-parse', 'HEAD').trim();
    const racing = (other: string): PublishTarget => {
      let isFirst = true;
      const view = async (request: PublishedView): Promise<ViewAnswer> => {
        if (isFirst) {
          isFirst = false;
          await publish(other);
        }
        return intake.view(request);
      };
      return {
        plan: (r) => intake.plan(r),
        units: (r) => intake.units(r),
        refs: (r) => intake.refs(r),
        keep: (r) => intake.keep(r),
        view,
        close: async () => {},
      };
    };
    const commit = async () => (await engine.readViews({ parts: 'heads' }))?.views[0].commit;
    assert.equal((await publish(newer, racing(older))).outcome, 'published');
    assert.equal(await commit(), newer);
    assert.equal((await publish(older)).outcome, 'superseded');
    await engine.swapView({
      ...((await engine.readViews({ parts: 'all' }))?.views[0] ?? assert.fail()),
      commit: '',
      previous: newer,
    });
    assert.equal((await publish(older, racing(newer))).outcome, 'superseded');
    assert.equal(await commit(), newer);
  }));

test('units that were collected between plan and view are sent again', () =>
  withPlace(async ({ engine, intake, publish }) => {
    let isFirst = true;
    const view = async (request: PublishedView): Promise<ViewAnswer> => {
      if (isFirst) {
        isFirst = false;
        const found = await engine.candidates({ terms: ['basket'], vector: null, families: null, count: 9 });
        await engine.remove({ units: found.words.map(({ key }) => key) });
      }
      return intake.view(request);
    };
    const target: PublishTarget = {
      plan: (r) => intake.plan(r),
      units: (r) => intake.units(r),
      refs: (r) => intake.refs(r),
      keep: (r) => intake.keep(r),
      view,
      close: async () => {},
    };
    assert.equal((await publish('HEAD', target)).outcome, 'published');
    const { words } = await engine.candidates({ terms: ['basket'], vector: null, families: null, count: 9 });
    assert.equal(words.length, 2);
  }));

test('commits of a branch are kept as asked, found by their ids, and the oldest go', () =>
  withPlace(async ({ repo, engine, intake, publish }) => {
    const commits: string[] = [];
    for (const name of ['first', 'second', 'third']) {
      repo.write({ 'src/cart.ts': SOURCE(`${name}Basket`) });
      repo.commit();
      commits.push(repo.git('rev-parse', 'HEAD').trim());
      await publish('HEAD', intake, 2);
    }
    assert.equal((await publish('HEAD', intake, 2)).outcome, 'unchanged');
    const fleet = asking(fleetStore(engine), { mayRead: () => true });
    const [{ refs, ref }] = (await fleet.repos({})).results;
    const keptAt = (commit: string) => `main@{${commit.slice(0, 12)}}`;
    assert.deepEqual([ref, refs[0]], ['main', 'main']);
    assert.deepEqual(refs.slice(1).sort(), commits.slice(1).map(keptAt).sort());
    const found = await fleet.search({ query: 'secondBasket', ref: commits[1].slice(0, 10) });
    assert.deepEqual([found.results[0].commit, found.results[0].symbol], [commits[1], 'secondBasket']);
    await assert.rejects(fleet.search({ query: 'firstBasket', ref: commits[0] }), { code: 'UNKNOWN_REF' });
    // What kept commits have is no orphan.
    await engine.maintain({ holder: 'test', now: 4e9, orphansBefore: 4e9, versionsBefore: 0 });
    const again = asking(fleetStore(engine), { mayRead: () => true });
    assert.equal((await again.search({ query: 'secondBasket', ref: commits[1] })).results[0].symbol, 'secondBasket');
  }));

test('what a commit uses of a published package is found by the repository that publishes it', async () => {
  const library = createRepo();
  library.write({ 'package.json': '{"name": "cart-kit", "version": "2.0.0", "main": "src/cart.js"}' });
  library.write({ 'src/cart.js': 'export function tax(sum) {\n  return sum * 2;\n}\nexport function total() {}\n' });
  library.commit();
  await withPlace(async ({ repo, engine, publish }) => {
    repo.write({ 'package.json': '{"name": "shop", "dependencies": {"cart-kit": "^2"}}' });
    repo.write({ 'src/pay.js': "import { tax } from 'cart-kit';\nexport function pay() {\n  return tax(1);\n}\n" });
    repo.commit();
    await publish();
    const { views } = (await engine.readViews({ parts: 'links' })) ?? assert.fail();
    assert.ok(decodeLinks(views[0].links)?.uses.some(({ specifier }) => specifier === 'cart-kit'));
    const session = await Session.open({ directory: library.dir });
    try {
      const fleet = asking(fleetStore(engine), { mayRead: () => true });
      const signal = new AbortController().signal;
      const prepared = await new GraphPreparer(session).prepare({ signal });
      const usesOf = async (target: string) => {
        const { graph } = prepared;
        const node = graph.nodesNamed(target)[0];
        return fleetUsesOf({ session, signal, fleet }, { prepared, nodes: [node], depth: 1, limit: 10 });
      };
      const { repositories, uses } = await usesOf('tax');
      assert.deepEqual([repositories.length, uses.list[0].path, uses.list[0].symbol], [1, 'src/pay.js', 'pay']);
      assert.deepEqual((await usesOf('total')).uses.list, []);
    } finally {
      session.close();
    }
  });
});

test('branches are published under their names, those of a remote without its name', async () => {
  const repo = createRepo();
  repo.write({ 'a.ts': SOURCE('a') });
  repo.commit();
  repo.git('branch', 'release/1');
  repo.git('update-ref', 'refs/remotes/origin/release/2', 'HEAD');
  repo.git('remote', 'add', 'origin', 'https://git.example.com/acme/shop.git');
  const session = await Session.open({ directory: repo.dir });
  const names = async (choice: Parameters<typeof publishRefs>[1]) =>
    (await publishRefs(session, choice)).chosen.map(({ ref, name }) => `${ref} ${name}`).sort();
  assert.deepEqual(await names({ branches: ['release/*'] }), ['origin/release/2 release/2', 'release/1 release/1']);
  assert.deepEqual(await names({ ref: ['release/1'] }), ['release/1 release/1']);
  assert.deepEqual(await names({ ref: ['HEAD~0'], as: 'main' }), ['HEAD~0 main']);
  await assert.rejects(publishRefs(session, { ref: ['HEAD~0'] }), { code: 'BAD_ARGUMENT' });
  await assert.rejects(publishRefs(session, { ref: ['nowhere'] }), { code: 'UNKNOWN_REF' });
  repo.git('checkout', '-q', '--detach');
  await assert.rejects(publishRefs(session, {}), { code: 'BAD_ARGUMENT' });
  session.close();
});

test('a repository is named after the address of its remote, without user and password', () => {
  const names = ['https://me:secret@Git.Example.com:8443/acme/shop.git', 'git@git.example.com:acme/shop.git'];
  for (const address of names) assert.equal(nameOfAddress(address), 'git.example.com/acme/shop');
  for (const address of ['/srv/git/shop.git', 'file:///srv/shop', '../shop', ''])
    assert.equal(nameOfAddress(address), null);
});
