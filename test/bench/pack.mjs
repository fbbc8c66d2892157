// How much of what judged queries ask for is in a pack, beside search results cut at the same number of tokens?
// Usage: node test/bench/pack.mjs DATA CHECKOUTS [--per N] [--repos a,b] [--build DIR]. DATA as ranking-judged.mjs says;
// CHECKOUTS are copies, in which an index is made. `--per`: queries of each repository (default 4).
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { inRoot, loadJudged, matches } from './ranking-judged.mjs';

const [data, checkouts] = process.argv.slice(2);
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const per = Number(option('per', 4));
const only = option('repos', '')
  .split(',')
  .filter((name) => name !== '');
const build = resolve(option('build', existsSync('dist/questions') ? 'dist' : 'build/src'));
const load = (path) => import(`${build}/${path}`);
const [
  { Session },
  { Searcher },
  { Graphs },
  { runPack },
  { estimateTokens },
  { packText },
  { plainPen },
  { TOOL_WORDS },
] = await Promise.all(
  [
    ...['session/session.js', 'session/search/searcher.js', 'session/graph/graphs.js', 'questions/pack/answer.js'],
    ...['base/tokens.js', 'questions/pack/answer.js', 'questions/pen.js', 'questions/pen.js'],
  ].map(load),
);

const BUDGETS = [2_000, 4_000, 8_000, 12_000];
/** What a reply says besides results. */
const HEAD = 150;

const mean = (list) => (list.length === 0 ? Number.NaN : list.reduce((sum, value) => sum + value, 0) / list.length);

/** Results as the tool gives them, as JSON or as text, until the budget is spent. */
function plain(results, budget, asText) {
  let used = asText ? 30 : HEAD;
  const kept = [];
  for (const { path, startLine, endLine, language, kind, symbol, score, sources, paths, content } of results) {
    const text = asText
      ? `${path}:${startLine}-${endLine}  ${symbol ?? ''}  ${kind}\n${content}\n`
      : JSON.stringify({ path, startLine, endLine, paths, language, kind, symbol, score, sources, content });
    const cost = estimateTokens(text);
    if (used + cost > budget) break;
    used += cost;
    kept.push({ path, startLine, endLine });
  }
  return kept;
}

function recall({ root, targets }, places) {
  const kept = places.filter(({ path }) => inRoot(root, path));
  return mean(targets.map((target) => (kept.some((place) => matches(target, place)) ? 1 : 0)));
}

const rows = new Map();
const note = (key, value) => rows.set(key, [...(rows.get(key) ?? []), value]);
const times = { search: [], pack: [] };
const ratios = [];

for (const repo of loadJudged(data, checkouts)) {
  if (only.length > 0 && !only.includes(repo.name)) continue;
  const session = await Session.open({ directory: repo.dir });
  const sources = { searcher: new Searcher(session), graphs: new Graphs(session) };
  const step = Math.max(1, Math.floor(repo.queries.length / per));
  const asked = repo.queries.filter((_, i) => i % step === 0).slice(0, per);
  await runPack(session, { task: asked[0].query, maxTokens: 12_000 }, sources);
  for (const query of asked) {
    const { results } = await sources.searcher.search({ query: query.query, limit: 100 });
    for (const budget of BUDGETS) {
      const start = performance.now();
      await sources.searcher.search({ query: query.query, limit: 60 });
      const searched = performance.now();
      const pack = await runPack(session, { task: query.query, maxTokens: budget }, sources);
      times.search.push(searched - start);
      times.pack.push(performance.now() - searched);
      const text = packText(pack, plainPen(TOOL_WORDS));
      if (estimateTokens(text) > budget || pack.tokens > budget) console.log('OVER', repo.name, budget, query.query);
      ratios.push(text.length / JSON.stringify(pack).length);
      note(`${budget} plain, JSON`, recall(query, plain(results, budget, false)));
      note(`${budget} plain, text`, recall(query, plain(results, budget, true)));
      note(`${budget} pack`, recall(query, pack.items));
      note(
        `${budget} pack, code alone`,
        recall(
          query,
          pack.items.filter(({ kind }) => kind === 'code' || kind === 'test'),
        ),
      );
      note(`${budget} used`, pack.tokens / budget);
    }
  }
  console.error(repo.name, asked.length);
  session.close();
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
for (const [key, values] of rows) console.log(key.padEnd(26), mean(values).toFixed(3), `(${values.length})`);
console.log('text / JSON', mean(ratios).toFixed(2));
console.log('ms: search', median(times.search).toFixed(0), 'pack with its search', median(times.pack).toFixed(0));
