/**
 * Answers `fixed`: compares the files that a fix changes with those of every branch and tag, by content. Files that moved are found by lines
 * of the fix. Only where the content shows nothing, a commit that says it takes the fix over decides.
 */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { addTo } from '../../base/lists.js';
import { groupDigits, shortOid } from '../../base/printable.js';
import { qualifiedName } from '../../extract/collect-drafts.js';
import { listBranches, listTags } from '../../git/branches.js';
import { readCommit } from '../../git/commits.js';
import { diffTrees, EMPTY_TREES } from '../../git/diff.js';
import { type Git, NOTHING_THERE } from '../../git/process.js';
import { cut } from '../../graph/query/node-place.js';
import {
  comparableLines,
  copiesIn,
  copyLines,
  type Fix,
  fixOf,
  type HunkFound,
  hunksIn,
  isTelling,
  joinStates,
  MAX_SEARCHED_LENGTH,
  MIN_COPIED,
  searchedLines,
  wordsOf,
} from '../../history/fix-state.js';
import { isFile } from '../../history/trace.js';
import { languageOf } from '../../languages/registry.js';
import { pathMatcher } from '../../search/filter.js';
import { classByName } from '../../search/path-classes.js';
import { BlobFactsSource } from '../../session/blob-facts.js';
import type { Session } from '../../session/session.js';
import { askLinked } from '../../session/siblings/ask.js';
import { parseRange } from '../../session/snapshot/target.js';
import { type Asker, openLinks } from '../asker.js';
import { askFleet, loadFleet } from '../fleet/package.js';
import { formatCount, linkedLines } from '../format.js';
import type { Pen } from '../pen.js';
import { type FixedDocument, type FixedValues, LISTED_REFS, type RefState } from './question.js';

/** A file of code that the fix changes. */
interface FixedFile {
  path: string;
  before: string | null;
  after: string | null;
  fix: Fix;
}

/** A fix, from the commit or tree before it to the one after it. */
interface Question extends Pick<Asker, 'signal'> {
  session: Session;
  source: BlobFactsSource;
  from: string;
  to: string;
  files: FixedFile[];
}

/** Throws UNKNOWN_REF, and BAD_ARGUMENT for a fix that changes no code. */
export async function answerFixed(at: Asker, values: FixedValues): Promise<FixedDocument> {
  const { session, signal } = at;
  const { from, to } = await endsOf(session, values.fix);
  const { languages, maxFileBytes } = (await session.configOfOrigin(await session.origin(to))).config;
  const source = new BlobFactsSource(session, { languages, maxFileBytes, signal });
  try {
    const question: Question = { session, source, signal, from, to, files: [] };
    question.files = await fixedFiles(question);
    const refs = await refsOf(session.repository.git, values.refs);
    const states = await statesOf(question, refs);
    const limit = values.limit ?? LISTED_REFS;
    const info = await readCommit(session.objects, to);
    const counts = { fixed: 0, vulnerable: 0, never: 0, unknown: 0 };
    for (const { state, refs: names } of states) counts[state] += names.length;
    return {
      ...{ schemaVersion: 1, fix: { from, to, subject: info?.subject ?? '' }, files: question.files.length },
      hunks: question.files.reduce((sum, { fix }) => sum + fix.hunks.length, 0),
      ...{ counts, refs: cut(states, limit), copies: cut(await copiesOf(question), limit) },
      ...(values.linked && { linked: await linkedCopies(at, question, limit) }),
      ...(values.fleet && { fleet: await fleetCopies(at, question, limit) }),
    };
  } finally {
    await source.close();
  }
}

async function endsOf(session: Session, text: string): Promise<{ from: string; to: string }> {
  if (text.includes('..')) {
    const { from, to = 'HEAD' } = parseRange(text);
    const [a, b] = await Promise.all([session.objects.resolve(from), session.objects.resolve(to)]);
    return { from: a.commit ?? a.tree, to: b.commit ?? b.tree };
  }
  const { commit } = await session.objects.resolve(text);
  const info = commit === null ? null : await readCommit(session.objects, commit);
  if (commit === null || info === null) throw new SocraticodeError('BAD_ARGUMENT', `${text} is no commit`);
  return { from: info.parents[0] ?? EMPTY_TREES[session.repository.objectFormat], to: commit };
}

