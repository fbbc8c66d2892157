/** Publishing: what a repository has is what a fleet gets, once, and the newest commit of a branch stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking } from '../../fleet/src/ask/asking.js';
import { fleetStore } from '../../fleet/src/ask/store.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { installedProfile } from '../../fleet/src/publish/profile.js';
import { Publisher } from '../../fleet/src/publish/publish.js';
import type { PublishedView, PublishTarget, ViewAnswer } from '../../fleet/src/target.js';
import { decodeFacts, decodeStats } from '../../fleet/src/view.js';
import { silentProgress } from '../../src/base/progress.js';
import type { Config } from '../../src/config/settings.js';
import { Session } from '../../src/session/session.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';

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
