// Which chunk of the right file is shown: `npm run bench -- ranking-lines --data DIR --checkouts DIR [--modes hybrid,lexical] [--only NAME,…]`. Facts of
// histories (ranking-facts.mjs) tell which lines of a file are meant: the definition that a comment is about, and the lines that a commit changed. Of the
// files among the first ten results, prints the share whose first result holds such a line, any of the ten, any of them or of the parts that they
// name (`also`), and any of a hundred results.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CUT, loadJudged, mean } from './ranking-judged.mjs';
import { openCheckout, search } from './ranking-search.mjs';

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== 'ranking-lines'),
  options: {
    data: { type: 'string' },
    checkouts: { type: 'string' },
    modes: { type: 'string', default: 'hybrid' },
    only: { type: 'string' },
  },
});

/** Rows of the files of one repository whose meant lines are known. */
async function measure(repo, mode) {
  const checkout = await openCheckout(repo);
  const facts = JSON.parse(readFileSync(join(options.data, 'annotations', `${repo.name}.json`), 'utf8'));
  const rows = [];
  for (const { query, category, lines = {} } of facts) {
    const known = Object.entries(lines).filter(([, spans]) => spans.length > 0);
    if (known.length === 0) continue;
    const results = await search(checkout, query, mode, CUT);
    const all = await search(checkout, query, mode);
    for (const [path, spans] of known) {
      const of = (list) => list.filter((result) => result.path === path);
      const [first] = of(results);
      if (first === undefined) continue;
      const holds = ({ startLine, endLine }) => spans.some(([from, to]) => startLine <= to && endLine >= from);
      const score = (chunks) => (chunks.some(holds) ? 1 : 0);
      const ten = of(results).flatMap((result) => [result, ...(result.also ?? [])]);
      rows.push({
        ...{ category, shown: score([first]), ten: score(of(results)) },
        ...{ named: score(ten), any: score(of(all)) },
      });
    }
  }
  checkout.session.close();
  return rows;
}

if (!options.data || !options.checkouts) {
  console.error(
    'usage: npm run bench -- ranking-lines --data DIR --checkouts DIR [--modes hybrid,lexical] [--only NAME,…]',
  );
  process.exit(2);
}
const only = options.only?.split(',');
const repos = loadJudged(options.data, options.checkouts).filter(({ name }) => only?.includes(name) ?? true);
for (const mode of options.modes.split(',')) {
  const rows = [];
  for (const repo of repos) rows.push(...(await measure(repo, mode)));
  const share = (own, key) => mean(own.map((row) => row[key])).toFixed(3);
  for (const name of ['all', ...new Set(rows.map(({ category }) => category))]) {
    const own = name === 'all' ? rows : rows.filter(({ category }) => category === name);
    console.log(
      `${mode} ${name}: ${own.length} files, first result ${share(own, 'shown')}, all of ten ${share(own, 'ten')}, with the parts that they name ${share(own, 'named')}, all of a hundred ${share(own, 'any')}`,
    );
  }
}