/** Is the text of a file what runs? Tests, documents and examples follow a fix, and are often left out where it is taken over. */
function decides(path: string, source: BlobFactsSource): 'code' | 'other' | null {
  const named = classByName(path);
  if (named !== null && named !== 'source') return null;
  const language = source.languageOf(path);
  return language !== null && languageOf(language)?.plain === 'code' ? 'code' : 'other';
}

/** Files that decide: those of code, or without any, templates, data and others that are no tests and no documents. */
async function fixedFiles({ session, source, from, to, signal }: Question): Promise<FixedFile[]> {
  const changes = await diffTrees(session.repository.git, from, to, { renames: true, signal });
  const files: Record<'code' | 'other', FixedFile[]> = { code: [], other: [] };
  for (const { path, oldOid, newOid, oldType, newType } of changes) {
    const kind = isFile(newType ?? oldType ?? '') ? decides(path, source) : null;
    if (kind === null) continue;
    const [before, after] = [await linesOf(source, oldOid), await linesOf(source, newOid)];
    const fix = fixOf(before ?? [], after ?? []);
    if (fix.hunks.length > 0) files[kind].push({ path, before: oldOid, after: newOid, fix });
  }
  const deciding = files.code.length > 0 ? files.code : files.other;
  if (deciding.length > 0) return deciding;
  throw new SocraticodeError('BAD_ARGUMENT', 'this changes nothing but tests, documents and comments', {
    hint: 'Name the commit that changes the code.',
  });
}

async function linesOf(source: BlobFactsSource, oid: string | null): Promise<string[] | null> {
  const bytes = oid === null ? null : await source.bytes(oid);
  return bytes === null ? null : comparableLines(bytes.toString('utf8'));
}

interface Ref {
  commit: string;
  names: string[];
}

/** Branches, fetched branches and tags, by commit. */
async function refsOf(git: Git, globs: readonly string[] | undefined): Promise<Ref[]> {
  const isWanted = globs?.length ? pathMatcher(globs) : () => true;
  const byCommit = new Map<string, string[]>();
  for (const { name, commit } of [...(await listBranches(git)), ...(await listTags(git))])
    if (isWanted(name)) addTo(byCommit, commit, name);
  return [...byCommit].map(([commit, names]) => ({ commit, names }));
}

// Refs: most have files that another ref has as well, so that each version is compared once.

const ORDER: readonly RefState['state'][] = ['vulnerable', 'unknown', 'fixed', 'never'];
/** Vulnerable versions whose missing names are looked up: each takes a search of a whole tree. */
const MAX_NEEDS = 20;
/** Versions without a file of the fix, in which its lines are searched. */
const MAX_SEARCHED = 200;

interface Version {
  /** For each file of the fix: path and blob in this version; null for none. */
  files: ({ path: string; oid: string } | null)[];
  /** False if a file was not looked for under other paths, since too many are. */
  isSearched: boolean;
}

async function statesOf(question: Question, refs: readonly Ref[]): Promise<RefState[]> {
  const containing = await containingRefs(question);
  const picks = await picksOf(question);
  const known = new Map<string, Promise<Verdict>>();
  const states: RefState[] = [];
  let searches = 0;
  for (const { commit, names } of refs) {
    question.signal.throwIfAborted();
    const version = await versionAt(question, commit, () => searches++ < MAX_SEARCHED);
    const key = JSON.stringify(version);
    const verdict = known.get(key) ?? verdictOf(question, version);
    known.set(key, verdict);
    const pick = picks.find(({ refs: having }) => names.some((name) => having.has(name)));
    states.push({ refs: names, commit, ...withHistory(await verdict, containing.has(commit), pick?.commit) });
  }
  states.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  await addNeeds(question, states);
  return states;
}

