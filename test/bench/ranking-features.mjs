// What ranking knows about a query's candidates, taken once: any weights can then be tried without ranking again.
import { CUT, gain, idealGain, inRoot, matches } from './ranking-judged.mjs';

const load = (path) => import(new URL(`../../dist/search/${path}`, import.meta.url));
const { DenseScorer } = await load('dense.js');
const { rank } = await load('scoring.js');
const { FILE, WEIGHTS } = await load('weights.js');
const { locate } = await import(new URL('../../dist/shard/live-set.js', import.meta.url));

export const KINDS = ['natural', 'question', 'symbol'];
export const FEATURES = Object.keys(WEIGHTS.hybrid.natural);
/** Of one kind of query: the weights of its features, then its coherence. The saturation of all kinds comes last. */
const PER_KIND = FEATURES.length + 1;
const SATURATION = KINDS.length * PER_KIND;

const weightsFor = (weight, coherence) =>
  KINDS.flatMap((kind) => [...FEATURES.map((feature) => weight(kind, feature)), coherence(kind)]);

/** The weights of hybrid mode as the program has them. */
export const SHIPPED = Float64Array.from([
  ...weightsFor(
    (kind, feature) => WEIGHTS.hybrid[kind][feature],
    (kind) => FILE.coherence[kind],
  ),
  FILE.further,
]);

/** Weights of somebody who knows the features and no query. */
export const EVEN = Float64Array.from([
  ...weightsFor(
    () => 1,
    () => 0.5,
  ),
  0.5,
]);

/** A weight's name, the kind of query it applies to (-1: all), and the most it can be. */
export function describe(at) {
  if (at === SATURATION) return { name: 'saturation', kind: -1, most: 1 };
  const kind = Math.floor(at / PER_KIND);
  const name = FEATURES[at % PER_KIND] ?? 'coherence';
  return { name: `${KINDS[kind]} ${name}`, kind, most: Number.POSITIVE_INFINITY };
}

/** One query's candidates. Values of features are what `explain` says where every weight is 1. */
export function candidatesOf({ corpus }, judged, { query, lexical, dense }) {
  const scorer = dense && new DenseScorer(corpus, dense);
  const ranked = withEvenWeights(() =>
    rank(corpus, query, { limit: Number.POSITIVE_INFINITY, dense: scorer }, lexical),
  );
  const { live } = corpus;
  const places = ranked.map(({ document, file }) => {
    const { shard, local } = locate(live, document);
    const { startLine, endLine, hash } = shard.columns;
    return {
      path: live.files.path(file),
      startLine: startLine[local],
      endLine: endLine[local],
      hash: hash[local],
    };
  });
  const files = numbering(ranked.map(({ file }) => file));
  const texts = numbering(places.map(({ hash }) => hash));
  return {
    repo: judged.repo,
    category: judged.category,
    kind: KINDS.indexOf(query.kind),
    values: Float64Array.from(ranked.flatMap(({ explain }) => FEATURES.map((feature) => explain[feature] ?? 0))),
    factor: Float64Array.from(ranked, ({ explain }) => factorOf(explain)),
    file: files.numbers,
    fileCount: files.count,
    /** Equal texts are one result: they share a number. */
    text: texts.numbers,
    textCount: texts.count,
    counts: places.map(({ path }) => inRoot(judged.root, path)),
    /** Targets that a candidate answers, as bits. */
    answers: places.map((place) => judged.targets.reduce((bits, t, i) => bits | (matches(t, place) ? 1 << i : 0), 0)),
    ideal: idealGain(judged.targets.length),
  };
}

function withEvenWeights(work) {
  const kept = { ...WEIGHTS };
  const even = Object.fromEntries(FEATURES.map((feature) => [feature, 1]));
  const forAll = { change: even, ...Object.fromEntries(KINDS.map((kind) => [kind, even])) };
  Object.assign(WEIGHTS, { lexical: forAll, hybrid: forAll });
  try {
    return work();
  } finally {
    Object.assign(WEIGHTS, kept);
  }
}

const factorOf = (explain) => Object.entries(explain).find(([name]) => name.startsWith('factor:'))?.[1] ?? 1;

function numbering(keys) {
  const known = new Map();
  for (const key of keys) if (!known.has(key)) known.set(key, known.size);
  return { numbers: Int32Array.from(keys, (key) => known.get(key)), count: known.size };
}

/** NDCG of a query's candidates under some weights: what `rank` and `collapse` do, without making results. */
export function ndcgUnder(query, weights) {
  const { file, text, counts, answers } = query;
  const scores = saturated(scoresUnder(query, weights), file, weights[SATURATION]);
  const order = Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b);
  const shown = new Uint8Array(query.textCount);
  let [found, sum, place] = [0, 0, 1];
  for (const i of order) {
    if (place > CUT) break;
    if (shown[text[i]]++ > 0 || !counts[i]) continue;
    if ((answers[i] & ~found) !== 0) sum += gain(place);
    found |= answers[i];
    place++;
  }
  return sum / query.ideal;
}

/** Further chunks of a file count less, the more the worse they are than its best one. */
function saturated(scores, file, further) {
  const first = new Map();
  for (const [i, score] of scores.entries())
    if (!(score <= (first.get(file[i])?.score ?? -1))) first.set(file[i], { i, score });
  return scores.map((score, i) => {
    const best = first.get(file[i]);
    return best.i === i || best.score <= 0 ? score : score * further * (score / best.score) ** FILE.steepness;
  });
}

function scoresUnder({ kind, values, factor, file, fileCount }, weights) {
  const from = kind * PER_KIND;
  const width = FEATURES.length;
  const scores = new Float64Array(factor.length);
  const sums = new Float64Array(fileCount);
  const best = new Int32Array(fileCount).fill(-1);
  for (let i = 0; i < scores.length; i++) {
    let score = 0;
    for (let j = 0; j < width; j++) score += weights[from + j] * values[i * width + j];
    score *= factor[i];
    scores[i] = score;
  }
  const order = Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a]);
  const top = Math.max(0, scores[order[0]] ?? 0);
  const part = new Float64Array(fileCount).fill(1);
  for (const i of order) {
    sums[file[i]] += part[file[i]] * scores[i];
    part[file[i]] *= FILE.fading[KINDS[kind]];
    if (best[file[i]] < 0) best[file[i]] = i;
  }
  const largest = sums.reduce((most, sum) => Math.max(most, sum), 1e-9);
  for (let f = 0; f < fileCount; f++) scores[best[f]] += (weights[from + width] * top * sums[f]) / largest;
  return scores;
}
