/**
 * `conflicts`: compares the checked-out commit with every other branch and work tree. Nothing is checked out. `--watch` does so again and
 * again, and the text of both answers is here: of this one, and of the plan that `plan.ts` makes.
 */
import { mapConcurrently, waitFor } from '../../base/async.js';
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits, safeJson, visibleDocument } from '../../base/printable.js';
import type { Config } from '../../config/settings.js';
import { openScratch, type Scratch } from '../../git/merge.js';
import { CatFileReader } from '../../git/objects.js';
import { cut } from '../../graph/query/node-place.js';
import { BlobFactsSource } from '../../session/blob-facts.js';
import { pathSelector } from '../../session/history/open-history.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { formatCount, formatCounts } from '../format.js';
import { renderFooter, VERBS } from '../graph/graph-text.js';
import { openGraph } from '../graph/snapshot-graph.js';
import { COMMAND_WORDS, type Pen, plainPen } from '../pen.js';
import { at, more, rows, total } from '../view.js';
import {
  type ComparedPair,
  comparePairs,
  listOthers,
  type MergeInput,
  namedOther,
  type Other,
  type Others,
  safeGit,
  type WorkTreeOptions,
  workTreeInput,
} from './branches.js';
import { describePairs, Versions } from './overlaps.js';
import {
  type BranchOverlap,
  type ChangeWord,
  type ConflictsDocument,
  type ConflictsValues,
  LISTED_BRANCHES,
  LISTED_OF_BRANCH,
  type PlanBreak,
  type PlanDocument,
  type PlanStep,
  type SharedSymbol,
  type SharedUse,
} from './question.js';

/** Work trees that are read at once. */
const AT_ONCE = 4;

/** Throws UNKNOWN_REF, UNBORN_HEAD, BAD_ARGUMENT for a bad glob, and what indexing throws. */
export async function answerConflicts(at: Asker, values: ConflictsValues): Promise<ConflictsDocument | PlanDocument> {
  return values.plan ? (await import('./plan.js')).answerPlan(at, values) : answerBranches(at, values);
}

export function answerBranches(at: Asker, values: ConflictsValues): Promise<ConflictsDocument> {
  return retried(at.session, values.ref, async () => {
    const scratch = openScratch(at.session.repository);
    try {
      return await compareAll(at, values, scratch);
    } finally {
      scratch.close();
    }
  });
}

async function compareAll(at: Asker, values: ConflictsValues, scratch: Scratch): Promise<ConflictsDocument> {
  const { session, signal } = at;
  const origin = await session.origin(values.ref);
  const graphing = openGraph(at, values);
  // Awaited below; until then a rejection must not count as unhandled.
  graphing.catch(() => {});
  const { config } = await session.configOfOrigin(origin);
  const accepts = pathSelector({ config }, origin, undefined);
  const { commit, tree, ref } = origin.resolved;
  if (commit === null) {
    throw new SocraticodeError('BAD_ARGUMENT', `${ref} is a tree, which parted from nothing`, {
      hint: 'Name a branch, a tag or a commit.',
    });
  }
  const others = await findOthers(at, commit, values);
  const isWorkTree = values.ref === undefined && values.committed !== true && session.repository.workTree !== null;
  const reading = { scratch, accepts, signal };
  const mine = isWorkTree
    ? await workTreeInput(session.repository, { commit, tree }, reading, session.gitConfig)
    : asCommitted(commit, tree);
  const inputs = await mapConcurrently(others.list, AT_ONCE, (other) => mergeInputOf(other, session, reading));
  const all = await comparePairs({ git: safeGit(session, scratch), session, mine, signal }, others.list, inputs);
  const pairs = all.filter((pair) => isNamed(values) || !isMerged(pair, mine));
  const { header, graph } = await graphing;
  const versions = await openVersions(at, config, scratch);
  try {
    const { limit: listedOfBranch = LISTED_OF_BRANCH } = values;
    const { branches, leftOut } = await describePairs(pairs, { graph, versions, accepts, limit: listedOfBranch });
    const listed = isNamed(values) ? branches : branches.filter(({ overlap }) => overlap !== 'none');
    const { old, contained, beyond } = others;
    return {
      ...header,
      uncommitted: mine.uncommitted,
      unknown: mine.unknown,
      compared: pairs.length,
      clean: branches.length - listed.length,
      maxAge: values.maxAge,
      leftOut: { merged: others.merged + all.length - pairs.length, old, contained, beyond, files: leftOut },
      branches: cut(listed, values.limit ?? LISTED_BRANCHES),
    };
  } finally {
    await versions.close();
  }
}

