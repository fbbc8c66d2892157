// Questions whose answers were read in the code before the program was asked: `npm run bench -- quiz --checkouts DIR
// [--half A|B|C|D|E] [--repository NAME] [--wrong] [--json FILE]`. DIR has a clone of each repository of quiz/, by its name, with the
// commit of the question and its tags. Facts of a question, of which each must hold: `uses` and `not` (lines that are uses, and
// that are none), `risk`, `affects` and `tests` (files that run it), `dead` (no, yes, tests), `at` (where a program begins),
// `route`, `event` (of a history) and `change` (between two refs). quiz-score.mjs says what an answer is worth.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { placesOf, score } from './quiz-score.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const QUESTIONS = new URL('quiz/', import.meta.url);
const MORE = {
  'graph references': ['-n', '5000'],
  'graph impact': ['-n', '5000'],
  'graph flow': ['-n', '5000'],
  history: ['--events'],
  diff: ['-n', '100000'],
};

const git = (directory, ...args) =>
  execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });

/** All repositories: of each file, halves take turns in the order of a hash of the name, where the file names none. */
export async function repositories() {
  const all = [];
  for (const file of readdirSync(QUESTIONS).sort()) {
    const { default: list } = await import(new URL(file, QUESTIONS));
    const hash = ({ repository }) => createHash('sha1').update(repository).digest('hex');
    const inOrder = [...list].sort((a, b) => (hash(a) < hash(b) ? -1 : 1));
    all.push(...inOrder.map((one, i) => ({ half: i % 2 === 0 ? 'A' : 'B', ...one })));
  }
  return all;
}

/** Lines of the facts that do not have the name which is asked for: mistakes of a question. */
function mistakes(directory, { ask, uses = [], not = [] }) {
  const name = /[\w$]+[?!]?$/.exec(ask.split(' ')[2])?.[0];
  return placesOf([...uses, ...not]).filter(({ path, line }) => {
    const text = git(directory, 'show', `HEAD:${path}`).split('\n')[line - 1] ?? '';
    return !text.includes(name);
  });
}

function answerTo(directory, ask) {
  const more = Object.entries(MORE).find(([command]) => ask.startsWith(command))?.[1] ?? [];
  const run = spawnSync(process.execPath, [CLI, ...ask.split(' '), ...more, '--json'], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  try {
    return JSON.parse(run.stdout);
  } catch {
    throw new Error(`${ask}: ${run.stderr}`);
  }
}

function askAll(directory, { questions, ...about }) {
  git(directory, 'checkout', '--quiet', '--detach', about.revision);
  execFileSync(process.execPath, [CLI, 'index'], { cwd: directory, stdio: 'ignore' });
  const answers = new Map();
  return questions.map((question) => {
    const { ask, kind, hard } = question;
    if (!answers.has(ask)) answers.set(ask, answerTo(directory, ask));
    const wrong = mistakes(directory, question);
    if (wrong.length > 0) throw new Error(`${about.repository}, ${ask}: no such name at ${JSON.stringify(wrong)}`);
    const { repository, language, half } = about;
    return { repository, language, half, kind, hard, ask, ...score(question, answers.get(ask)) };
  });
}

function table(rows, key) {
  const of = (list, verdict) => list.filter((row) => row.verdict === verdict).length;
  const names = [...new Set(rows.map((row) => row[key] ?? 'none'))].sort();
  const line = (name, list) => ({
    [key]: name,
    questions: list.length,
    right: of(list, 'right'),
    silent: of(list, 'silent'),
    'falsely sure': of(list, 'sure'),
    'share right': (of(list, 'right') / list.length).toFixed(2),
  });
  return [
    ...names.map((name) =>
      line(
        name,
        rows.filter((row) => (row[key] ?? 'none') === name),
      ),
    ),
    line('all', rows),
  ];
}

async function main() {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      checkouts: { type: 'string' },
      half: { type: 'string' },
      repository: { type: 'string' },
      json: { type: 'string' },
      wrong: { type: 'boolean', default: false },
    },
  });
  if (values.checkouts === undefined) throw new Error('--checkouts DIR: a folder with a clone of each repository');
  const rows = [];
  for (const one of await repositories()) {
    const name = basename(one.repository);
    if ((values.half ?? one.half) !== one.half || (values.repository ?? name) !== name) continue;
    const from = join(values.checkouts, name);
    if (!existsSync(from)) {
      console.log(`not here: ${one.repository}`);
      continue;
    }
    const work = mkdtempSync(join(tmpdir(), 'quiz-'));
    try {
      execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', from, work]);
      rows.push(...askAll(work, one));
      console.error(`${one.repository}: ${one.questions.length} questions`);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  for (const key of ['half', 'language', 'kind']) console.table(table(rows, key));
  if (values.wrong)
    for (const row of rows.filter(({ verdict }) => verdict !== 'right'))
      console.log(`${row.verdict} ${row.repository}: ${row.ask}\n    ${row.why.slice(0, 4).join('\n    ')}`);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, null, 1));
}

if (process.argv[2] === 'quiz') await main();
