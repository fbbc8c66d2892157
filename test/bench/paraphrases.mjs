// Asks the questions of paraphrases-questions.mjs and paraphrases-plain.mjs, and the titles of paraphrases-issues.mjs, and says how often a right place is
// first, in the first three, and in the first ten.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ISSUES } from './paraphrases-issues.mjs';
import { PLAIN } from './paraphrases-plain.mjs';
import { QUESTIONS } from './paraphrases-questions.mjs';

const KINDS = ['where', 'plain', 'fix', 'message', 'trace', 'issue'];
const TONGUES = ['de', 'es', 'fr', 'it', 'ja', 'ko', 'pt', 'ru', 'zh'];
/** What a user sees in place of a value. */
const VALUE = 'alpha7';

const git = (dir, ...args) => execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });

/** `src/a.ts:12-30` */
function placeOf(text) {
  const [, path, start, end = start] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text);
  return { path, start: Number(start), end: Number(end) };
}

/** The subject of a commit without numbers of issues, and the files that it changed. */
function fixOf(dir, revision, oid) {
  const subject = git(dir, 'show', '-s', '--format=%s', oid).trim();
  const question = subject
    .replace(/\(?#\d+\)?|,? ?GitHub issue.*|\(PR.*\)|[Ff]ix(?:es)? #\d+:?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const kept = new Set(git(dir, 'ls-tree', '-r', '--name-only', revision).split('\n'));
  const changed = git(dir, 'show', '--format=', '--name-only', oid).split('\n');
  const isCode = (path) =>
    kept.has(path) && /\.(?:rs|py|rb|cpp|c|java|kt|go|h|ts|js|vue|php)$/.test(path) && !/(?:^|\/)tests?\//.test(path);
  return { kind: 'fix', question, targets: changed.filter(isCode).map((path) => ({ path })) };
}

/** The longest text in quotes on a line, with values in place of what stands for them. */
function messageOf(dir, revision, text) {
  const { path, start } = placeOf(text);
  const line = git(dir, 'show', `${revision}:${path}`).split('\n')[start - 1];
  const [longest] = [...line.matchAll(/"((?:[^"\\]|\\.)+)"/g)]
    .map(([, own]) => own)
    .sort((a, b) => b.length - a.length);
  const question = longest.replace(/#?\$?\{[^}]*\}|\$\w+|%[-\d.]*[a-zT]|%\d|\\[nt"]/g, VALUE);
  return { kind: 'message', question, targets: [{ path, start, end: start }] };
}

function traceOf(text) {
  const [, path, line] = /([\w./-]+\.\w+)(?::|", line )(\d+)/.exec(text);
  const place = Number(line);
  return { kind: 'trace', question: text, targets: [{ path, start: place, end: place }] };
}

/** A question, and the same in other languages. */
function inAllTongues(kind, { question, at, ...others }) {
  const targets = [placeOf(at)];
  const twin = TONGUES.some((tongue) => tongue in others) ? { isTwin: true } : {};
  const further = Object.entries(others).map(([tongue, text]) => ({
    ...{ kind, question: text, targets, tongue, twin: question },
  }));
  return [{ kind, question, targets, ...twin }, ...further];
}

/** All questions of one repository. */
function questionsOf(dir, { repository, revision, where, fixes = [], messages = [], traces = [] }) {
  return [
    ...where.flatMap((one) => inAllTongues('where', one)),
    ...(PLAIN[repository] ?? []).flatMap((one) => inAllTongues('plain', one)),
    ...fixes.map((oid) => fixOf(dir, revision, oid)),
    ...messages.map((text) => messageOf(dir, revision, text)),
    ...traces.map(traceOf),
  ];
}

/** Traces have less of a path than the repository, or more. */
function isAt(target, { path, startLine, endLine }) {
  const isSame = path === target.path || path.endsWith(`/${target.path}`) || target.path.endsWith(`/${path}`);
  return isSame && (target.start === undefined || (endLine >= target.start && startLine <= target.end));
}

/** The place of the first right result, 0 if none of ten is. */
async function placeOfRight({ searcher, ref }, question, targets, options) {
  const { results } = await searcher.search({ query: question, limit: 10, ref, ...options });
  return results.findIndex((result) => targets.some((target) => isAt(target, result))) + 1;
}

/** Rows of the issues whose titles a person wrote down beside the clones, and how many titles are missing. */
async function askIssues(checkouts, { openSearcher, mode, half }) {
  const path = join(checkouts, 'titles.json');
  const titles = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const rows = [];
  let missing = 0;
  for (const { repository, language, issues } of ISSUES) {
    const dir = join(checkouts, basename(repository));
    if (!existsSync(dir)) continue;
    const { session, searcher } = await openSearcher(dir);
    for (const [number, [fix, ...files]] of Object.entries(issues)) {
      const own = Number(number) % 2 === 0 ? 'A' : 'B';
      if (half !== undefined && half !== own) continue;
      const question = titles[`${repository}#${number}`];
      if (question === undefined) missing++;
      if (question === undefined) continue;
      const ref = git(dir, 'rev-parse', `${fix}^`).trim();
      const targets = files.map((file) => ({ path: file }));
      const place = await placeOfRight({ searcher, ref }, question, targets, { mode });
      rows.push({ repository, language, half: own, kind: 'issue', number, question, place });
    }
    session.close();
  }
  return { rows, missing };
}

/**
 * Rows: {repository, half, kind, tongue, question, place (0: not in the first ten)}, and the number of issues without a title. `openCheckout`
 * and `openSearcher`: of ranking-search.mjs.
 */
export async function askParaphrases(checkouts, { openCheckout, openSearcher, mode = 'hybrid', half }) {
  const { rows, missing } = await askIssues(checkouts, { openSearcher, mode, half });
  for (const one of QUESTIONS) {
    const dir = join(checkouts, basename(one.repository));
    if (!existsSync(dir) || (half !== undefined && half !== one.half)) continue;
    const checkout = await openCheckout({ dir, root: '', ref: one.revision });
    for (const { question, targets, ...row } of questionsOf(dir, one)) {
      const noHistory = row.kind === 'fix';
      const place = await placeOfRight(checkout, question, targets, { mode, noHistory });
      rows.push({ repository: one.repository, language: one.language, half: one.half, ...row, question, place });
    }
    checkout.session.close();
  }
  return { rows, missing };
}

const within = (rows, most) => rows.filter(({ place }) => place > 0 && place <= most).length;

/** `12 / 20 / 25 of 32, MRR .512` */
function figures(rows) {
  const mrr = rows.reduce((sum, { place }) => sum + (place > 0 ? 1 / place : 0), 0) / rows.length;
  return `${within(rows, 1)} / ${within(rows, 3)} / ${within(rows, 10)} of ${rows.length}, MRR ${mrr.toFixed(3)}`;
}

const titleOf = ({ kind, language }) => (kind === 'issue' ? `issues, ${language}` : language);

/** A table by kind, half, language of code, and language of the question beside its English twins. */
export function paraphrasesText({ rows, missing }) {
  const own = rows.filter(({ tongue }) => tongue === undefined);
  const lines = ['Questions in other words: first / in 3 / in 10'];
  if (missing > 0) lines.push(`${missing} issues were not asked: titles.json has no title of them`);
  for (const kind of KINDS)
    for (const half of ['A', 'B']) {
      const some = own.filter((row) => row.kind === kind && row.half === half);
      if (some.length > 0) lines.push(`${kind.padEnd(8)} ${half}  ${figures(some)}`);
    }
  for (const title of [...new Set(own.map(titleOf))].sort())
    lines.push(`${title.padEnd(18)} ${figures(own.filter((row) => titleOf(row) === title))}`);
  const twins = new Map(own.map((row) => [row.question, row]));
  const foreign = rows.filter(({ tongue }) => tongue !== undefined);
  for (const kind of ['where', 'plain'])
    for (const half of ['A', 'B']) {
      const some = foreign.filter((row) => row.half === half && row.kind === kind);
      if (some.length === 0) continue;
      const english = some.map(({ twin }) => twins.get(twin));
      lines.push(`in other languages, ${kind} ${half}: ${figures(some)}; their English twins ${figures(english)}`);
    }
  for (const tongue of TONGUES) {
    const some = foreign.filter((row) => row.tongue === tongue);
    if (some.length > 0)
      lines.push(`  ${tongue} ${figures(some)}; twins ${figures(some.map(({ twin }) => twins.get(twin)))}`);
  }
  return lines.join('\n');
}
