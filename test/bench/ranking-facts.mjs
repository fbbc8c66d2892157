// Makes judged queries that nobody judged: facts of a history say which files answer. `npm run bench -- ranking-facts --mirrors DIR
// --out DIR [--leave-out a,b]`, then `npm run bench -- ranking --data OUT/data --checkouts OUT/checkouts`. DIR holds clones, bare or
// not, as OWNER+NAME or OWNER+NAME/repo. Of each repository three kinds of queries are taken:
// commit: the subject of a commit; the files that it modified, searched in the tree before the newest 70 usable commits.
// doc: the first sentence of a comment; the file that it was taken out of.
// test: the title of a test; the file of the tested name, searched where that test's file is left out.
// The trees of the last two are the tree of `masked`: a merge, so that it changes nothing in the history of a file.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { maskedDoc, testTitles } from './ranking-facts-text.mjs';

const KEPT = { commit: 25, doc: 28, test: 12 };
/** Usable commits before whose oldest the tree is taken, and commits read to find them. */
const NEWEST = 70;
const READ = 3_000;
/** Fewer would say nothing about the repository. */
const FEWEST = 5;
const MOST_FILES = 8;
const MOST_TARGETS = 3;
const MOST_BYTES = 300_000;

const CODE = /\.(?:tsx?|jsx?|[mc]js|py|go|rs|java|kt|scala|c|h|cc|cpp|hpp|cs|rb|swift|exs?|php|sh|bash|zsh|bats)$/;
const OTHER =
  /(?:^|\/)(?:tests?|__tests__|spec|specs|e2e|fixtures?|examples?|docs?|docs_src|benchmarks?|playground|samples?|website)(?:\/|$)|[._-](?:test|spec)\.|_test\.|Tests?\.\w+$|Spec\.\w+$|(?:^|\/)test_/i;
const CHORE =
  /^(?:bump|merge|revert|release|version|chore|update (?:deps|dependenc|changelog|readme)|prepare|upgrade|fix typo|typo)/i;

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== 'ranking-facts'),
  options: { mirrors: { type: 'string' }, out: { type: 'string' }, 'leave-out': { type: 'string', default: '' } },
});

const git = (dir, ...args) =>
  execFileSync('git', ['-C', dir, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, GIT_AUTHOR_DATE: '@0 +0000', GIT_COMMITTER_DATE: '@0 +0000' },
  });

/** A fixed order that nothing of the text leans on. */
const shuffled = (all, key) => {
  const place = (each) => createHash('sha256').update(key(each)).digest('hex');
  return all
    .map((each) => [place(each), each])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
};