/** Files of the fix at a commit. `maySearch` allows one more search for a file under other paths, and counts it. */
async function versionAt(question: Question, commit: string, maySearch: () => boolean): Promise<Version> {
  const { session, files, to } = question;
  const { objects } = session;
  const at = async (path: string) => {
    const info = await objects.info(`${commit}:${path}`);
    return info?.type === 'blob' ? { path, oid: info.oid } : null;
  };
  const found = await Promise.all(files.map(({ path }) => at(path)));
  let isSearched = true;
  for (const [i, file] of files.entries()) {
    if (found[i] !== null || file.before === null || commit === to) continue;
    if (maySearch()) found[i] = await movedTo(question, file, { commit, at });
    else isSearched = false;
  }
  return { files: found, isSearched };
}

type At = (path: string) => Promise<{ path: string; oid: string } | null>;

/** The file under another path: the one with most of the lines that a fix is about, or one of its name with a part of its lines. */
async function movedTo(
  { session, source }: Question,
  { path, fix }: FixedFile,
  { commit, at }: { commit: string; at: At },
): Promise<{ path: string; oid: string } | null> {
  const { git } = session.repository;
  const lines = searchedLines(fix, fix.hunks);
  const hits = lines.length === 0 ? [] : [...(await grepTree(git, commit, lines))];
  const best = hits.sort((a, b) => b[1].size - a[1].size)[0];
  if (best !== undefined && best[1].size * 2 >= lines.length) return at(best[0]);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { stdout } = await git.run(['ls-tree', '-r', '-z', '--name-only', commit, '--'], { allow: NOTHING_THERE });
  const named = stdout
    .toString('utf8')
    .split('\0')
    .filter((other) => other === name || other.endsWith(`/${name}`));
  const own = new Set(fix.before.filter(isTelling));
  for (const other of named.slice(0, MAX_NAMESAKES)) {
    const found = await at(other);
    const text = found === null ? null : await linesOf(source, found.oid);
    const shared = new Set((text ?? []).filter((line) => own.has(line)));
    if (shared.size >= SAME_FILE * own.size) return found;
  }
  return null;
}

/** Files of one name that are compared with one that moved, and the share of its lines that show it. */
const MAX_NAMESAKES = 10;
const SAME_FILE = 0.2;

/** Paths with those of the lines that they have, as whole lines but for indentation, each with its last number, from 1. */
async function grepTree(git: Git, commit: string, lines: readonly string[]): Promise<Map<string, Map<string, number>>> {
  const patterns = lines.flatMap((line) => ['-e', line]);
  const args = ['grep', '-I', '-n', '-F', '-z', '--no-color', ...patterns, commit, '--'];
  const { stdout } = await git.run(args, { allow: NOTHING_THERE });
  const found = new Map<string, Map<string, number>>();
  for (const hit of stdout.toString('utf8').split('\n')) {
    const [name = '', number = '', text = ''] = hit.split('\0');
    const line = text.trim();
    if (!lines.includes(line)) continue;
    const path = name.slice(commit.length + 1);
    const own = found.get(path) ?? new Map<string, number>();
    found.set(path, own.set(line, Number(number)));
  }
  return found;
}

type Verdict = Pick<RefState, 'state' | 'how' | 'places'>;

async function verdictOf({ source, files }: Question, { files: version, isSearched }: Version): Promise<Verdict> {
  const found: HunkFound[] = [];
  const places: RefState['places'] = [];
  for (const [i, file] of files.entries()) {
    const here = version[i];
    const hunks = await hunksOf(source, file, here?.oid ?? null);
    found.push(...hunks);
    if (here === null) continue;
    for (const { state, line } of hunks) if (state === 'vulnerable') places.push(await placeOf(source, here, line));
  }
  const { state, isExact } = joinStates(found);
  if (state === 'vulnerable') return { state, how: 'code', places: distinct(places) };
  if (state === 'fixed') return { state, how: isExact ? 'content' : 'adapted', places: [] };
  // A file that is there may have had other code with the same fault.
  if (state === 'never' && isSearched && version.every((file) => file === null))
    return { state, how: 'absent', places: [] };
  return { state: 'unknown', how: 'unclear', places: [] };
}

