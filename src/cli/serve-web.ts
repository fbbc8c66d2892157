/** `web`: serves the page of a repository until the user ends it, or nobody has used it for long. */
import { resolve } from 'node:path';
import { log } from '../base/log.js';
import type { FleetAsking } from '../questions/fleet/asking.js';
import type { WebValues } from '../questions/servers/question.js';
import type { CommandContext } from './front-commands.js';

/** Longest wait for work under way after the end, in ms. */
const GRACE = 500;

export async function serveWeb({ io, directory }: CommandContext, values: Record<string, unknown>): Promise<void> {
  const { port, noOpen = false, idle } = values as WebValues;
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  const [{ Projects }, { listenForPages }, { openInBrowser }, { cachedFleet }] = await Promise.all([
    import('../serve/projects.js'),
    import('../web/serve.js'),
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
    serving.rested.then(() => project.searcher.warm(ending.signal)).catch((error: Error) => log.debug(error.message));
    await Promise.race([serving.idle, aborted(ending.signal)]);
    if (!ending.signal.aborted) io.stderr.write('git-socraticode: ended, since nobody has used the page for long\n');
    await serving.close();
  } finally {
    // Fires only if something keeps the process from ending by itself.
    setTimeout(() => process.exit(), GRACE).unref();
    await Promise.all([projects.close(), fleet?.close()]);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
