// The benchmark's figures as text.

/** Of the first column: three names of repositories. */
const WIDTH = 30;
const figure = (x) => x.toFixed(3);
const MEASURES = ['ndcg', 'mrr', 'first', 'recall', 'tokens'];
const HEADS = ['NDCG@10', 'MRR@10', 'first', 'rec@10', 'tokens'];
const cells = (summary) =>
  MEASURES.map((measure) =>
    measure === 'tokens' ? Math.round(summary[measure]).toString() : figure(summary[measure]),
  );
const row = (label, queries, groups) =>
  [
    label.padEnd(WIDTH),
    String(queries).padStart(5),
    ...groups.map((group) => group.map((cell) => cell.padStart(7)).join(' ')),
  ].join('  ');

/** One line per group of queries, five figures per mode. */
export function modesTable(modes) {
  const names = Object.keys(modes);
  const groups = Object.keys(modes[names[0]]);
  return [
    row(
      '',
      '',
      names.map((name) => [name.padEnd(39)]),
    ),
    row(
      'queries',
      'n',
      names.map(() => HEADS),
    ),
    ...groups.map((group) =>
      row(
        group,
        modes[names[0]][group].queries,
        names.map((name) => cells(modes[name][group])),
      ),
    ),
  ].join('\n');
}

/** One line per way of searching: all queries, then NDCG by category. */
export function plainTable(plain, all) {
  const categories = all.filter((category) => category in Object.values(plain)[0]);
  const lines = Object.entries(plain).map(([name, groups]) =>
    row(name, groups.all.queries, [cells(groups.all), categories.map((category) => figure(groups[category].ndcg))]),
  );
  const short = categories.map((category) => category.slice(0, 7));
  return [row('vectors without ranking', 'n', [HEADS, short]), ...lines].join('\n');
}

/** What fitting gains on the repositories it saw and on those it did not. */
export function foldsTable({ name, folds }, total) {
  const columns = ({ seen, unseen }) => [
    [seen.start, seen.fitted].map(figure),
    [unseen.start, unseen.fitted, unseen.fitted - unseen.start].map(figure),
  ];
  return [
    `from ${name}: mean NDCG@10 of hybrid mode, start and fitted`,
    row('', '', [['fitted on'.padEnd(15)], ['held out']]),
    row('held out', 'moved', [
      ['start', 'fitted'],
      ['start', 'fitted', 'gain'],
    ]),
    ...folds.map((fold) => row(fold.heldOut.join(' ').slice(0, WIDTH), fold.moved, columns(fold))),
    row('all', '', columns(total)),
  ].join('\n');
}

export function missesTable(rows, count) {
  const lowest = [...rows].sort((a, b) => a.ndcg - b.ndcg).slice(0, count);
  return lowest
    .map(
      ({ ndcg, repo, category, query, places, top }) =>
        `${figure(ndcg)}  ${repo} [${category}] ${query}\n       targets at ${places.map((place) => place || '-').join(', ')}; first: ${top.join(', ')}`,
    )
    .join('\n');
}
