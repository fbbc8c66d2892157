/** Asks a fleet: in this process over an engine, or a server over HTTP (`http/client.ts`). Both give the same answers. */
import { type FleetAsking, SocraticodeError } from '../internal.js';
import { listRepositories, readFleetFile } from './files.js';
import type { Reader } from './scope.js';
import { searchFleet } from './search.js';
import type { FleetStore } from './store.js';
import { usesInFleet } from './uses.js';

/** The answers that one reader gets. */
export function asking(store: FleetStore, reader: Reader): FleetAsking {
  return {
    search: (query, signal) => inTurn(store, () => searchFleet(store, query, reader, signal), signal),
    repos: (query) => listRepositories(store, query, reader),
    file: (query) => readFleetFile(store, query, reader),
    uses: (query, signal) => inTurn(store, () => usesInFleet(store, query, reader, signal), signal),
    close: () => store.engine.close(),
  };
}

/** Waits for a free slot, so that many questions at once do not multiply memory and times. Throws FLEET_BUSY. */
async function inTurn<T>(store: FleetStore, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const answer = await store.turns.run(() => {
    // The client may have left while it waited.
    signal?.throwIfAborted();
    return work();
  });
  if (answer === null) throw new SocraticodeError('FLEET_BUSY', 'too many questions at once');
  return answer;
}