/** States of the hunks of a file in a version of it; without one, the code is not there. */
async function hunksOf(source: BlobFactsSource, file: FixedFile, oid: string | null): Promise<HunkFound[]> {
  const { fix, before, after } = file;
  const text = oid === before || oid === after ? null : await linesOf(source, oid);
  if (oid !== null && oid === after) return hunksIn(fix, fix.after);
  if (oid !== null && oid === before) return hunksIn(fix, fix.before);
  if (text !== null) return hunksIn(fix, text);
  // A file that the fix deletes is fixed without it; one that is there and cannot be read shows nothing.
  const state = oid !== null ? 'unknown' : after === null ? 'fixed' : before === null ? 'unknown' : 'never';
  return fix.hunks.map(() => ({ state, weight: 1, isExact: state === 'fixed', line: -1 }));
}

/** A place, whose lines count from 1, of an index that counts from 0, as in `HunkFound`; of -1 the first line. */
async function placeOf(source: BlobFactsSource, { path, oid }: { path: string; oid: string }, index: number) {
  const line = Math.max(0, index) + 1;
  const symbols = (await source.facts({ path, oid }))?.symbols ?? [];
  // Members follow their container, so the last symbol around a line is the innermost.
  const inner = symbols.reduce(
    (best, { startLine, endLine }, at) => (startLine <= line && endLine >= line ? at : best),
    -1,
  );
  return { path, line, symbol: inner < 0 ? null : qualifiedName(symbols, inner) };
}

function distinct(places: RefState['places']): RefState['places'] {
  const seen = new Set<string>();
  return places.filter(({ path, line }) => seen.size < seen.add(`${path}:${line}`).size);
}

/** Joins what the content shows with what history says. Code that is there outweighs every commit: it may have been reverted. */
function withHistory(
  verdict: Verdict,
  contains: boolean,
  picked: string | undefined,
): Verdict & Pick<RefState, 'picked'> {
  const by = picked === undefined ? {} : { picked };
  if (contains && verdict.state !== 'vulnerable') return { ...verdict, state: 'fixed', how: 'commit' };
  if (verdict.state !== 'vulnerable' && verdict.state !== 'fixed' && picked !== undefined)
    return { ...verdict, state: 'fixed', how: 'picked', ...by };
  return { ...verdict, ...by };
}

/** Commits of refs that contain the fix. */
async function containingRefs({ session, to }: Question): Promise<Set<string>> {
  const args = ['for-each-ref', '--contains', to, '--format=%(objectname) %(*objectname)'];
  const { stdout } = await session.repository.git.run(args, { allow: NOTHING_THERE });
  return new Set(stdout.toString('latin1').split(/\s+/).filter(Boolean));
}

interface TakenOver {
  commit: string;
  refs: ReadonlySet<string>;
}

/** Longest list of commits that are asked which refs contain them. */
const MAX_PICKS = 50;

/** Commits that take the fix over: `git cherry-pick -x` says so, and a pick keeps author, date and subject. Reverted ones do not count. */
async function picksOf({ session, to, signal }: Question): Promise<TakenOver[]> {
  const { git } = session.repository;
  const info = await readCommit(session.objects, to);
  if (info === null || info.authored === null) return [];
  const args = ['log', '--all', '--no-color', '-z', `--after=${info.authored - 1}`, '--format=%H%n%at%n%ae%n%s%n%b'];
  const { stdout } = await git.run(args, { signal, allow: NOTHING_THERE });
  const commits = stdout
    .toString('utf8')
    .split('\0')
    .map((text) => {
      const [commit = '', time = '', email = '', subject = '', ...body] = text.split('\n');
      return { commit, time, email, subject, body: body.join('\n') };
    });
  const reverted = new Set(
    commits.flatMap(({ body }) => [...body.matchAll(/This reverts commit ([0-9a-f]{40,64})/g)].map(([, oid]) => oid)),
  );
  const isPick = ({ commit, time, email, subject, body }: (typeof commits)[number]) => {
    if (commit === to || reverted.has(commit)) return false;
    const says = body.includes(`cherry picked from commit ${to}`);
    return says || (time === String(info.authored) && email === info.email && subject === info.subject);
  };
  const found = commits.filter(isPick).slice(0, MAX_PICKS);
  return Promise.all(found.map(async ({ commit }) => ({ commit, refs: await refsWith(git, commit) })));
}

