/** Mean of the chunks in the views of a question, under the model of the fleet, from a sample of their units. */
import { unitVectors } from '../corpus.js';
import { CENTRE_SAMPLE, meanOfChunks, remember } from '../internal.js';
import { keyOf } from '../keys.js';
import type { FleetUnits } from './units.js';
import type { LiveView } from './views.js';

/** Views and units in the sample: keys are hashes, so the lowest ones are a random sample, the same in every process. */
const VIEWS = 64;
const UNITS = 128;
/** Most chunks of a unit in the sample, so that no large file fills it. */
const CHUNKS = CENTRE_SAMPLE / UNITS;
/** Scopes whose mean is cached: a reader mostly asks about the same repositories. */
const CAPACITY = 64;

export class FleetCentres {
  private readonly known = new Map<string, Promise<Float64Array>>();

  constructor(private readonly units: Pick<FleetUnits, 'open'>) {}

  /** Mean of unit vectors over these views alone, so that no score tells of a forbidden repository. Throws FLEET_STORE. */
  async of(views: readonly LiveView[]): Promise<Float64Array> {
    const sample = [...views].sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, VIEWS);
    const name = sample.map(({ key, commit }) => `${key}${commit}`).join();
    const mean = this.known.get(name) ?? this.read(sample);
    remember(this.known, name, mean, CAPACITY);
    // A failed store is asked again.
    mean.catch(() => this.known.delete(name));
    return mean;
  }

  private async read(views: readonly LiveView[]): Promise<Float64Array> {
    const each = Math.ceil(UNITS / Math.max(1, views.length));
    const keys = views.flatMap(({ facts }) =>
      Array.from({ length: facts.length }, (_, file) => keyOf(facts.keys, file))
        .sort()
        .slice(0, each),
    );
    const opened = [...(await this.units.open([...new Set(keys)])).values()];
    const { vectors, ranges } = unitVectors(opened);
    return meanOfChunks(
      vectors,
      ranges.map(({ first, end }) => ({ first, end: Math.min(end, first + CHUNKS) })),
    );
  }
}
