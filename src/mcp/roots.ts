/** The directories that the client works in. Clients of the 2026 protocol are not asked: it has no request for it outside of a call. */
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import { log } from '../base/log.js';

/** A client that does not answer must not hold up a call, in ms. */
const TIMEOUT = 2_000;

/** Asks once a connection, and again when the client says that they have changed. [] where it has none, or will not say. */
export function rootsOf(server: Server): () => Promise<string[]> {
  let asked: Promise<string[]> | null = null;
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    asked = null;
  });
  return () => {
    asked ??= server.getClientCapabilities()?.roots === undefined ? Promise.resolve([]) : ask(server);
    return asked;
  };
}

async function ask(server: Server): Promise<string[]> {
  try {
    const { roots } = await server.listRoots(undefined, { timeout: TIMEOUT });
    return roots.flatMap(({ uri }) => directory(uri));
  } catch (error) {
    log.debug(`the client did not list its roots: ${(error as Error).message}`);
    return [];
  }
}

function directory(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
