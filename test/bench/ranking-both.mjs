// Both judges with one command: `npm run bench -- ranking-both --judged DIR --mirrors DIR --work DIR [--against FILE]`. Makes what is missing under
// WORK: checkouts of the judged repositories at their revisions (`repos.json` of DIR), facts of the mirrors' histories, an index of each. All of it is
// kept, so a further run only searches. Answers go to WORK/answers-N.json; --against compares with those of an earlier build, query by query.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { byRepo, mean } from './ranking-judged.mjs';

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== 'ranking-both'),
  options: {
    judged: { type: 'string' },
    mirrors: { type: 'string' },
    work: { type: 'string' },
    against: { type: 'string' },
    modes: { type: 'string', default: 'lexical,hybrid' },
  },
});
const { judged, mirrors, work } = options;
if (!judged || !mirrors || !work) {
  console.error('usage: npm run bench -- ranking-both --judged DIR --mirrors DIR --work DIR [--against FILE]');
  process.exit(2);
}

/** A clone of a mirror, at a revision that it has. */
function checkOut({ name, url, revision }) {
  const dir = join(work, 'first', name);
  const folder = join(
    mirrors,
    new URL(url).pathname
      .slice(1)
      .replace(/\.git$/, '')
      .replace('/', '+'),
  );
  const source = existsSync(join(folder, 'repo')) ? join(folder, 'repo') : folder;
  if (existsSync(dir) || !existsSync(source)) return;
  if (spawnSync('git', ['-C', source, 'cat-file', '-e', `${revision}^{commit}`]).status !== 0) return;
  execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', source, dir]);
  // Mirrors may lack large blobs: git writes the other files all the same.
  spawnSync('git', ['-C', dir, 'checkout', '-q', '-f', '-B', 'judged', revision], { stdio: 'ignore' });
}

/** Rows by mode of one judge. */
function ask(data, checkouts) {
  const bench = new URL('ranking.mjs', import.meta.url).pathname;
  const args = [bench, '--data', data, '--checkouts', checkouts, '--modes', options.modes, '--json'];
  return JSON.parse(
    execFileSync(process.execPath, args, {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  ).rows;
}

const ndcg = (rows) => mean([...byRepo(rows).values()].map((own) => mean(own.map((row) => row.ndcg))));
const over = (rows, measure) => mean(rows.map((row) => row[measure]));

/** Rows by repository and query; a title that two tests have is two queries. */
function named(rows) {
  const names = new Map();
  for (const row of rows) {
    const name = `${row.repo} ${row.query}`;
    names.set(names.has(name) ? `${name} ${names.size}` : name, row);
  }
  return names;
}

function printed(judge, mode, rows, before) {
  const known = named(before ?? []);
  const change = [...named(rows)].flatMap(([name, row]) => (known.has(name) ? [row.ndcg - known.get(name).ndcg] : []));
  const categories = [...new Set(rows.map(({ category }) => category))].map((name) => {
    const own = rows.filter(({ category }) => category === name);
    return `${name} ${ndcg(own).toFixed(3)} (MRR ${over(own, 'reciprocal').toFixed(3)})`;
  });
  const against = before
    ? `; ${change.filter((x) => x > 0).length} gain, ${change.filter((x) => x < 0).length} lose, ${mean(change).toFixed(4)} a query`
    : '';
  console.log(
    `${judge} ${mode}: ${rows.length} queries, NDCG@10 ${ndcg(rows).toFixed(3)}, first is right ${over(rows, 'first').toFixed(3)}, ${categories.join(', ')}${against}`,
  );
}

mkdirSync(join(work, 'first'), { recursive: true });
for (const repo of JSON.parse(readFileSync(join(judged, 'repos.json'), 'utf8'))) checkOut(repo);
const facts = join(work, 'second');
if (!existsSync(join(facts, 'data', 'manifest.json'))) {
  const names = JSON.parse(readFileSync(join(judged, 'repos.json'), 'utf8')).map(({ url }) =>
    new URL(url).pathname.split('/')[2].replace(/\.git$/, ''),
  );
  const bench = new URL('ranking-facts.mjs', import.meta.url).pathname;
  const args = [bench, '--mirrors', mirrors, '--out', facts, '--leave-out', names.join(',')];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
}
const answers = {
  first: ask(judged, join(work, 'first')),
  second: ask(join(facts, 'data'), join(facts, 'checkouts')),
};
const before = options.against ? JSON.parse(readFileSync(options.against, 'utf8')) : {};
for (const [judge, modes] of Object.entries(answers))
  for (const [mode, rows] of Object.entries(modes)) printed(judge, mode, rows, before[judge]?.[mode]);
const file = join(work, `answers-${readdirSync(work).filter((name) => name.startsWith('answers-')).length + 1}.json`);
writeFileSync(file, JSON.stringify(answers));
console.log(file);