async function refsWith(git: Git, commit: string): Promise<ReadonlySet<string>> {
  const kinds = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const args = ['for-each-ref', '--contains', commit, '--format=%(refname:lstrip=2)', ...kinds];
  const { stdout } = await git.run(args, { allow: NOTHING_THERE });
  return new Set(stdout.toString('utf8').split('\n').filter(Boolean));
}

/** Adds, for vulnerable versions, the names that the fix uses and that are nowhere in them. */
async function addNeeds({ session, from, files }: Question, states: readonly RefState[]): Promise<void> {
  const { git } = session.repository;
  const before = new Set(files.flatMap(({ fix }) => fix.before.flatMap(wordsOf)));
  const added = files.flatMap(({ fix }) =>
    fix.hunks.flatMap(({ newStart, newEnd }) => fix.after.slice(newStart, newEnd)),
  );
  const words = [...new Set(added.filter(isTelling).flatMap(wordsOf))].slice(0, MAX_WORDS);
  // A name that the fix itself brings is in no version before it.
  const there = new Set([
    ...words.filter((word) => before.has(word)),
    ...(await wordsIn(
      git,
      from,
      words.filter((word) => !before.has(word)),
    )),
  ]);
  const used = words.filter((word) => there.has(word));
  for (const state of states.filter(({ state: is }) => is === 'vulnerable').slice(0, MAX_NEEDS)) {
    const present = await wordsIn(git, state.commit, used);
    state.needs = used.filter((word) => !present.has(word));
  }
}

/** Words of a fix that are looked up. */
const MAX_WORDS = 60;

async function wordsIn(git: Git, tree: string, words: readonly string[]): Promise<Set<string>> {
  if (words.length === 0) return new Set();
  const patterns = words.flatMap((word) => ['-e', word]);
  const args = ['grep', '-I', '-w', '-h', '-o', '-F', '--no-color', ...patterns, tree, '--'];
  const { stdout } = await git.run(args, { allow: NOTHING_THERE });
  return new Set(stdout.toString('utf8').split('\n'));
}

/** Other places of the fixed version with all lines that the fix removed in one place. */
async function copiesOf({ session, source, files, to }: Question): Promise<FixedDocument['copies']['list']> {
  const copies: FixedDocument['copies']['list'] = [];
  for (const { fix } of files) {
    for (const { oldStart, oldEnd } of fix.hunks) {
      const removed = fix.before.slice(oldStart, oldEnd).filter(isTelling);
      const lines = [...new Set(removed)].filter((line) => line.length <= MAX_SEARCHED_LENGTH).slice(0, MAX_WORDS);
      if (lines.join('').length < MIN_COPIED) continue;
      for (const [path, hits] of await grepTree(session.repository.git, to, lines)) {
        const oid = hits.size === lines.length ? (await session.objects.info(`${to}:${path}`))?.oid : undefined;
        if (oid !== undefined) copies.push(await placeOf(source, { path, oid }, Math.min(...hits.values()) - 1));
      }
    }
  }
  return distinct(copies);
}

// Copies in other repositories.

type LinkedCopies = NonNullable<FixedDocument['linked']>;
type FleetCopies = NonNullable<FixedDocument['fleet']>;
type Found = Omit<LinkedCopies['copies']['list'][number], 'project'>;

/** Files of one repository that are compared, those with most lines of the fix first. */
const MAX_COMPARED = 50;

/** Copies at the HEAD of each linked repository. */
async function linkedCopies(at: Asker, question: Question, limit: number): Promise<LinkedCopies> {
  const { session, signal, files } = question;
  const opened = await openLinks(at);
  const ask = async ({ session: other }: { session: Session }, stop: AbortSignal) => {
    const { resolved } = await other.origin(undefined, { unborn: true });
    return { commit: resolved.commit, coverage: null, found: await copiesAt(other, resolved.tree, files, stop) };
  };
  try {
    const asked = await askLinked(session, await session.origin(undefined, { unborn: true }), {
      ask,
      access: opened.access,
      signal,
    });
    const copies = asked.flatMap(({ project, answer }) => (answer?.found ?? []).map((one) => ({ project, ...one })));
    const repositories = asked.map(({ answer, ...state }) => ({ ...state, results: answer?.found.length ?? 0 }));
    return { repositories, copies: cut(vulnerableFirst(copies), limit) };
  } finally {
    await opened.close();
  }
}

