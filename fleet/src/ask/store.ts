/** A store with its caches, which one process keeps for all its readers. */
import type { FleetEngine } from '../contract.js';
import { Slots } from '../slots.js';
import { FleetCentres } from './centre.js';
import { FleetLinks } from './links.js';
import { viewAt } from './scope.js';
import { FleetStatistics } from './statistics.js';
import { FleetUnits } from './units.js';
import { FleetViews, type LiveView } from './views.js';

/** Questions that are answered at a time (more would slow each one down and hold more memory), and questions that may wait. */
const QUESTIONS = { atOnce: 4, inLine: 128 } as const;

/** `embed` turns a query into a vector of the fleet's provider; without it, words and paths decide. */
export interface FleetStore {
  engine: FleetEngine;
  views: FleetViews;
  statistics: FleetStatistics;
  units: FleetUnits;
  links: FleetLinks;
  centres: FleetCentres;
  /** Turns of questions. */
  turns: Slots;
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
    turns: new Slots(QUESTIONS.atOnce, QUESTIONS.inLine),
    ...options,
  };
}

/** Reads ahead for the first question: views, counts of their terms, and the indexes of the engine. Throws FLEET_STORE. */
export async function warmStore({ engine, views, statistics }: FleetStore): Promise<void> {
  const counted = async () => {
    const { repositories } = await views.fresh();
    await statistics.of([...repositories.values()].flatMap((each) => viewAt(each, undefined) ?? []));
  };
  await Promise.all([engine.warm(), counted()]);
  views.expire();
}

export const dateOf = ({ publishedAt }: Pick<LiveView, 'publishedAt'>): string =>
  new Date(publishedAt * 1_000).toISOString();
