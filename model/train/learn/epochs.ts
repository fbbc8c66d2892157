/** Chooses the pairs of an epoch and their order. */
import { KINDS, SPLITS } from '../dataset/format.js';
import type { Dataset } from '../dataset/read.js';
import type { TrainingSettings } from '../recipe.js';
import type { Random } from './random.js';

/** Training pairs of an epoch: groups of one package each, in random order. */
export function epochOrder(dataset: Dataset, settings: TrainingSettings, random: Random): number[] {
  const groups: number[][] = [];
  for (const all of byPackage(dataset)) {
    const drawn = all.filter((pair) => {
      const share = settings.kinds[KINDS[dataset.kind[pair]]];
      return share >= 1 || random.next() < share;
    });
    const pairs = random.shuffle(drawn).slice(0, settings.perPackage);
    for (let at = 0; at < pairs.length; at += settings.group) groups.push(pairs.slice(at, at + settings.group));
  }
  return random.shuffle(groups).flat();
}

/** Training pairs of which both sides have a known word, by package. */
function byPackage({ meta, kind, split, pack, start }: Dataset): number[][] {
  const packages = meta.packages.map((): number[] => []);
  const train = SPLITS.indexOf('train');
  for (let pair = 0; pair < kind.length; pair++) {
    const [query, code, end] = start.subarray(2 * pair, 2 * pair + 3);
    if (split[pair] === train && query < code && code < end) packages[pack[pair]].push(pair);
  }
  return packages;
}
