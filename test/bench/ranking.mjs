// Prints how good answers are, on judged queries about repositories that are checked out:
// `npm run bench -- ranking --data DIR --checkouts DIR [--modes hybrid,lexical] [--only NAME,…] [--folds N] [--json] [--misses N]`.
// With --paraphrases DIR [--half A|B], also questions in other words than the code's, about clones in DIR (paraphrases-questions.mjs names them), and
// titles of issues that DIR/titles.json has (paraphrases-issues.mjs).
// With --folds, also how much of that is fitted: weights refitted on some of the repositories, scored on the others.
import { parseArgs } from 'node:util';
import { askParaphrases, paraphrasesText } from './paraphrases.mjs';
import { candidatesOf, EVEN, SHIPPED } from './ranking-features.mjs';
import { crossValidate, score } from './ranking-fit.mjs';
import { CATEGORIES, judge, loadJudged, summaries } from './ranking-judged.mjs';
import { model, nearest, openCheckout, openSearcher, plainPlaces, prepareQuery, search } from './ranking-search.mjs';
import { foldsTable, missesTable, modesTable, plainTable } from './ranking-tables.mjs';

const MODES = ['lexical', 'semantic', 'hybrid'];
const PLAIN = ['content only', 'content with path words'];
/** What a step must gain: more than one query's target that moves from the second place to the first. Less is noise. */
const LEAST_GAIN = 2e-3;

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== 'ranking'),
  options: {
    data: { type: 'string' },
    checkouts: { type: 'string' },
    modes: { type: 'string' },
    only: { type: 'string' },
    folds: { type: 'string', default: '0' },
    misses: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    paraphrases: { type: 'string' },
    half: { type: 'string' },
  },
});

const modes = options.modes?.split(',') ?? MODES;
/** Modes that are asked for by name are all that is. */
const plain = options.modes === undefined ? PLAIN : [];

/** Rows of every way of searching, and the candidates of every query. */
async function measure(repos) {
  const rows = Object.fromEntries([...modes, ...plain].map((name) => [name, []]));
  const candidates = [];
  for (const repo of repos) {
    const checkout = await openCheckout(repo);
    const places = plain.length > 0 ? plainPlaces(checkout) : {};
    for (const judged of repo.queries) {
      for (const mode of modes) rows[mode].push(judge(judged, await search(checkout, judged.query, mode)));
      if (plain.length === 0 && !(Number(options.folds) > 1)) continue;
      const prepared = await prepareQuery(checkout, judged.query);
      for (const name of plain) rows[name].push(judge(judged, await nearest(checkout, places[name], prepared.dense)));
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

if (options.paraphrases) {
  const answers = await askParaphrases(options.paraphrases, {
    openCheckout,
    openSearcher,
    mode: modes.at(-1),
    half: options.half,
  });
  console.log(options.json ? JSON.stringify(answers.rows) : paraphrasesText(answers));
  if (!options.data) process.exit(0);
}
if (!options.data || !options.checkouts) {
  console.error(
    'usage: npm run bench -- ranking --data DIR --checkouts DIR [--modes hybrid,lexical] [--folds N] [--json] [--misses N]',
  );
  process.exit(2);
}
const from = performance.now();
const only = options.only?.split(',');
const repos = loadJudged(options.data, options.checkouts).filter(({ name }) => only?.includes(name) ?? true);
const { rows, candidates } = await measure(repos);
const searched = performance.now();
const figures = Object.fromEntries(Object.entries(rows).map(([name, own]) => [name, summaries(own)]));
const validations = candidates.length > 0 ? validate(candidates) : [];
const seconds = { searching: (searched - from) / 1000, fitting: (performance.now() - searched) / 1000 };

if (options.json) {
  const repoNames = repos.map(({ name }) => name);
  console.log(JSON.stringify({ model: model(), repos: repoNames, figures, validations, seconds, rows }));
} else {
  const pick = (names) => Object.fromEntries(names.map((name) => [name, figures[name]]));
  const sections = [
    `${rows[modes[0]].length} queries, ${repos.length} repositories, model ${model()}. NDCG@10 and MRR: mean over repositories; the rest: over queries`,
    modesTable(pick(modes)),
    ...(plain.length > 0 ? [plainTable(pick(plain), CATEGORIES)] : []),
    ...validations.map((validation) => foldsTable(validation, validation.total)),
  ];
  if (validations.length > 0)
    sections.push(`shipped weights without making results: ${score(candidates, SHIPPED).toFixed(4)}`);
  if (Number(options.misses) > 0) sections.push(missesTable(rows[modes.at(-1)], Number(options.misses)));
  sections.push(`${seconds.searching.toFixed(0)} s searching, ${seconds.fitting.toFixed(0)} s fitting`);
  console.log(sections.join('\n\n'));
}