async function copiesAt(session: Session, tree: string, files: readonly FixedFile[], signal: AbortSignal) {
  const lines = [...new Set(files.flatMap(({ fix }) => copyLines(fix).flat()))].slice(0, MAX_WORDS);
  if (lines.length === 0) return [];
  const { languages, maxFileBytes } = (await session.configOfOrigin(await session.origin(undefined, { unborn: true })))
    .config;
  const source = new BlobFactsSource(session, { languages, maxFileBytes, signal });
  try {
    const hits = [...(await grepTree(session.repository.git, tree, lines))].sort((a, b) => b[1].size - a[1].size);
    const found: Found[] = [];
    for (const [path] of hits.slice(0, MAX_COMPARED)) {
      signal.throwIfAborted();
      const oid = (await session.objects.info(`${tree}:${path}`))?.oid;
      const text = await linesOf(source, oid ?? null);
      if (oid === undefined || text === null) continue;
      for (const { state, line } of copiesOfFixes(files, text))
        found.push({ state, ...(await placeOf(source, { path, oid }, line)) });
    }
    return found;
  } finally {
    await source.close();
  }
}

/** Places in one file: each that lacks the fix, or the first one with what is known of the whole. */
function copiesOfFixes(
  files: readonly FixedFile[],
  text: readonly string[],
): { state: Found['state']; line: number }[] {
  const all = files.flatMap(({ fix }) => {
    const found = copiesIn(fix, text);
    const state = found.length === 0 ? 'never' : joinStates(found).state;
    if (state === 'never') return [];
    const shown = state === 'vulnerable' ? found.filter((hunk) => hunk.state === state) : found.slice(0, 1);
    return shown.map(({ line }) => ({ state, line }));
  });
  // Two changes may be known by the same lines.
  return all.filter((one, i) => all.findIndex(({ line }) => line === one.line) === i);
}

const vulnerableFirst = <Copy extends { state: Found['state'] }>(copies: Copy[]): Copy[] =>
  copies.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));

/** Places of a fix that a fleet is asked for, and results of each. */
const MAX_ASKED = 20;
const ASKED_RESULTS = 20;

/** Copies in a fleet. It is searched for the lines of each place, and files that it proposes are compared: what it does not propose is unknown. */
async function fleetCopies(at: Asker, question: Question, limit: number): Promise<FleetCopies> {
  const { session, signal, files } = question;
  const { config } = await session.configOf(null, true);
  const own =
    config.fleet.repo ??
    (await loadFleet()
      .then((fleet) => fleet.repositoryName(session))
      .catch(() => undefined));
  const queries = [...new Set(files.flatMap(({ fix }) => copyLines(fix).map((lines) => lines.join('\n'))))];
  return askFleet(at, async (fleet) => {
    const about = {
      mode: 'lexical',
      noContent: true,
      limit: ASKED_RESULTS,
      ...(own && { repo: [`!${own}`] }),
    } as const;
    const asked = queries.filter(Boolean).slice(0, MAX_ASKED);
    // A fleet of this repository alone has none to search.
    const search = (query: string) => fleet.search({ ...about, query }, signal).catch(refusedOnly);
    const answers = (await Promise.all(asked.map(search))).filter((answer) => answer !== null);
    const places = new Map(
      answers.flatMap(({ results }) =>
        results
          .flatMap((one) => [one, ...(one.places ?? [])])
          .map((one) => [`${one.repo}\0${one.ref}\0${one.path}`, one] as const),
      ),
    );
    const copies: FleetCopies['copies']['list'] = [];
    for (const { repo = '', ref, commit = '', path } of places.values()) {
      // A fleet may keep no texts, and a view may have moved on since the search.
      const file = await fleet.file({ repo, ref, path }, signal).catch(refusedOnly);
      const text = file?.commit === commit ? comparableLines(file.content ?? '') : [];
      for (const { state, line } of copiesOfFixes(files, text))
        copies.push({ project: repo, ref, commit, state, path, line: line + 1, symbol: null });
    }
    const { searched, withoutRef, damaged } = answers[0]?.fleet ?? { searched: 0, withoutRef: 0, damaged: 0 };
    const unknown = searched - new Set(copies.map(({ project }) => project)).size;
    return { searched, withoutRef, damaged, unknown, copies: cut(vulnerableFirst(copies), limit) };
  });
}

