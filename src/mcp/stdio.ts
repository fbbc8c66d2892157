/** Serves one client over this process's own streams, until the client goes away. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer, type ServerOptions } from './server.js';

export function serveOverStdio(options: ServerOptions): void {
  serveStdio(() => createServer(options));
}
