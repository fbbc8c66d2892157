/** What a commit uses of other repositories. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking } from '../../../fleet/src/ask/asking.js';
import { fleetStore } from '../../../fleet/src/ask/store.js';
import { FleetIntake } from '../../../fleet/src/intake.js';
import { decodeLinks } from '../../../fleet/src/links.js';
import { installedProfile } from '../../../fleet/src/publish/profile.js';
import { Publisher } from '../../../fleet/src/publish/publish.js';
import type { PublishTarget } from '../../../fleet/src/target.js';
import { silentProgress } from '../../../src/base/progress.js';
import type { Config } from '../../../src/config/settings.js';
import { fleetUsesOf } from '../../../src/questions/graph/sibling-uses.js';
import { Graphs } from '../../../src/session/graph/graphs.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { MemoryEngine } from '../../support/servers/memory-engine.js';

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
      const prepared = await new Graphs(session).prepare({ signal });
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