function refusedOnly(error: unknown): null {
  if (isSocraticodeError(error, 'BAD_ARGUMENT') || isSocraticodeError(error, 'UNKNOWN_REF')) return null;
  throw error;
}

// Text.

const MARKS = { vulnerable: '!', unknown: '?', fixed: '=', never: '-' } as const;
const WHY: Record<RefState['how'], string> = {
  commit: 'has the commit',
  content: 'has every line of it',
  adapted: 'has most of its lines',
  picked: 'a commit says so',
  code: 'has the code before it',
  absent: 'never had this code',
  unclear: 'its code is neither that before nor that after it',
};
/** Refs of one commit that are named. */
const NAMED = 4;

export function fixedText(found: FixedDocument, { pen }: { pen: Pen }): string {
  const { fix, files, hunks, counts, refs, copies, linked, fleet } = found;
  const lines = [
    `${shortOid(fix.to)} ${fix.subject}: ${formatCount(hunks, 'place')} in ${formatCount(files, 'file')}`,
    `${groupDigits(counts.fixed)} fixed, ${groupDigits(counts.vulnerable)} vulnerable, ${groupDigits(counts.never)} never had it, ${groupDigits(counts.unknown)} unknown`,
    ...refs.list.flatMap((one) => refLines(one, pen)),
  ];
  if (refs.leftOut > 0) lines.push(`and ${formatCount(refs.leftOut, 'further commit')} with refs`);
  if (copies.list.length > 0)
    lines.push('', 'the same code elsewhere', ...copies.list.map((one) => `  ${placeText(one, pen)}`));
  if (linked !== undefined)
    lines.push(...elsewhereLines('in linked repositories', linked.copies, pen), ...linkedLines(linked.repositories));
  if (fleet !== undefined) {
    const { searched, unknown, withoutRef, damaged } = fleet;
    lines.push(...elsewhereLines('in the fleet', fleet.copies, pen));
    lines.push(`also searched: ${formatCount(searched, 'repository', 'repositories')} of the fleet`);
    const gaps = [unknown > 0 && `${groupDigits(unknown)} in which nothing was found`];
    gaps.push(withoutRef > 0 && `${withoutRef} without this ref`, damaged > 0 && `${damaged} damaged`);
    if (gaps.some(Boolean)) lines.push(`not known: ${gaps.filter(Boolean).join('; ')}`);
  }
  return `${lines.join('\n')}\n`;
}

/** `repository:path:line`, as `search --linked` shows results. */
function elsewhereLines(title: string, { list, leftOut }: LinkedCopies['copies'], pen: Pen): string[] {
  if (list.length === 0) return ['', `${title}: no copy was found`];
  const lines = list.map(
    ({ project, state, ...place }) => `  ${MARKS[state]} ${project}:${placeText(place, pen)}  ${pen.dim(state)}`,
  );
  return [
    '',
    `the same code ${title}`,
    ...lines,
    ...(leftOut > 0 ? [`  and ${formatCount(leftOut, 'further place')}`] : []),
  ];
}

function refLines({ refs, commit, state, how, picked, places, needs = [] }: RefState, pen: Pen): string[] {
  const more = refs.length > NAMED ? ` and ${formatCount(refs.length - NAMED, 'more ref')}` : '';
  const names = `${refs.slice(0, NAMED).join(', ')}${more}`;
  const by = picked === undefined ? '' : ` (${shortOid(picked)})`;
  return [
    `${MARKS[state]} ${pen.path(names)}  ${state === 'never' ? 'never had it' : state}  ${pen.dim(`${shortOid(commit)} ${WHY[how]}${by}`)}`,
    ...places.map((one) => `    ${placeText(one, pen)}`),
    ...(needs.length === 0 ? [] : [`    a backport uses ${needs.join(', ')}, absent there`]),
  ];
}

const placeText = ({ path, line, symbol }: RefState['places'][number], pen: Pen): string =>
  `${pen.path(`${path}:${line}`)}${symbol === null ? '' : `  ${pen.symbol(symbol)}`}`;
