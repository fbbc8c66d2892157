// Compares `grep` with `git grep`: `npm run bench -- grep DIR… [--patterns N]`. For each repository it draws patterns by a seed from the
// text of HEAD (exact strings, whole words, expressions), asks both for every line, and prints how often they agree, and the ratio of
// processor time and of elapsed time: of a session that stays open, as a server has it, and of new processes for a few. Files that
// only one side searches by its rules count for neither, and are counted: secrets, which `grep` leaves out, and files that
// .gitattributes marks as binary, which `git grep -I` leaves out whatever they hold.
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSelector } from '../../dist/config/select.js';
import { isSecret as isSecretText } from '../../dist/extract/content.js';
import { compilePattern } from '../../dist/search/grep/required-texts.js';
import { grep } from '../../dist/session/grep/grep.js';
import { Session } from '../../dist/session/session.js';
import { randomOf } from './random.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const COLD_RUNS = 5;
const MAX_OUTPUT = 1 << 30;

const escapeText = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Lines of text of some files, ASCII alone: beyond it, git's answer depends on the locale. */
function someLines(git, random) {
  // By their ids: a path that was read as latin1 is another one as an argument.
  const blobs = git('ls-tree', '-r', 'HEAD').match(/(?<= blob )[0-9a-f]+/g) ?? [];
  const lines = [];
  for (let tries = 0; lines.length < 4_000 && tries < 200; tries++) {
    const text = git('cat-file', 'blob', blobs[Math.floor(random() * blobs.length)]);
    if (!text.includes('\0')) lines.push(...text.split('\n').filter((line) => /^[\t\x20-\x7e]{4,200}$/.test(line)));
  }
  return lines;
}

/** Paths, as latin1, that only one of the two searches: secrets by name or content, and files with the attribute `-diff`. */
function unsharedFiles(dir) {
  const git = (args, input) => execFileSync('git', ['-C', dir, ...args], { input, maxBuffer: MAX_OUTPUT });
  const paths = git(['ls-tree', '-r', '-z', '--name-only', 'HEAD']).toString('latin1').split('\0').filter(Boolean);
  const select = createSelector({ include: [], exclude: [] });
  const isSecret = (path) =>
    select(Buffer.from(path, 'latin1').toString()) === 'secret' ||
    isSecretText(readFileSync(Buffer.from(`${dir}/${path}`, 'latin1')));
  const isFile = (path) => lstatSync(Buffer.from(`${dir}/${path}`, 'latin1')).isFile();
  const secret = paths.filter((path) => isFile(path) && isSecret(path));
  const names = Buffer.from(paths.join('\0'), 'latin1');
  const fields = git(['check-attr', '-z', '--stdin', 'diff'], names).toString('latin1').split('\0');
  const marked = paths.filter((_, i) => fields[3 * i + 2] === 'unset');
  return { secret, marked, all: new Set([...secret, ...marked]) };
}

/** One pattern from a line: an exact part of it, a whole word, or an expression that matches a part of it. */
function drawPattern(lines, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const line = pick(lines);
  const words = line.match(/[A-Za-z_]\w{2,}/g) ?? ['total'];
  const [word, other] = [pick(words), pick(words)];
  const half = word.slice(0, Math.max(2, word.length >> 1));
  const from = line.indexOf(word, Math.floor(random() * line.length) - word.length);
  return pick([
    {
      pattern: line.slice(Math.max(0, from), Math.max(0, from) + word.length + Math.floor(random() * 16)),
      fixed: true,
    },
    { pattern: word, fixed: true },
    { pattern: word, fixed: true, words: true },
    { pattern: word, fixed: true, ignoreCase: true },
    { pattern: `${escapeText(half)}[A-Za-z]+` },
    { pattern: `${escapeText(word)}|${escapeText(other)}` },
    { pattern: `${escapeText(half)}.*${escapeText(other)}` },
    { pattern: `^[[:space:]]*${escapeText(word)}` },
    { pattern: `[A-Z]${escapeText(word.slice(1))}\\(` },
    { pattern: `${escapeText(word)} ?[=(]` },
  ]);
}

function gitLines(dir, { pattern, fixed, words, ignoreCase }) {
  const args = ['-c', 'core.quotePath=false', '-C', dir, 'grep', '-n', '-z', '-I', fixed ? '-F' : '-E'];
  if (words) args.push('-w');
  if (ignoreCase) args.push('-i');
  const from = performance.now();
  const { stdout } = spawnSync('git', [...args, '-e', pattern, 'HEAD'], { maxBuffer: MAX_OUTPUT });
  const wall = performance.now() - from;
  const rows = stdout.toString('latin1').split('\n');
  const places = rows.map((row) => row.split('\0')).filter(([, line]) => /^\d+$/.test(line ?? ''));
  return { places: new Set(places.map(([path, line]) => `${path.slice('HEAD:'.length)}:${line}`)), wall };
}

/** Processor time of one command in ms, measured by the shell. */
function cpuOf(command, args, cwd) {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>/dev/null';
  const { stderr } = spawnSync('bash', ['-c', script, 'bash', command, ...args], { cwd });
  const [user, system] = stderr.toString().trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1_000;
}

