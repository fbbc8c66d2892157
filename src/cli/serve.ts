/** Commands that serve until a signal, their client or long idleness ends them: `mcp`, `lsp`, `serve`, `web`. */
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { packageVersion } from '../base/runtime.js';
import type { Io } from '../questions/asker.js';
import type { FleetAsking } from '../questions/fleet/asking.js';
import type { McpValues } from '../questions/mcp/question.js';
import type { ServeValues, WebValues } from '../questions/servers/question.js';
import type { CommandContext } from './command.js';

/** Longest wait for work under way after the end, in ms. */
const GRACE = 200;
const FLEET_GRACE = 2_000;

/** Serves coding agents until the client or the user ends it. */
export async function serveMcp({ io, directory }: CommandContext, values: Record<string, unknown>): Promise<void> {
  const options = values as McpValues;
  const [{ Projects }, { parseToolsets, warnOfUnread }] = await Promise.all([
    import('../serve/projects.js'),
    import('../questions/mcp/question.js'),
  ]);
  await warnOfUnread(io.env);
  const toolsets = parseToolsets(options.toolsets);
  const allow = (options.allow ?? []).map((each) => resolve(each));
  const projects = new Projects({
    ...{ directory: resolve(directory() ?? '.'), allow },
    fallback: io.env.CLAUDE_PROJECT_DIR,
  });
  const { readOnly = false, structured = false } = options;
  const served = { projects, toolsets, readOnly, structured };
  const signal = signalled();
  try {
    if (options.http === undefined) {
      const { serveOverStdio } = await import('../mcp/stdio.js');
      sayWhoIsAwaited(io, 'waiting for a client; to add it to one: git socraticode mcp install');
      await serveOverStdio(served, signal);
    } else {
      const { serveOverHttp } = await import('../mcp/http.js');
      await serveOverHttp({ ...served, port: options.http, signal });
    }
  } finally {
    exitWithin(GRACE);
    await projects.close();
  }
}

/** Serves an editor until it exits. */
export async function serveLsp({ io, directory }: CommandContext): Promise<void> {
  const signal = signalled();
  sayWhoIsAwaited(io, 'waiting for an editor; docs/editors.md says how to set one up');
  const { serveLsp: serve } = await import('../lsp/serve.js');
  try {
    const streams = { input: io.stdin, output: io.stdout };
    const version = packageVersion();
    const isInOrder = await serve({ ...streams, directory: resolve(directory() ?? '.'), version, signal });
    // The protocol's exit status for an editor that leaves without `shutdown`.
    if (!isInOrder) process.exit(1);
  } finally {
    // Editors that wait for the end keep their side of the stream open, which would keep the process alive; some soon kill it.
    (io.stdin as Partial<Readable>).destroy?.();
    exitWithin(GRACE);
  }
}

/** Serves a fleet until a signal ends it. */
export async function serveFleet({ io, directory }: CommandContext, values: Record<string, unknown>): Promise<void> {
  const { fleet, listen, tokens, authorize, maintain, noText = false } = values as ServeValues;
  if (tokens !== undefined && authorize !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', '--tokens and --authorize both say who may ask; give one of them');
  const signal = signalled();
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
  await aborted(signal);
  exitWithin(FLEET_GRACE);
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

/** Serves the page of a repository until the user ends it, or nobody has used it for long. */
export async function serveWeb({ io, directory }: CommandContext, values: Record<string, unknown>): Promise<void> {
  const { port, noOpen = false, idle } = values as WebValues;
  const signal = signalled();
  const [{ Projects }, { listenForPages, openInBrowser }, { cachedFleet }] = await Promise.all([
    import('../serve/projects.js'),
    import('../web/serve.js'),
    import('../questions/fleet/package.js'),
  ]);
  const projects = new Projects({ directory: resolve(directory() ?? '.'), allow: [] });
  let fleet: FleetAsking | undefined;
  try {
    // A directory without a repository is refused here, with the error of every command.
    const project = await projects.open();
    fleet = await cachedFleet(io.env, directory());
    const serving = await listenForPages(projects, { port, idleMinutes: idle, fleet });
    io.stderr.write(
      `git-socraticode: ${serving.url}\n  Ctrl-C ends the server. The address is a key: keep it to yourself.\n`,
    );
    if (!noOpen) openInBrowser(serving.ticketUrl(), io.env);
    project.background.warm().catch(() => {});
    // Warms up after the first view, for which somebody waits.
    const { searcherOf } = await import('../session/search/searcher.js');
    serving.rested
      .then(() => searcherOf(project.session).warm(signal))
      .catch((error: Error) => log.debug(error.message));
    await Promise.race([serving.idle, aborted(signal)]);
    if (!signal.aborted) io.stderr.write('git-socraticode: ended, since nobody has used the page for long\n');
    await serving.close();
  } finally {
    exitWithin(GRACE);
    await Promise.all([projects.close(), fleet?.close()]);
  }
}

/** Aborted by the first signal that asks this process to end. */
function signalled(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  return ending.signal;
}

/** Resolves when the signal aborts, at once if it has. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}

/** Ends the process after `ms` if something keeps it from ending by itself. */
function exitWithin(ms: number): void {
  setTimeout(() => process.exit(), ms).unref();
}

/** Tells a person who started this in a terminal that a program is expected at the other end. */
function sayWhoIsAwaited(io: Io, text: string): void {
  if ((io.stdin as { isTTY?: boolean }).isTTY) io.stderr.write(`git-socraticode: ${text}\n`);
}