/** The branches that the values name, else all others. Throws UNKNOWN_REF for a name, and BAD_ARGUMENT for a bad glob. */
export async function findOthers(
  { session }: Pick<Asker, 'session'>,
  commit: string,
  { branch = [], with: globs, maxAge }: Pick<ConflictsValues, 'branch' | 'with' | 'maxAge'>,
): Promise<Others> {
  if (branch.length === 0) return listOthers(session.repository, { commit, globs, maxAge });
  const list = await mapConcurrently([...new Set(branch)], AT_ONCE, (name) => namedOther(session, name));
  return { list, merged: 0, old: 0, contained: 0, beyond: 0 };
}

const isNamed = ({ branch }: ConflictsValues): boolean => (branch?.length ?? 0) > 0;

/** A commit as it is, without a work tree. */
export function asCommitted(commit: string, tree: string): MergeInput {
  return { commit, tree, head: commit, uncommitted: 0, unknown: [] };
}

/** Another branch to be merged: as committed, or with the uncommitted files of the work tree that has it checked out. */
export async function mergeInputOf(
  { commit, worktree }: Other,
  { objects }: Session,
  reading: WorkTreeOptions,
): Promise<MergeInput> {
  const tree = (await objects.info(`${commit}^{tree}`))?.oid ?? '';
  return worktree === null ? asCommitted(commit, tree) : workTreeInput(worktree, { commit, tree }, reading);
}

/** True if this branch has all changes of the other, even through a squash or a rebase. */
function isMerged({ base, theirs, merged, unknown }: ComparedPair, mine: MergeInput): boolean {
  if (unknown.length > 0) return false;
  if (theirs.uncommitted === 0 && base === theirs.head) return true;
  return merged !== null && 'tree' in merged && merged.tree === mine.tree;
}

async function openVersions({ session, signal }: Asker, config: Config, scratch: Scratch): Promise<Versions> {
  const { languages, maxFileBytes } = config;
  const objects = new CatFileReader(scratch.git);
  const committed = new BlobFactsSource(session, { languages, maxFileBytes, signal });
  // Writes no records of blobs that are not in the repository.
  const uncommitted = new BlobFactsSource(session, { languages, maxFileBytes, signal, objects });
  return new Versions({ committed, uncommitted, objects }, async (oid) => (await session.objects.info(oid)) !== null);
}

/** Time between two looks of `--watch`, in milliseconds. */
const PAUSE_MS = 5_000;

/** Prints what is new since the look before, for as long as the signal lets it; the first look prints everything. */
export async function watchConflicts(at: Asker, values: ConflictsValues): Promise<void> {
  const { command, signal } = at;
  if (command === undefined) return;
  const pen = plainPen(COMMAND_WORDS);
  for (let known: ReadonlySet<string> = new Set(); ; ) {
    const found = new Set<string>();
    for (const branch of (await answerBranches(at, { ...values, limit: values.limit ?? WATCHED })).branches.list) {
      const fresh = freshOf(branch, known, found);
      if (fresh === null) continue;
      const text = command.json ? safeJson(fresh) : branchLines(visibleDocument(fresh, []), pen).join('\n');
      await command.write(`${text}\n`);
    }
    known = found;
    await waitFor(new Promise(() => {}), { ms: PAUSE_MS, signal });
  }
}

/** Findings of a branch that are watched. */
const WATCHED = 200;

