/** Serves one client over standard input and output, until the client disconnects. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { log } from '../base/log.js';
import { createServer, type ServerOptions } from './server.js';
import { StdioGate } from './stdio-gate.js';

/** Transport that reports when either side closes it. */
class Watched extends StdioGate {
  private end: () => void = () => {};
  readonly closed = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  override async close(): Promise<void> {
    await super.close();
    this.end();
  }
}

/** Serves until the client closes its end or `signal` aborts; running requests are aborted then. */
export async function serveOverStdio(options: ServerOptions, signal: AbortSignal): Promise<void> {
  // Every answer to a slow reader adds a listener to the stream, so Node's limit of 10 does not apply.
  process.stdout.setMaxListeners(0);
  const transport = new Watched();
  const onerror = (error: Error) => log.debug(`mcp: ${error.message}`);
  const handle = serveStdio(() => createServer(options), { transport, onerror });
  signal.addEventListener('abort', () => void handle.close(), { once: true });
  await transport.closed;
  await handle.close();
}
