/** Answers the commands that look after a store. */
import { homedir } from 'node:os';
import { readGrant } from '../access/access.js';
import { addToken, readGrants, revokeToken } from '../access/tokens-file.js';
import { agesAt } from '../collect.js';
import type { FleetEngine, FleetProfile } from '../contract.js';
import {
  type Asker,
  type Config,
  type DropValues,
  type FleetReport,
  type FleetTokens,
  type FleetValues,
  Git,
  LANGUAGE_IDS,
  type MaintainValues,
  type RebuildValues,
  readGitConfig,
  resolveConfig,
  SocraticodeError,
  type TokenValues,
  visibleLine,
} from '../internal.js';
import { processHolder, shownHolder } from '../lease.js';
import { checkFleet, dropRepository } from '../look-after.js';
import { initEngine, openEngine, rebuildEngine } from '../open.js';
import { installedProfile } from '../publish/profile.js';

type Part = Omit<FleetReport, 'schemaVersion' | 'at' | 'profile'>;

interface Store {
  at: string;
  config: Config;
  profile: FleetProfile;
}

/** Throws BAD_ARGUMENT without an address. */
async function storeOf(named: string | undefined): Promise<Store> {
  const gitConfig = await readGitConfig(new Git(homedir()));
  const { config } = resolveConfig({ flags: {}, env: process.env, gitConfig, languageIds: LANGUAGE_IDS });
  const at = named ?? config.fleet.url;
  if (at === undefined) {
    const hint = 'Name it: git config --global socraticode.fleet.url URL';
    throw new SocraticodeError('BAD_ARGUMENT', 'no store is named', { hint });
  }
  return { at, config, profile: installedProfile(config) };
}

const reportOf = ({ at, profile }: Store, part: Part): FleetReport => ({
  ...{ schemaVersion: 1, at, profile: profile.id },
  ...part,
});

/** Opens the store for `work`. Throws BAD_ARGUMENT, FLEET_PACKAGES, FLEET_STORE and FLEET_UNSAFE_STORE. */
async function withStore(
  named: string | undefined,
  work: (engine: FleetEngine) => Promise<Part>,
): Promise<FleetReport> {
  const store = await storeOf(named);
  const engine = await openEngine(store.at, store.profile);
  try {
    return reportOf(store, await work(engine));
  } finally {
    await engine.close();
  }
}

export async function answerInit(_: Asker, { at }: FleetValues): Promise<FleetReport> {
  const store = await storeOf(at);
  const { engine, isNew } = await initEngine(store.at, store.profile, { probe: true });
  await engine.close();
  return reportOf(store, { action: 'init', created: isNew });
}

export async function answerRebuild(
  asker: Asker,
  { at, from = [], force = false }: RebuildValues,
): Promise<FleetReport> {
  const store = await storeOf(at);
  const [rebuild, { rebuildFleet }] = [await rebuildEngine(store.at, store.profile), await import('./rebuild.js')];
  try {
    const options = { from, force, keepsText: store.config.fleet.content, signal: asker.signal };
    return reportOf(store, { action: 'rebuild', rebuilt: await rebuildFleet(rebuild, options) });
  } finally {
    await rebuild.next.close();
  }
}

export const answerStatus = (_: Asker, { at }: FleetValues): Promise<FleetReport> =>
  withStore(at, async (engine) => {
    const [{ tables, lease }, found] = await Promise.all([engine.status(), engine.readViews({ parts: 'heads' })]);
    const live = found?.views.filter(({ commit }) => commit !== '') ?? [];
    const repositories = new Set(live.map(({ repo }) => repo)).size;
    const maintainer = lease && {
      holder: shownHolder(lease.holder),
      until: new Date(lease.until * 1_000).toISOString(),
    };
    return { action: 'status', repositories, refs: live.length, tables, maintainer };
  });

export const answerFsck = (_: Asker, { at }: FleetValues): Promise<FleetReport> =>
  withStore(at, async (engine) => ({ action: 'fsck', ...(await checkFleet(engine)) }));

export const answerMaintain = (_: Asker, { at, now: force = false }: MaintainValues): Promise<FleetReport> =>
  withStore(at, async (engine) => {
    const now = Math.floor(Date.now() / 1_000);
    const ages = { ...(force ? { orphansBefore: now, versionsBefore: now } : agesAt(now)), force };
    return { action: 'maintain', maintained: await engine.maintain({ holder: processHolder(), now, ...ages }) };
  });

export const answerDrop = (_: Asker, { at, repo }: DropValues): Promise<FleetReport> =>
  withStore(at, async (engine) => ({ action: 'drop', dropped: { repo, refs: await dropRepository(engine, repo) } }));

/** Adds, lists or revokes tokens of a server. Throws BAD_ARGUMENT, BAD_CONFIG and LOCKED. */
export async function answerToken(_: Asker, values: TokenValues): Promise<FleetTokens> {
  const { action, name, tokens: file, read = [], publish = [] } = values;
  if (action !== 'list' && name === undefined)
    throw new SocraticodeError('BAD_ARGUMENT', `whose token is ${action === 'add' ? 'added' : 'revoked'}?`, {
      hint: 'Name the holder, such as "ci of shop".',
    });
  const made =
    action === 'add'
      ? { token: await addToken(file, readGrant({ name, read, publish }, `the grant of ${visibleLine(name ?? '')}`)) }
      : {};
  if (action === 'revoke') await revokeToken(file, name ?? '');
  return {
    schemaVersion: 1,
    action,
    file,
    ...made,
    tokens: readGrants(file).map(({ grant }) => ({ ...grant, read: [...grant.read], publish: [...grant.publish] })),
  };
}
