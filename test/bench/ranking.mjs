// Prints how good answers are, on judged queries about repositories that are checked out:
// `npm run bench -- ranking --data DIR --checkouts DIR [--folds N] [--json] [--misses N]`.
// With --folds, also how much of that is fitted: weights refitted on some of the repositories, scored on the others.
import { parseArgs } from 'node:util';
import { candidatesOf, EVEN, SHIPPED } from './ranking-features.mjs';
import { crossValidate, score } from './ranking-fit.mjs';
import { CATEGORIES, judge, loadJudged, summaries } from './ranking-judged.mjs';
import { model, nearest, openCheckout, prepareQuery, search } from './ranking-search.mjs';
import { foldsTable, missesTable, modesTable, plainTable } from './ranking-tables.mjs';

const MODES = ['lexical', 'semantic', 'hybrid'];
const PLAIN = { 'content only': 'contentOnly', 'content with path words': 'withPaths' };
/** What a step must gain: more than one query's target that moves from the second place to the first. Less is noise. */
const LEAST_GAIN = 2e-3;

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== 'ranking'),
  options: {
    data: { type: 'string' },
    checkouts: { type: 'string' },
    folds: { type: 'string', default: '0' },
    misses: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});

/** Rows of every way of searching, and the candidates of every query. */
async function measure(repos) {
  const rows = Object.fromEntries([...MODES, ...Object.keys(PLAIN)].map((name) => [name, []]));
  const candidates = [];
  for (const repo of repos) {
    const checkout = await openCheckout(repo);
    for (const judged of repo.queries) {
      for (const mode of MODES) rows[mode].push(judge(judged, await search(checkout, judged.query, mode)));
      const prepared = await prepareQuery(checkout, judged.query);
      for (const [name, places] of Object.entries(PLAIN))
        rows[name].push(judge(judged, await nearest(checkout, checkout[places], prepared.dense)));
      if (Number(options.folds) > 1) candidates.push(candidatesOf(checkout, judged, prepared));
    }
    checkout.session.close();
  }
  return { rows, candidates };
}

/** Means over repositories, each held out once. */
function totalOf(folds) {
  const count = folds.reduce((sum, { heldOut }) => sum + heldOut.length, 0);
  const over = (part, which) => folds.reduce((sum, fold) => sum + fold[part][which] * fold.heldOut.length, 0) / count;
  const both = (part) => ({ start: over(part, 'start'), fitted: over(part, 'fitted') });
  return { seen: both('seen'), unseen: both('unseen') };
}

function validate(candidates) {
  const starts = { 'the shipped weights': SHIPPED, 'even weights, all 1': EVEN };
  return Object.entries(starts).map(([name, start]) => {
    const folds = crossValidate(candidates, { start, folds: Number(options.folds), leastGain: LEAST_GAIN });
    return { name, folds, total: totalOf(folds) };
  });
}

if (!options.data || !options.checkouts) {
  console.error('usage: npm run bench -- ranking --data DIR --checkouts DIR [--folds N] [--json] [--misses N]');
  process.exit(2);
}
const from = performance.now();
const repos = loadJudged(options.data, options.checkouts);
const { rows, candidates } = await measure(repos);
const searched = performance.now();
const figures = Object.fromEntries(Object.entries(rows).map(([name, own]) => [name, summaries(own)]));
const validations = candidates.length > 0 ? validate(candidates) : [];
const seconds = { searching: (searched - from) / 1000, fitting: (performance.now() - searched) / 1000 };

if (options.json) {
  const repoNames = repos.map(({ name }) => name);
  console.log(JSON.stringify({ model: model(), repos: repoNames, figures, validations, seconds, rows: rows.hybrid }));
} else {
  const pick = (names) => Object.fromEntries(names.map((name) => [name, figures[name]]));
  const sections = [
    `${rows.hybrid.length} queries, ${repos.length} repositories, model ${model()}. NDCG@10: mean over repositories; the rest: over queries`,
    modesTable(pick(MODES)),
    plainTable(pick(Object.keys(PLAIN)), CATEGORIES),
    ...validations.map((validation) => foldsTable(validation, validation.total)),
  ];
  if (validations.length > 0)
    sections.push(`shipped weights without making results: ${score(candidates, SHIPPED).toFixed(4)}`);
  if (Number(options.misses) > 0) sections.push(missesTable(rows.hybrid, Number(options.misses)));
  sections.push(`${seconds.searching.toFixed(0)} s searching, ${seconds.fitting.toFixed(0)} s fitting`);
  console.log(sections.join('\n\n'));
}
