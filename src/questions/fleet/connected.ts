/** The fleet that a question is about: in a fleet's server its own, elsewhere the one of the settings. */

import type { FleetAsking } from '../../fleet/ask/asking.js';
import { connectFleet } from '../../fleet/connect.js';
import type { Asker } from '../asker.js';

/** The part of an asker that says which fleet is meant. */
export type FleetSide = Partial<Pick<Asker, 'fleet' | 'command' | 'directory'>>;

/** The caller closes it. Throws BAD_ARGUMENT without an address, and what opening a store throws. */
export async function connected(at: FleetSide): Promise<FleetAsking> {
  if (at.fleet !== undefined) return { ...at.fleet, close: async () => {} };
  return connectFleet(at.command?.io.env ?? process.env, at.directory);
}

/** Asks once. */
export async function askFleet<T>(at: FleetSide, ask: (fleet: FleetAsking) => Promise<T>): Promise<T> {
  const fleet = await connected(at);
  try {
    return await ask(fleet);
  } finally {
    await fleet.close();
  }
}