/** Subjects without `type(scope):` and numbers, with the modified files of product code. */
function usableCommits(source) {
  const log = git(
    source,
    'log',
    '--no-merges',
    `-n${READ}`,
    '--format=%x01%H%x02%s',
    '--name-status',
    '--no-renames',
    '-z',
    'HEAD',
  );
  return log
    .split('\x01')
    .slice(1)
    .flatMap((entry) => {
      const [head, ...rest] = entry.split('\0');
      const [commit, subject] = head.split('\x02');
      const fields = rest.map((field) => field.trim()).filter(Boolean);
      const files = fields.flatMap((field, i) => (i % 2 === 0 ? [[field, fields[i + 1]]] : []));
      const targets = files
        .filter(([state, path]) => state === 'M' && CODE.test(path) && !OTHER.test(path))
        .map(([, path]) => path);
      const query = subject
        .replace(/^\s*\w+(?:\([^)]*\))?!?:\s*/, '')
        .replace(/\(?#\d+\)?|https?:\S+/g, '')
        .trim();
      const words = query.split(/\s+/).filter((word) => /[a-z]{3}/i.test(word));
      const isUsable = targets.length > 0 && targets.length <= MOST_TARGETS && files.length <= MOST_FILES;
      return isUsable && words.length >= 4 && !CHORE.test(query) ? [{ commit, query, targets }] : [];
    });
}

/** The commit whose tree is searched, and the queries of those after it. */
function commitQueries(source, name) {
  const usable = usableCommits(source);
  const count = Math.min(NEWEST, usable.length >> 1);
  if (count < FEWEST) return { base: git(source, 'rev-parse', 'HEAD').trim(), queries: [] };
  const base = git(source, 'rev-parse', `${usable[count - 1].commit}^`).trim();
  const have = new Set(git(source, 'ls-tree', '-r', '--name-only', '-z', base).split('\0'));
  const after = usable.slice(0, count).filter(({ targets }) => targets.every((path) => have.has(path)));
  const drawn = shuffled(after, ({ commit }) => name + commit).slice(0, KEPT.commit);
  const queries = drawn.map(({ commit, query, targets }) => {
    const lines = Object.fromEntries(targets.map((path) => [path, changedLines(source, { base, commit, path })]));
    return { query, category: 'commit', relevant: targets, lines };
  });
  return { base, queries };
}

/** Hunks of a difference without context, as [old line, old count, new line, new count]. */
const hunksOf = (source, from, to, path) =>
  [
    ...git(source, 'diff', '-U0', '--no-renames', from, to, '--', path).matchAll(
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm,
    ),
  ].map(([, ...numbers]) => numbers.map((each, i) => (each === undefined && i % 2 === 1 ? 1 : Number(each))));

/** Spans of lines of a file at `base` that a later commit changed. */
function changedLines(source, { base, commit, path }) {
  const since = hunksOf(source, base, `${commit}^`, path);
  const atBase = (line) => {
    let moved = line;
    for (const [from, count, to, added] of since) {
      if (to + added <= line) moved += count - added;
      else if (to <= line) return from;
    }
    return moved;
  };
  return hunksOf(source, `${commit}^`, commit, path).map(([from, count]) => [
    atBase(from),
    atBase(from + Math.max(0, count - 1)),
  ]);
}

const readText = (path) => {
  const text = readFileSync(path, 'utf8');
  return text.length > MOST_BYTES || text.includes('\0') ? null : text;
};

/** Takes comments and tests out of the work tree, and commits what is left as the tree of `masked`. */
function maskedQueries(dir, name) {
  const files = git(dir, 'ls-files', '-z')
    .split('\0')
    .filter((path) => CODE.test(path) && existsSync(join(dir, path)));
  const product = files.filter((path) => !OTHER.test(path));
  const queries = [];
  for (const path of shuffled(product, (each) => name + each)) {
    if (queries.length === KEPT.doc) break;
    const text = readText(join(dir, path));
    const masked = text === null || text.length < 400 ? null : maskedDoc(text, extname(path).slice(1));
    if (masked === null) continue;
    writeFileSync(join(dir, path), masked.text);
    const lines = masked.line === null ? {} : { [path]: [[masked.line, masked.line]] };
    queries.push({ query: masked.sentence, category: 'doc', relevant: [path], lines });
  }
  queries.push(...testQueries(dir, name, { files, product }));
  git(dir, 'add', '-u');
  const tree = git(dir, 'write-tree').trim();
  const parents = ['HEAD', 'HEAD^'].flatMap((parent) => ['-p', parent]);
  const masked = git(
    dir,
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@example.invalid',
    'commit-tree',
    tree,
    ...parents,
    '-m',
    'masked',
  );
  git(dir, 'branch', '-f', 'masked', masked.trim());
  spawnSync('git', ['-C', dir, 'checkout', '-q', '-f', 'before'], { stdio: 'ignore' });
  return queries;
}

/** `test_cart.py`, `cart_test.go`, `CartTest.java` and `cart.spec.ts` test a file named cart. */
const testedName = (path) =>
  basename(path, extname(path))
    .replace(/^test_|[._-](?:test|tests|spec)$|Tests?$|Spec$/i, '')
    .toLowerCase();

function testQueries(dir, name, { files, product }) {
  const byName = new Map();
  for (const path of product) {
    const key = basename(path, extname(path)).toLowerCase();
    byName.set(key, [...(byName.get(key) ?? []), path]);
  }
  const queries = [];
  for (const path of shuffled(
    files.filter((each) => OTHER.test(each)),
    (each) => name + each,
  )) {
    if (queries.length === KEPT.test) break;
    const tested = byName.get(testedName(path)) ?? [];
    if (tested.length !== 1 || extname(tested[0]) !== extname(path)) continue;
    const titles = testTitles(readText(join(dir, path)) ?? '', extname(path).slice(1));
    const [title] = shuffled(titles, (each) => path + each);
    if (title === undefined) continue;
    rmSync(join(dir, path));
    queries.push({ query: title, category: 'test', relevant: tested });
  }
  return queries;
}

const languageOf = (files) => {
  const counts = new Map();
  for (const path of files) if (CODE.test(path)) counts.set(extname(path), (counts.get(extname(path)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0].slice(1) ?? 'text';
};

function makeOne(folder) {
  const inner = join(options.mirrors, folder, 'repo');
  const source = existsSync(inner) ? inner : join(options.mirrors, folder);
  const name = folder.split('+')[1];
  const dir = join(options.out, 'checkouts', name);
  const { base, queries } = commitQueries(source, name);
  rmSync(dir, { recursive: true, force: true });
  execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', source, dir], { stdio: 'ignore' });
  // Mirrors may lack large blobs: git writes the other files all the same.
  spawnSync('git', ['-C', dir, 'checkout', '-q', '-f', '-B', 'before', base], { stdio: 'ignore' });
  if (git(dir, 'rev-parse', 'HEAD').trim() !== base) throw new Error(`cannot check out ${base} of ${name}`);
  const text = maskedQueries(dir, name);
  const language = languageOf(git(dir, 'ls-files').split('\n'));
  const parts = [
    { name, language, checkout: name, ref: 'before', queries },
    { name: `${name} masked`, language, checkout: name, ref: 'masked', queries: text },
  ];
  const count = (category) => [...queries, ...text].filter((each) => each.category === category).length;
  console.log(
    `${name}: ${base.slice(0, 12)}, ${Object.keys(KEPT)
      .map((each) => `${count(each)} ${each}`)
      .join(', ')}`,
  );
  return parts.filter((part) => part.queries.length > 0);
}

if (!options.mirrors || !options.out) {
  console.error('usage: npm run bench -- ranking-facts --mirrors DIR --out DIR [--leave-out a,b]');
  process.exit(2);
}
const leftOut = new Set(options['leave-out'].split(','));
mkdirSync(join(options.out, 'checkouts'), { recursive: true });
mkdirSync(join(options.out, 'data', 'annotations'), { recursive: true });
const folders = readdirSync(options.mirrors).filter(
  (folder) => folder.includes('+') && !leftOut.has(folder.split('+')[1]),
);
const parts = folders.sort().flatMap(makeOne);
const write = (file, content) =>
  writeFileSync(join(options.out, 'data', file), `${JSON.stringify(content, null, 1)}\n`);
for (const { name, queries } of parts) write(join('annotations', `${name}.json`), queries);
write(
  'repos.json',
  parts.map(({ queries, ...repo }) => repo),
);
write('manifest.json', {
  repos: Object.fromEntries(parts.map(({ name, queries }) => [name, { queries: queries.length }])),
});
