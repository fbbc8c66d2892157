/** Serves one client over this process's own streams, until the client goes away. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { log } from '../base/log.js';
import { createServer, type ServerOptions } from './server.js';

/** A transport that says when it is closed, by whichever side. */
class Watched extends StdioServerTransport {
  private end: () => void = () => {};
  readonly closed = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  override async close(): Promise<void> {
    await super.close();
    this.end();
  }
}

/** Resolves when the client has closed its end, or `signal` aborts: requests under way are aborted then. */
export async function serveOverStdio(options: ServerOptions, signal: AbortSignal): Promise<void> {
  // Each answer that waits for a slow reader listens to the stream: as many as there are requests.
  process.stdout.setMaxListeners(0);
  const transport = new Watched();
  const onerror = (error: Error) => log.debug(`mcp: ${error.message}`);
  const handle = serveStdio(() => createServer(options), { transport, onerror });
  signal.addEventListener('abort', () => void handle.close(), { once: true });
  await transport.closed;
  await handle.close();
}
