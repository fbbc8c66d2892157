/** Generates the tables of `model/README.md` from `corpus.json` and `metrics.json`, so that they are always current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { KINDS, SPLITS } from './dataset/format.js';
import type { Package } from './fetch/corpus.js';
import type { Metrics, Score } from './measure/metrics.js';
import { REASONS } from './recipe.js';

export interface Facts {
  corpus: readonly Package[];
  metrics: Metrics;
}

/** Share of all pairs below which a language is listed under "others". */
const SMALLEST_SHARE = 0.004;

export function updateReadme(path: string, facts: Facts): void {
  writeFileSync(path, withTables(readFileSync(path, 'utf8'), facts));
}

/** Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->` for each table. */
export function withTables(text: string, facts: Facts): string {
  return Object.entries(TABLES).reduce((before, [name, make]) => {
    const block = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!block.test(before)) throw new Error(`model/README.md has no place for the table ${name}`);
    return before.replace(block, (_, start, end) => `${start}\n${make(facts)}\n\n${end}`);
  }, text);
}

const TABLES: Readonly<Record<string, (facts: Facts) => string>> = {
  model: modelTable,
  licences: licenceTable,
  languages: languageTable,
  pairs: pairTable,
  recipe: recipeTable,
  scores: scoreTable,
};

function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

function modelTable({ metrics: { model, run, corpus } }: Facts): string {
  const pairs = Object.values(corpus.pairs.train).reduce((a, b) => a + b, 0);
  return table(
    ['', ''],
    [
      ['version', `\`${model.version}\``],
      ['sha256', `\`${model.sha256}\``],
      ['size', `${model.bytes.toLocaleString('en')} bytes`],
      ['words x dimensions', `${model.words.toLocaleString('en')} x ${model.dimensions}`],
      ['trained on', `${pairs.toLocaleString('en')} pairs of ${corpus.packages} packages`],
      ['seed', run.training.seed],
      ['training time', `${run.seconds} s in ${run.training.lanes} threads`],
      ['mean loss by epoch', run.losses.map((loss) => loss.toFixed(3)).join(', ')],
    ],
  );
}

/** Values with their counts, most frequent first. */
function counted(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function licenceTable({ corpus }: Facts): string {
  return table(['licence', 'packages'], counted(corpus.map(({ licence }) => licence)));
}

function languageTable({ corpus, metrics }: Facts): string {
  const packages = new Map(counted(corpus.flatMap(({ languages }) => languages)));
  const shares = Object.entries(metrics.corpus.languages);
  const named = shares.filter(([, share]) => share >= SMALLEST_SHARE);
  const others = shares.slice(named.length);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const rest = others.reduce((sum, [, share]) => sum + share, 0);
  return table(
    ['language', 'packages', 'share of the pairs'],
    [
      ...named.map(([id, share]) => [id, packages.get(id) ?? 0, percent(share)]),
      ...(others.length > 0 ? [[`${others.length} others`, '', percent(rest)]] : []),
    ],
  );
}

function pairTable({ metrics: { corpus } }: Facts): string {
  const count = (n = 0) => n.toLocaleString('en');
  const sum = (counts: object) => Object.values(counts).reduce((a: number, b: number) => a + b, 0);
  const rows = KINDS.map((kind) => [kind, ...SPLITS.map((split) => count(corpus.pairs[split][kind]))]);
  const total = ['all', ...SPLITS.map((split) => count(sum(corpus.pairs[split])))];
  return table(['kind', 'training', 'held-out files', 'held-out packages'], [...rows, total]);
}

function recipeTable({ metrics: { run } }: Facts): string {
  const { kinds, ...numbers } = run.training;
  const shares = Object.entries(kinds).map(([kind, share]) => `${kind} ${share}`);
  const settings = Object.entries({ ...run.vocabulary, ...numbers, kinds: shares.join(', ') });
  const lines = settings.map(([name, value]) => `| ${name} | ${value} | ${REASONS[name as keyof typeof REASONS]} |`);
  return ['| setting | value | why |', '| --- | ---: | --- |', ...lines].join('\n');
}

function scoreTable({ metrics: { scores } }: Facts): string {
  const cells = (score?: Score) =>
    score === undefined
      ? ['', '', '', '']
      : [...[score.model, score.bm25, score.both].map((mrr) => mrr.toFixed(3)), score.candidates];
  const rows = KINDS.map((kind) => [kind, ...cells(scores.file[kind]), ...cells(scores.package[kind])]);
  const columns = ['model', 'BM25', 'both', 'of'];
  return table(['kind', ...columns.map((one) => `files: ${one}`), ...columns.map((one) => `packages: ${one}`)], rows);
}
