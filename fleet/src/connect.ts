/** Connects to a fleet: to a server, or to a directory or bucket that this process reads itself. */
import { type FleetAsking, type FleetPackage, SocraticodeError } from './internal.js';

const TOKEN = 'SOCRATICODE_FLEET_TOKEN';

export const connect: FleetPackage['connect'] = async (url, { config, env }): Promise<FleetAsking> => {
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
  // A process that reads the store can read all of it, so there is nothing to permit.
  return asking(fleetStore(engine, { embed: embedQueries(config) }), { mayRead: () => true });
};

/** The token from the environment; null without one. Throws BAD_ARGUMENT for a text that no header can carry. */
function fleetToken(env: NodeJS.ProcessEnv): string | null {
  const token = env[TOKEN];
  if (token === undefined || token === '') return null;
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new SocraticodeError('BAD_ARGUMENT', `${TOKEN} is no token`, {
    hint: 'A token is letters, digits and punctuation without spaces.',
  });
}