/** Findings of a branch that were not known; null for none. Notes all of it in `found`. */
export function freshOf(branch: BranchOverlap, known: ReadonlySet<string>, found: Set<string>): BranchOverlap | null {
  const isFresh = (kind: string, ...words: (string | null)[]) => {
    const key = [branch.name, kind, ...words].join('\n');
    found.add(key);
    return !known.has(key);
  };
  const merge = branch.merge.list.filter(({ path, kind }) => isFresh(kind, path));
  const symbols = branch.symbols.list.filter(({ path, symbol, theirs }) => isFresh(theirs, path, symbol));
  const uses = branch.uses.list.filter(({ path, symbol, target }) =>
    isFresh(`use ${target.change}`, path, symbol, target.path, target.symbol),
  );
  if (merge.length + symbols.length + uses.length === 0) return null;
  const only = <T>(list: T[]) => ({ list, leftOut: 0 });
  return { ...branch, merge: only(merge), symbols: only(symbols), uses: only(uses) };
}

// Text: a heading for each branch, and a line for each finding, the worst first.

type MergeConflict = BranchOverlap['merge']['list'][number];

const MAX_NAMES = 4;

export function conflictsText(
  document: ConflictsDocument | PlanDocument,
  { pen, isCommand }: { pen: Pen; isCommand: boolean },
): string {
  return 'order' in document ? planText(document, pen, isCommand) : branchesText(document, pen, isCommand);
}

function branchesText(document: ConflictsDocument, pen: Pen, isCommand: boolean): string {
  const { branches, clean, compared } = document;
  const blocks = branches.list.map((branch) => branchLines(branch, pen).join('\n'));
  const rest = [...more(branches.leftOut, pen)];
  if (clean > 0)
    rest.push(
      `no conflict with ${clean === compared ? formatCount(clean, 'branch', 'branches') : `${clean} of ${formatCount(compared, 'branch', 'branches')}`}`,
    );
  if (compared === 0) rest.push('no branch to compare with');
  rest.push(
    ...leftOutLines(document).map(pen.dim),
    ...document.unknown.map((why) => `not compared of this side: ${why}`),
  );
  const footer = isCommand ? renderFooter(document, pen) : '';
  const parts = [...blocks, ...(rest.length > 0 ? [rest.join('\n')] : [])];
  return `${parts.join('\n\n')}\n${footer}`;
}

function leftOutLines({ leftOut, maxAge }: ConflictsDocument): string[] {
  const { merged, old, contained, beyond, files } = leftOut;
  const counts = formatCounts({
    'merged already': merged,
    [`more than ${formatCount(maxAge, 'day')} older than the newest`]: old,
    'behind the local branch that follows them': contained,
    'beyond the newest that are compared': beyond,
  });
  const lines = counts === '' ? [] : [`left out: ${counts}`];
  if (files > 0)
    lines.push(`symbols of ${formatCount(files, 'file')} were not compared: there are too many; name fewer branches`);
  return lines;
}

function branchLines(branch: BranchOverlap, pen: Pen): string[] {
  const { merge, symbols, uses, unknown } = branch;
  const bodies = uses.list.filter(({ target }) => target.change === 'body');
  const declared = { list: uses.list.filter(({ target }) => target.change !== 'body'), leftOut: 0 };
  return [
    heading(branch, pen),
    ...rows(merge, (each) => mergeLine(each, pen), pen),
    ...rows(ownSymbols(branch), (each) => symbolLine(each, pen), pen),
    ...rows(declared, (each) => useLine(each, pen), pen),
    ...bodyLines(bodies, uses.leftOut, pen),
    ...unknown.map((why) => `  ? ${why}`),
    ...(merge.list.length + symbols.list.length + uses.list.length + unknown.length === 0
      ? [pen.dim('  merges, and changes nothing that you change or use')]
      : []),
  ];
}

