/** Asks a fleet: in this process over an engine, or a server over HTTP (`http/client.ts`). Both give the same answers. */
import type { FleetFileDocument } from '../../questions/fleet/file/output.js';
import type { FleetReposDocument } from '../../questions/fleet/repos/output.js';
import type { FleetSearchDocument } from '../../questions/fleet/search/output.js';
import type { FleetEngine } from '../contract.js';
import { type FleetFileQuery, type FleetReposQuery, listRepositories, readFleetFile } from './files.js';
import type { Reader } from './scope.js';
import { type FleetQuery, type FleetStore, searchFleet } from './search.js';
import { FleetStatistics } from './statistics.js';
import { FleetUnits } from './units.js';
import { FleetViews } from './views.js';

export interface FleetAsking {
  /** Throws EMPTY_QUERY, BAD_ARGUMENT, UNKNOWN_REF and FLEET_STORE, as the others do but for the first. */
  search(query: FleetQuery, signal?: AbortSignal): Promise<FleetSearchDocument>;
  repos(query: FleetReposQuery, signal?: AbortSignal): Promise<FleetReposDocument>;
  file(query: FleetFileQuery, signal?: AbortSignal): Promise<FleetFileDocument>;
  close(): Promise<void>;
}

/** Views, statistics and units that all readers of a process share. */
export function fleetStore(engine: FleetEngine, options: Pick<FleetStore, 'embed'> = {}): FleetStore {
  return {
    engine,
    views: new FleetViews(engine),
    statistics: new FleetStatistics(engine),
    units: new FleetUnits(engine),
    ...options,
  };
}

/** The answers that one reader gets. */
export function asking(store: FleetStore, reader: Reader): FleetAsking {
  return {
    search: (query, signal) => searchFleet(store, query, reader, signal),
    repos: (query) => listRepositories(store, query, reader),
    file: (query) => readFleetFile(store, query, reader),
    close: () => store.engine.close(),
  };
}
