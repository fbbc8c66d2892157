/** `serve`: serves a fleet until a signal ends it. */
import { SocraticodeError } from '../base/errors.js';
import type { ServeValues } from '../questions/servers/question.js';
import type { CommandContext } from './front-commands.js';

/** Longest wait for work under way after the end, in ms. */
const GRACE = 2_000;

export async function serveFleetCommand(
  { io, directory }: CommandContext,
  values: Record<string, unknown>,
): Promise<void> {
  const { fleet, listen, tokens, authorize, maintain, noText = false } = values as ServeValues;
  if (tokens !== undefined && authorize !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', '--tokens and --authorize both say who may ask; give one of them');
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  const [{ loadFleet }, { agentsOf }] = await Promise.all([
    import('../questions/fleet/package.js'),
    import('../mcp/fleet-server.js'),
  ]);
  const serving = await (await loadFleet()).serve({
    ...{ fleet, tokens, authorize, maintain, keepsText: !noText, address: addressOf(listen) },
    ...{ env: io.env, directory: directory() },
    agents: agentsOf,
    write: (line) => void io.stderr.write(line),
  });
  io.stderr.write(`git-socraticode: ${serving.url}\n`);
  await aborted(ending.signal);
  // Fires only if something keeps the process from ending by itself.
  setTimeout(() => process.exit(), GRACE).unref();
  await serving.close();
}

/** `HOST:PORT`, `[::1]:PORT` or a port alone. Throws BAD_ARGUMENT. */
export function addressOf(listen: string): { host: string; port: number } {
  const match = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]:|(?<host>[\w.-]+):)?(?<port>\d{1,5})$/.exec(listen);
  const port = Number(match?.groups?.port ?? Number.NaN);
  if (match === null || port > 65_535)
    throw new SocraticodeError('BAD_ARGUMENT', `--listen takes HOST:PORT, not ${JSON.stringify(listen)}`, {
      hint: 'For example --listen 0.0.0.0:7435, or --listen [::]:7435.',
    });
  return { host: match.groups?.v6 ?? match.groups?.host ?? '127.0.0.1', port };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