const optionsOf = ({ fixed, words, ignoreCase }) => [
  ...(words ? ['-w'] : []),
  ...(ignoreCase ? ['-i'] : []),
  ...(fixed ? ['-F'] : []),
];

async function compare(source, count) {
  const temporary = mkdtempSync(join(tmpdir(), 'socraticode-grep-'));
  const dir = join(temporary, 'clone');
  execFileSync('git', ['clone', '-q', source, dir], { stdio: 'ignore' });
  const git = (...args) => execFileSync('git', ['-C', dir, ...args], { encoding: 'latin1', maxBuffer: MAX_OUTPUT });
  const session = await Session.open({ directory: dir });
  try {
    const random = randomOf(1);
    const lines = someLines(git, random);
    const patterns = Array.from({ length: count }, () => drawPattern(lines, random));
    const unshared = unsharedFiles(dir);
    const result = await compareAll({ session, dir, unshared: unshared.all }, patterns);
    return { ...result, ...coldTimes(dir, patterns), unshared };
  } finally {
    session.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function compareAll({ session, dir, unshared }, patterns) {
  const result = {
    patterns: patterns.length,
    agree: 0,
    hits: 0,
    first: 0,
    warmCpu: 0,
    warmWall: 0,
    gitCpu: 0,
    gitWall: 0,
  };
  const differences = [];
  for (const [i, options] of patterns.entries()) {
    const found = gitLines(dir, options);
    result.gitWall += found.wall;
    const gitArgs = [
      'grep',
      '-n',
      '-I',
      ...optionsOf(options),
      ...(options.fixed ? [] : ['-E']),
      '-e',
      options.pattern,
      'HEAD',
    ];
    result.gitCpu += cpuOf('git', gitArgs, dir);
    const from = performance.now();
    const before = process.cpuUsage();
    const ours = await grep(session, compilePattern(options), { ref: 'HEAD', limit: 1e9 });
    const { user, system } = process.cpuUsage(before);
    if (i === 0) result.first = (user + system) / 1_000;
    else {
      result.warmCpu += (user + system) / 1_000;
      result.warmWall += performance.now() - from;
    }
    const isShared = (place) => !unshared.has(place.slice(0, place.lastIndexOf(':')));
    const places = ours.matches
      .flatMap(({ file, hits }) => hits.map(({ line }) => `${Buffer.from(file.path).toString('latin1')}:${line}`))
      .filter(isShared);
    found.places = new Set([...found.places].filter(isShared));
    result.hits += found.places.size;
    const isEqual = places.length === found.places.size && places.every((place) => found.places.has(place));
    if (isEqual) result.agree++;
    else {
      const own = new Set(places);
      const missing = [...found.places].filter((place) => !own.has(place));
      const more = places.filter((place) => !found.places.has(place));
      differences.push({ ...options, missing: missing.slice(0, 3), more: more.slice(0, 3) });
    }
  }
  return { ...result, differences };
}

/** Medians of new processes, both about HEAD. */
function coldTimes(dir, patterns) {
  const some = patterns.slice(1, 1 + COLD_RUNS);
  const own = ({ pattern, ...options }) => [
    CLI,
    'grep',
    '--ref',
    'HEAD',
    '--count',
    ...optionsOf(options),
    '--',
    pattern,
  ];
  const theirs = ({ pattern, ...options }) => [
    'grep',
    '-n',
    '-I',
    ...optionsOf(options),
    ...(options.fixed ? [] : ['-E']),
    '-e',
    pattern,
    'HEAD',
  ];
  return {
    cold: median(some.map((options) => cpuOf(process.execPath, own(options), dir))),
    coldGit: median(some.map((options) => cpuOf('git', theirs(options), dir))),
  };
}

async function main(args) {
  const at = args.indexOf('--patterns');
  const count = at < 0 ? 200 : Number(args[at + 1]);
  const sources = args.filter((arg, i) => !arg.startsWith('--') && (at < 0 || i !== at + 1));
  console.log(
    'repository | agree | hits | git CPU | ours CPU, open | git/ours | wall git/ours | first, reads all | new process CPU, git | not compared: secret, marked binary',
  );
  const total = { patterns: 0, agree: 0 };
  for (const source of sources.length > 0 ? sources : ['.']) {
    const r = await compare(resolve(source), count);
    total.patterns += r.patterns;
    total.agree += r.agree;
    const path = resolve(source);
    const name = basename(path) === 'repo' ? basename(dirname(path)) : basename(path);
    const each = (sum) => `${(sum / r.patterns).toFixed(1)} ms`;
    const ratios = [(r.gitCpu / r.warmCpu).toFixed(1), (r.gitWall / r.warmWall).toFixed(1)];
    const cells = [
      name,
      `${r.agree}/${r.patterns}`,
      r.hits,
      each(r.gitCpu),
      each(r.warmCpu),
      ...ratios,
      `${r.first.toFixed(0)} ms`,
      `${r.cold.toFixed(0)} ms, ${r.coldGit.toFixed(0)} ms`,
      `${r.unshared.secret.length}, ${r.unshared.marked.length}`,
    ];
    console.log(cells.join(' | '));
    for (const difference of r.differences) console.log(`  differs: ${JSON.stringify(difference)}`);
  }
  console.log(`agreement: ${total.agree} of ${total.patterns}`);
}

await main(process.argv.slice(3));
