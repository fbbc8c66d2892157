/** A store with the parts of it that one process keeps in memory for all its readers. */
import type { FleetEngine } from '../contract.js';
import { FleetCentres } from './centre.js';
import { FleetLinks } from './links.js';
import { FleetStatistics } from './statistics.js';
import { FleetUnits } from './units.js';
import { FleetViews, type LiveView } from './views.js';

/** `embed` turns a query into the vector of the fleet's provider; without it words and paths decide. */
export interface FleetStore {
  engine: FleetEngine;
  views: FleetViews;
  statistics: FleetStatistics;
  units: FleetUnits;
  links: FleetLinks;
  centres: FleetCentres;
  embed?: (text: string, signal?: AbortSignal) => Promise<Float32Array>;
}

export function fleetStore(engine: FleetEngine, options: Pick<FleetStore, 'embed'> = {}): FleetStore {
  const units = new FleetUnits(engine);
  return {
    engine,
    views: new FleetViews(engine),
    statistics: new FleetStatistics(engine),
    units,
    links: new FleetLinks(engine),
    centres: new FleetCentres(units),
    ...options,
  };
}

export const dateOf = ({ publishedAt }: Pick<LiveView, 'publishedAt'>): string =>
  new Date(publishedAt * 1_000).toISOString();
