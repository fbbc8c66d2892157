/** Asks an engine for units until enough of them belong to the views of a question. */
import type { CandidateRequest, FleetEngine, UnitCandidate } from '../contract.js';
import type { LiveView } from './views.js';

/** Units of each list that are ranked: more of them change no result (docs/design). */
const WANTED = 100;
/** Most units of each list that an engine is asked for. */
const MOST = 3_200;
/** Spare units, since the share of live ones is an estimate. */
const SPARE = 1.2;

/** A unit in a view of the question. */
export interface LiveUnit {
  key: string;
  view: LiveView;
  file: number;
}

/** `accepts`: false for a file that the question leaves out. */
export interface CandidateScope {
  views: readonly LiveView[];
  /** True if the reader asked for every family, so that the engine need not filter. */
  isWhole: boolean;
  accepts: (view: LiveView, file: number) => boolean;
}

/** The best live units by words and by meaning: every view of the question that has one, in the order of the lists. */
export async function liveCandidates(
  engine: Pick<FleetEngine, 'candidates'>,
  query: Pick<CandidateRequest, 'terms' | 'vector'>,
  scope: CandidateScope,
): Promise<LiveUnit[]> {
  const placesOf = placesIn(scope);
  const families = scope.isWhole ? null : [...new Set(scope.views.map(({ family }) => family))];
  for (let count = WANTED; ; ) {
    const { words, vectors } = await engine.candidates({ ...query, families, count });
    const lists = [words, vectors].map((list) => ({
      list,
      live: list.map(placesOf).filter(({ length }) => length > 0),
    }));
    // A list that is shorter than asked for has nothing more to give.
    const lacking = lists.filter(({ list, live }) => live.length < WANTED && list.length >= count);
    if (lacking.length === 0 || count >= MOST)
      return distinct(lists.flatMap(({ live }) => live.slice(0, WANTED).flat()));
    const needed = Math.max(
      ...lacking.map(({ list, live }) => (WANTED * list.length * SPARE) / Math.max(1, live.length)),
    );
    count = Math.min(MOST, Math.max(2 * count, Math.ceil(needed)));
  }
}

function placesIn({ views, accepts }: CandidateScope): (unit: UnitCandidate) => LiveUnit[] {
  const byFamily = new Map<string, LiveView[]>();
  for (const view of views) byFamily.set(view.family, [...(byFamily.get(view.family) ?? []), view]);
  return ({ key, family }) =>
    (byFamily.get(family) ?? []).flatMap((view) => {
      const file = view.find(key);
      return file >= 0 && accepts(view, file) ? { key, view, file } : [];
    });
}

/** Each unit once in each view. */
function distinct(units: readonly LiveUnit[]): LiveUnit[] {
  return [...new Map(units.map((unit) => [`${unit.key}${unit.view.key}`, unit])).values()];
}