function heading({ name, kind, alias, uncommitted, files, merge, symbols, uses }: BranchOverlap, pen: Pen): string {
  const found = [
    ...(total(merge) > 0 ? [pen.match(formatCount(total(merge), 'merge conflict'))] : []),
    ...(total(symbols) > 0 ? [`${formatCount(total(symbols), 'symbol')} changed on both sides`] : []),
    ...(total(uses) > 0 ? [`${formatCount(total(uses), 'use')} of what it changes`] : []),
  ];
  const number = (count: number) => groupDigits(count);
  const notes = [
    ...(kind === 'worktree' ? ['work tree'] : []),
    ...(uncommitted > 0 ? [`${formatCount(uncommitted, 'uncommitted file')} in its work tree`] : []),
    ...(alias.length > 0 ? [`also ${alias.slice(0, MAX_NAMES).join(', ')}`] : []),
    `${formatCount(files.theirs, 'file')} changed there, ${number(files.mine)} here, ${number(files.both)} on both sides`,
  ];
  const counts = found.length > 0 ? `  ${found.join(', ')}` : '';
  return `${pen.symbol(name)}${counts}  ${pen.dim(`(${notes.join('; ')})`)}`;
}

/** Uses of symbols whose declaration did not change: one line names all symbols. */
function bodyLines(uses: readonly SharedUse[], leftOut: number, pen: Pen): string[] {
  const names = [...new Set(uses.map(({ target }) => target.symbol))];
  const shown = names.slice(0, MAX_NAMES).map((name) => pen.symbol(name));
  const rest = names.length > MAX_NAMES ? ' and others' : '';
  if (names.length === 0) return more(leftOut, pen);
  const count = formatCount(uses.length, 'use');
  return [`  > ${count} here of what changes inside there: ${shown.join(', ')}${rest}`, ...more(leftOut, pen)];
}

/** Symbols outside of conflicting files, which are listed already. */
function ownSymbols({ merge, symbols }: BranchOverlap): BranchOverlap['symbols'] {
  const conflicting = new Set(merge.list.map(({ path }) => path));
  return { ...symbols, list: symbols.list.filter(({ path }) => !conflicting.has(path)) };
}

function mergeLine({ path, kind, symbols }: MergeConflict, pen: Pen): string {
  const names = symbols.slice(0, MAX_NAMES).map((name) => pen.symbol(name));
  const rest = symbols.length > MAX_NAMES ? ` and ${symbols.length - MAX_NAMES} more` : '';
  const where = names.length === 0 ? '' : `: ${names.join(', ')}${rest}`;
  return `  ${pen.match('!')} ${pen.path(path)}  ${kind}${where}`;
}

const DONE: Readonly<Record<ChangeWord, string>> = {
  added: 'added',
  removed: 'removed',
  signature: 'declaration',
  body: 'body',
  doc: 'comment',
};

function symbolLine({ path, symbol, line, mine, theirs }: SharedSymbol, pen: Pen): string {
  const where = line === null ? pen.path(path) : at(path, line, pen);
  return `  ~ ${where}  ${pen.symbol(symbol)}  ${pen.dim(`here: ${DONE[mine]}; there: ${DONE[theirs]}`)}`;
}

function useLine({ path, line, symbol, use, target }: SharedUse, pen: Pen): string {
  const { change, was, now } = target;
  const who = symbol === null ? '' : `${pen.symbol(symbol)} `;
  const what = `${VERBS[use] ?? use} ${pen.symbol(target.symbol)} of ${pen.path(target.path)}`;
  const fate = change === 'removed' ? 'removed there' : 'declared otherwise there';
  const isKnown = now !== null && was !== null && now !== was;
  const declared = isKnown ? pen.dim(`: ${was} -> ${now}`) : '';
  return `  > ${at(path, line, pen)}  ${who}${what}, ${fate}${declared}`;
}

// Text of a plan: the order, a line for each use that breaks, and the pairs that git cannot merge.

