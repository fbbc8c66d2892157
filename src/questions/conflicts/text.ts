/** Text of conflicts: a heading for each branch, and a line for each thing found, the worst first. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { at, more, renderFooter, type Some, total, VERBS } from '../graph/text-parts.js';
import { formatCount, formatCounts } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { BranchOverlap, ChangeWord, ConflictsDocument, SharedSymbol, SharedUse } from './output.js';

type MergeConflict = BranchOverlap['merge']['list'][number];

const MAX_NAMES = 4;

export function conflictsText(
  document: ConflictsDocument,
  { pen, isCommand }: { pen: Pen; isCommand: boolean },
): string {
  const { branches, clean, compared } = document;
  const blocks = branches.list.map((branch) => branchLines(branch, pen).join('\n'));
  const rest = [...more(branches.leftOut, pen)];
  if (clean > 0)
    rest.push(
      `nothing in common with ${clean === compared ? formatCount(clean, 'branch', 'branches') : `${clean} of ${formatCount(compared, 'branch', 'branches')}`}`,
    );
  if (compared === 0) rest.push('no branch to compare with');
  rest.push(
    ...leftOutLines(document).map(pen.dim),
    ...document.unknown.map((why) => `not compared of this side: ${visibleLine(why)}`),
  );
  const footer = isCommand ? renderFooter(document, pen) : '';
  return `${[...blocks, rest.join('\n')].join('\n\n')}\n${footer}`;
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
    ...listed(merge, (each) => mergeLine(each, pen), pen),
    ...listed(ownSymbols(branch), (each) => symbolLine(each, pen), pen),
    ...listed(declared, (each) => useLine(each, pen), pen),
    ...bodyLines(bodies, uses.leftOut, pen),
    ...unknown.map((why) => `  ? ${visibleLine(why)}`),
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
    ...(alias.length > 0 ? [`also ${alias.slice(0, MAX_NAMES).map(visibleLine).join(', ')}`] : []),
    `${formatCount(files.theirs, 'file')} changed there, ${number(files.mine)} here, ${number(files.both)} on both sides`,
  ];
  const told = found.length > 0 ? `  ${found.join(', ')}` : '';
  return `${pen.symbol(visibleLine(name))}${told}  ${pen.dim(`(${notes.join('; ')})`)}`;
}

function listed<T>({ list, leftOut }: Some<T>, lineOf: (one: T) => string, pen: Pen): string[] {
  return [...list.map(lineOf), ...more(leftOut, pen)];
}

/** Uses of symbols whose declaration stays: one line names the symbols. */
function bodyLines(uses: readonly SharedUse[], leftOut: number, pen: Pen): string[] {
  const names = [...new Set(uses.map(({ target }) => target.symbol))];
  const shown = names.slice(0, MAX_NAMES).map((name) => pen.symbol(visibleLine(name)));
  const rest = names.length > MAX_NAMES ? ' and others' : '';
  if (names.length === 0) return more(leftOut, pen);
  const count = formatCount(uses.length, 'use');
  return [`  > ${count} here of what changes inside there: ${shown.join(', ')}${rest}`, ...more(leftOut, pen)];
}

/** Symbols in files that conflict stand there already. */
function ownSymbols({ merge, symbols }: BranchOverlap): BranchOverlap['symbols'] {
  const told = new Set(merge.list.map(({ path }) => path));
  return { ...symbols, list: symbols.list.filter(({ path }) => !told.has(path)) };
}

function mergeLine({ path, kind, symbols }: MergeConflict, pen: Pen): string {
  const names = symbols.slice(0, MAX_NAMES).map((name) => pen.symbol(visibleLine(name)));
  const rest = symbols.length > MAX_NAMES ? ` and ${symbols.length - MAX_NAMES} more` : '';
  const where = names.length === 0 ? '' : `: ${names.join(', ')}${rest}`;
  return `  ${pen.match('!')} ${pen.path(visibleLine(path))}  ${visibleLine(kind)}${where}`;
}

const DONE: Readonly<Record<ChangeWord, string>> = {
  added: 'added',
  removed: 'removed',
  signature: 'declaration',
  body: 'body',
  doc: 'comment',
};

function symbolLine({ path, symbol, line, mine, theirs }: SharedSymbol, pen: Pen): string {
  const where = line === null ? pen.path(visibleLine(path)) : at(path, line, pen);
  return `  ~ ${where}  ${pen.symbol(visibleLine(symbol))}  ${pen.dim(`here: ${DONE[mine]}; there: ${DONE[theirs]}`)}`;
}

function useLine({ path, line, symbol, use, target }: SharedUse, pen: Pen): string {
  const { change, was, now } = target;
  const who = symbol === null ? '' : `${pen.symbol(visibleLine(symbol))} `;
  const what = `${VERBS[use] ?? use} ${pen.symbol(visibleLine(target.symbol))} of ${pen.path(visibleLine(target.path))}`;
  const fate = change === 'removed' ? 'removed there' : 'declared otherwise there';
  const isKnown = now !== null && was !== null && now !== was;
  const declared = isKnown ? pen.dim(`: ${visibleLine(was)} -> ${visibleLine(now)}`) : '';
  return `  > ${at(path, line, pen)}  ${who}${what}, ${fate}${declared}`;
}
