/** Asks a client for its roots, the directories it works in. The 2026 protocol has no such request outside of a call, so its clients are not asked. */
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import { log } from '../base/log.js';

/** Longest wait for the client, in ms, so that a silent one does not hold up a call. */
const TIMEOUT = 2_000;

/** Function that asks once a connection, and again after the client reports a change. It gives [] if the client has none or refuses. */
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