function planText(document: PlanDocument, pen: Pen, isCommand: boolean): string {
  const { order, clean, breaks, conflicts, pairs, unknown } = document;
  const rest = [
    ...(order.list.length === 0 ? ['no branch brings anything'] : []),
    ...unknown.map((why) => `? ${why}`),
    ...(pairs.leftOut > 0
      ? [`${formatCount(pairs.leftOut, 'pair')} were not linked: there are too many; name fewer branches`]
      : []),
    pen.dim(`${formatCount(pairs.all, 'pair')}; in ${groupDigits(pairs.linked)} one names what the other changes`),
  ];
  const blocks = [
    [
      planHeading(order.list.length + order.leftOut, clean, pen),
      ...order.list.map((step, i) => stepLine(step, i + 1, pen)),
      ...more(order.leftOut, pen),
    ],
    rows(breaks, (one) => breakLines(one, pen), pen),
    rows(conflicts, (one) => conflictLine(one, pen), pen),
    rest,
  ];
  const text = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${text.join('\n\n')}\n${isCommand ? renderFooter(document, pen) : ''}`;
}

function planHeading(count: number, clean: number, pen: Pen): string {
  const first = clean === 1 ? 'the first breaks' : `the first ${groupDigits(clean)} break`;
  const rest = clean === count ? 'none breaks another' : clean === 0 ? 'the first breaks already' : `${first} nothing`;
  return pen.symbol(`merge ${formatCount(count, 'branch', 'branches')} in this order: ${rest}`);
}

function stepLine(
  { name, kind, files, uncommitted, breaks, conflicts, with: others }: PlanStep,
  place: number,
  pen: Pen,
): string {
  const found = [
    ...(breaks > 0 ? [`${formatCount(breaks, 'use')} ${breaks === 1 ? 'breaks' : 'break'}`] : []),
    ...(conflicts > 0 ? [pen.match(formatCount(conflicts, 'merge conflict'))] : []),
  ];
  const names = others.slice(0, MAX_NAMES).join(', ');
  const beyond = others.length > MAX_NAMES ? ` and ${others.length - MAX_NAMES} more` : '';
  const notes = [
    formatCount(files, 'file'),
    ...(kind === 'worktree' ? ['work tree'] : []),
    ...(uncommitted > 0 ? [`${groupDigits(uncommitted)} uncommitted`] : []),
  ];
  const why = found.length === 0 ? '' : `  ${found.join(', ')} with ${names}${beyond}`;
  return `  ${place}. ${name}${why}  ${pen.dim(`(${notes.join('; ')})`)}`;
}

const WHAT: Readonly<Record<PlanBreak['change']['what'], string>> = {
  removed: 'removes',
  renamed: 'renames',
  moved: 'moves',
  hidden: 'hides',
  declared: 'declares otherwise',
  demanded: 'demands',
  added: 'adds',
};

function breakLines({ certainty, changer, change, user, use, why, kind }: PlanBreak, pen: Pen): string {
  const { now } = change;
  const what = change.symbol === null ? pen.path(change.path) : pen.symbol(change.symbol);
  const to =
    now === undefined ? '' : ` to ${now.symbol === null ? '' : `${now.symbol} at `}${at(now.path, now.line, pen)}`;
  const place = change.symbol === null ? '' : ` ${at(change.path, change.line, pen)}`;
  const verb = kind === 'twice' ? 'adds, too,' : kind === 'demanded' || kind === 'override' ? 'adds' : 'uses it in';
  const who = use.symbol === null ? '' : `${pen.symbol(use.symbol)}: `;
  const reason = why === null ? '' : pen.dim(`  ${why}`);
  const mark = certainty === 'certain' ? pen.match('!') : '?';
  return [
    `${mark} ${changer} ${WHAT[change.what]} ${what}${place}${to}`,
    `    ${user} ${verb} ${at(use.path, use.line, pen)}  ${who}${use.text}${reason}`,
  ].join('\n');
}

function conflictLine({ a, b, files }: PlanDocument['conflicts']['list'][number], pen: Pen): string {
  const names = files.slice(0, MAX_NAMES).map(({ path, kind }) => `${pen.path(path)} (${kind})`);
  const beyond = files.length > MAX_NAMES ? ` and ${files.length - MAX_NAMES} more` : '';
  return `x ${a} and ${b} do not merge: ${names.join(', ')}${beyond}`;
}
