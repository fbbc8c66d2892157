/** Puts a fleet's server together: store, permissions, agents, maintenance. */
import { type Access, OPEN_ACCESS } from './access/access.js';
import { AuthorizeUrl } from './access/authorize-url.js';
import { TokensFile } from './access/tokens-file.js';
import { embedQueries } from './embed.js';
import { Maintenance } from './http/maintenance.js';
import { checkHost, serveFleet } from './http/server.js';
import { commandText, type FleetStart, SocraticodeError, userConfig } from './internal.js';
import { openEngine } from './open.js';
import { installedProfile } from './publish/profile.js';

/** Throws BAD_ARGUMENT, BAD_CONFIG, and the errors of opening a store. */
export async function startFleet(start: FleetStart): Promise<{ url: string; close: () => Promise<void> }> {
  const { env, write, maintain } = start;
  const config = await userConfig(env, start.directory);
  const uri = start.fleet ?? config.fleet.url;
  if (uri === undefined || /^https?:/.test(uri))
    throw new SocraticodeError('BAD_ARGUMENT', 'a server needs the place of its store', {
      hint: `Name a directory or a bucket: ${commandText('serve', { fleet: 'file:///srv/fleet' })}`,
    });
  const access = accessOf(start);
  checkHost(start.address.host, access === OPEN_ACCESS);
  const engine = await openEngine(uri, installedProfile(config), { env });
  try {
    const serving = await serveFleet({
      ...{ engine, access, isOpen: access === OPEN_ACCESS, keepsText: start.keepsText, ...start.address, write },
      embed: embedQueries(config),
      answers: maintain !== 'only',
      agents: start.agents,
    });
    const maintenance = maintain === 'off' ? null : new Maintenance(engine, { metrics: serving.metrics, write });
    const close = async () => {
      await serving.close();
      await maintenance?.stop();
      await engine.close();
    };
    return { url: serving.url, close };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function accessOf({ tokens, authorize }: FleetStart): Access {
  if (tokens !== undefined) return new TokensFile(tokens);
  return authorize === undefined ? OPEN_ACCESS : new AuthorizeUrl(authorize);
}
