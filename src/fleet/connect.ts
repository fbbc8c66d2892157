/** Connects to the user's fleet: a server, or a directory or bucket that this process reads by itself. */
import { SocraticodeError } from '../base/errors.js';
import type { FleetAsking } from './ask/asking.js';
import { fleetToken, userConfig } from './settings.js';

/** Throws BAD_ARGUMENT without an address, BAD_CONFIG, and what opening a store throws. */
export async function connectFleet(env: NodeJS.ProcessEnv, directory?: string): Promise<FleetAsking> {
  const config = await userConfig(env, directory);
  const { url } = config.fleet;
  if (url === undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'no fleet is configured', {
      hint: 'Name its address: git config --global socraticode.fleet.url https://fleet.example.com',
    });
  if (/^https?:/.test(url)) {
    const { fleetClient } = await import('./http/client.js');
    return fleetClient({ url, token: fleetToken(env) });
  }
  const [{ openEngine }, { installedProfile }, { asking }, { fleetStore }, { embedQueries }] = await Promise.all([
    import('./open.js'),
    import('./publish/profile.js'),
    import('./ask/asking.js'),
    import('./ask/store.js'),
    import('./embed.js'),
  ]);
  const engine = await openEngine(url, installedProfile(config), { env });
  // A process that reads the store can read all of it: there is nothing to permit.
  return asking(fleetStore(engine, { embed: embedQueries(config) }), { mayRead: () => true });
}

/** The fleet of the user's settings, connected when it is first asked and kept open; undefined without an address. */
export async function keptFleet(env: NodeJS.ProcessEnv, directory?: string): Promise<FleetAsking | undefined> {
  const { fleet } = await userConfig(env, directory);
  if (fleet.url === undefined) return undefined;
  let open: Promise<FleetAsking> | null = null;
  const connection = (): Promise<FleetAsking> => {
    open ??= connectFleet(env, directory).catch((error: unknown) => {
      // The next question tries again: the store may be back by then.
      open = null;
      throw error;
    });
    return open;
  };
  return {
    search: async (...asked) => (await connection()).search(...asked),
    repos: async (...asked) => (await connection()).repos(...asked),
    file: async (...asked) => (await connection()).file(...asked),
    uses: async (...asked) => (await connection()).uses(...asked),
    // One that could not be opened has nothing to close, and whoever asked it was told.
    close: async () => (await open?.catch(() => null))?.close(),
  };
}
