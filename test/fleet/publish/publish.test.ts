/** A commit that is published again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FleetIntake } from '../../../fleet/src/intake.js';
import { installedProfile } from '../../../fleet/src/publish/profile.js';
import { Publisher } from '../../../fleet/src/publish/publish.js';
import { silentProgress } from '../../../src/base/progress.js';
import type { Config } from '../../../src/config/settings.js';
import { Session } from '../../../src/session/session.js';
import { createRepo } from '../../support/repositories/repo.js';
import { MemoryEngine } from '../../support/servers/memory-engine.js';

test('a commit that is published already is sent again only where the store has lost units of it', async (t) => {
  const repo = createRepo();
  repo.commit({ 'cart.ts': 'export const basket = [];\n' });
  const profile = installedProfile({ embedder: { name: 'builtin' } as Config['embedder'] });
  const engine = new MemoryEngine(profile);
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const options = { repo: 'shop', family: 'shop', progress: silentProgress };
  const publisher = new Publisher(session, new FleetIntake(engine), profile, options);
  const published = async () => (await publisher.publish({ ref: 'HEAD', name: 'main', isDefault: true })).outcome;
  const held = async () => {
    const { words } = await engine.candidates({ terms: ['basket'], vector: null, families: null, count: 9 });
    return words.map(({ key }) => key);
  };
  assert.deepEqual([await published(), await published()], ['published', 'unchanged']);
  const units = await held();
  await engine.remove({ units });
  assert.equal(await published(), 'published');
  assert.deepEqual([units.length, await held()], [1, units]);
});
