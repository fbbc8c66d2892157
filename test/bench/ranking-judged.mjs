// Judged queries, and the rules by which answers are scored. A folder of them holds `repos.json` ({name, language,
// benchmark_root, checkout: folder of its own, default: name, ref: default HEAD}), `manifest.json` (the repositories that count), `annotations/NAME.json` ({query, category, relevant,
// secondary}) and perhaps `fixes.json` (target files that have moved).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const CUT = 10;
/** Categories in the order of display: judged ones, then those of facts. */
export const CATEGORIES = ['semantic', 'architecture', 'symbol', 'commit', 'doc', 'test'];
/** Labels of older annotations. */
const RENAMED = { api: 'architecture', keyword: 'symbol' };

/** The repositories that are checked out, each with its queries. Those without any target in the checkout are left out. */
export function loadJudged(data, checkouts) {
  const read = (...name) => JSON.parse(readFileSync(join(data, ...name), 'utf8'));
  const counted = read('manifest.json').repos;
  const moved = existsSync(join(data, 'fixes.json')) ? read('fixes.json').paths : {};
  const specs = read('repos.json').filter(
    ({ name, checkout = name }) => name in counted && existsSync(join(checkouts, checkout)),
  );
  return specs.map(({ name, language, checkout = name, ref, benchmark_root: root = '' }) => {
    const dir = join(checkouts, checkout);
    const targets = (list = []) => list.map((target) => toTarget(target, moved[name] ?? {}));
    const judged = read('annotations', `${name}.json`).map(({ query, category, relevant, secondary }) => ({
      repo: name,
      language,
      root,
      query,
      category: RENAMED[category] ?? category,
      present: targets(relevant).some(({ path }) => existsSync(join(dir, path))),
      targets: [...targets(relevant), ...targets(secondary)],
    }));
    return { name, language, root, dir, ref, queries: judged.filter(({ present }) => present) };
  });
}

function toTarget(target, moved) {
  const { path, start_line: start, end_line: end } = typeof target === 'string' ? { path: target } : target;
  return { path: moved[path] ?? path, start, end };
}

/** Is a path in the part of the repository that is judged? Other results are dropped, as if they had not been found. */
export const inRoot = (root, path) => root === '' || path.startsWith(`${root}/`);

/** A target is a file, known by the end of its path, or lines of it. */
export function matches(target, { path, startLine, endLine }) {
  const same = path === target.path || path.endsWith(`/${target.path}`) || target.path.endsWith(`/${path}`);
  if (!same || target.start === undefined || target.end === undefined) return same;
  return endLine >= target.start && startLine <= target.end;
}

/**
 * One query's measures. Every target counts the same, at its first result; further chunks of a file use up places and
 * add nothing.
 */
export function judge({ repo, language, category, query, root, targets }, results) {
  const kept = results.filter(({ path }) => inRoot(root, path)).slice(0, CUT);
  const places = targets.map((target) => kept.findIndex((result) => matches(target, result)) + 1);
  const found = places.filter((place) => place > 0);
  const characters = kept.reduce((sum, { content = '' }) => sum + content.length, 0);
  return {
    repo,
    language,
    category,
    query,
    places,
    top: kept.slice(0, 3).map(({ path }) => path),
    ndcg: sumOf([...new Set(found)].map(gain)) / idealGain(targets.length),
    reciprocal: found.length === 0 ? 0 : 1 / Math.min(...found),
    first: found.includes(1) ? 1 : 0,
    recall: found.length / targets.length,
    tokens: kept.length === 0 ? null : characters / 4,
  };
}

export const gain = (place) => 1 / Math.log2(place + 1);
export const idealGain = (targets) => sumOf(Array.from({ length: Math.min(CUT, targets) }, (_, i) => gain(i + 1)));
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);
export const mean = (values) => sumOf(values) / values.length;

/** What belongs to each repository. */
export function byRepo(rows) {
  const repos = new Map();
  for (const row of rows) repos.set(row.repo, [...(repos.get(row.repo) ?? []), row]);
  return repos;
}

/** NDCG and MRR (of the first target) are means over repositories of their queries' mean; the other measures are means over queries (tokens: with results). */
export function summarise(rows) {
  const repos = [...byRepo(rows).values()];
  const over = (measure) => mean(rows.map((row) => row[measure]).filter((value) => value !== null));
  return {
    queries: rows.length,
    ndcg: mean(repos.map((own) => mean(own.map(({ ndcg }) => ndcg)))),
    mrr: mean(repos.map((own) => mean(own.map(({ reciprocal }) => reciprocal)))),
    first: over('first'),
    recall: over('recall'),
    tokens: over('tokens'),
  };
}

/** Summaries of all rows, of each category, and of each language. */
export function summaries(rows) {
  const languages = [...new Set(rows.map(({ language }) => language))].sort();
  const named = (key, names) =>
    names.map((name) => [name, rows.filter((row) => row[key] === name)]).filter(([, own]) => own.length > 0);
  const groups = [['all', rows], ...named('category', CATEGORIES), ...named('language', languages)];
  return Object.fromEntries(groups.map(([name, own]) => [name, summarise(own)]));
}
