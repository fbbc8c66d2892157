/** The fleet that a question is about: in a fleet's server its own, elsewhere that of the user's settings. */
import { SocraticodeError } from '../../base/errors.js';
import type { Asker } from '../asker.js';
import type { FleetAsking } from './asking.js';
import { loadFleet } from './package.js';
import { userConfig } from './settings.js';

/** The part of an asker that says which fleet is meant. */
export type FleetSide = Partial<Pick<Asker, 'fleet' | 'command' | 'directory'>>;

/** The caller closes it. Throws BAD_ARGUMENT without an address, and what opening a store throws. */
export async function connected(at: FleetSide): Promise<FleetAsking> {
  if (at.fleet !== undefined) return { ...at.fleet, close: async () => {} };
  return connectFleet(at.command?.io.env ?? process.env, at.directory);
}

/** Asks once. */
export async function askFleet<T>(at: FleetSide, ask: (fleet: FleetAsking) => Promise<T>): Promise<T> {
  const fleet = await connected(at);
  try {
    return await ask(fleet);
  } finally {
    await fleet.close();
  }
}

/** The fleet of the user's settings. Throws BAD_ARGUMENT without an address, BAD_CONFIG, FLEET_PACKAGES, and what opening a store throws. */
async function connectFleet(env: NodeJS.ProcessEnv, directory?: string): Promise<FleetAsking> {
  const config = await userConfig(env, directory);
  const { url } = config.fleet;
  if (url === undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'no fleet is configured', {
      hint: 'Name its address: git config --global socraticode.fleet.url https://fleet.example.com',
    });
  return (await loadFleet()).connect(url, { config, env });
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
