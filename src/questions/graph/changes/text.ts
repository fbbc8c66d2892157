/**
 * Text about the graphs before and after a change: dangling uses first, then calls that do not fit, then the API. Also
 * its users in a fleet.
 */
import { visibleLine } from '../../../base/printable.js';
import type { FleetUsesDocument } from '../../fleet/question.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import type { ApiChange } from '../diff/question.js';
import { at, count, more, percent, type Some, section, useLine } from '../graph-text.js';
import type { CoupledFile, DanglingUse, FurtherChange, Mismatch, Owner } from './output.js';

interface Both {
  notRead: Some<string>;
  dangling: Some<DanglingUse>;
  mismatches: Some<Mismatch>;
  api: Some<ApiChange>;
  further: Some<FurtherChange>;
  coupled: Some<CoupledFile>;
  owners: Some<Owner>;
}

export function bothVersionsLines(
  {
    notRead,
    dangling,
    mismatches,
    api,
    further,
  }: Pick<Both, 'notRead' | 'dangling' | 'mismatches' | 'api' | 'further'>,
  pen: Pen,
): string[] {
  const certain = dangling.list.filter(({ certainty }) => certainty === 'certain');
  const likely = dangling.list.filter(({ certainty }) => certainty === 'likely');
  const possible = dangling.list.filter(({ certainty }) => certainty === 'possible');
  // The rest of a cut list belongs to the least certain of the shown ones.
  const last = [possible, likely, certain].find(({ length }) => length > 0);
  const rest = (list: readonly DanglingUse[]) => (list === last ? dangling.leftOut : 0);
  const lines = (list: readonly DanglingUse[]) => [
    ...list.map((use) => danglingLine(use, pen)),
    ...more(rest(list), pen),
  ];
  return [
    ...section(pen.match('not read: these could not be parsed as a whole, so changes in them may be missing'), [
      ...notRead.list.map((path) => `  ${pen.path(visibleLine(path))}`),
      ...more(notRead.leftOut, pen),
    ]),
    ...section(pen.match('certain dangling uses'), lines(certain)),
    ...section('likely dangling uses', lines(likely)),
    ...section('possible dangling uses: they may have meant what is gone', lines(possible)),
    ...section('calls that do not fit', [
      ...mismatches.list.map((call) => mismatchLine(call, pen)),
      ...more(mismatches.leftOut, pen),
    ]),
    ...section('exported symbols', [...api.list.map((one) => apiLine(one, pen)), ...more(api.leftOut, pen)]),
    ...section('routes, schemas, configuration', [
      ...further.list.map((one) => furtherLine(one, pen)),
      ...more(further.leftOut, pen),
    ]),
  ];
}

function danglingLine(use: DanglingUse, pen: Pen): string {
  const who = use.symbol === null ? '' : `  ${pen.symbol(visibleLine(use.symbol))}`;
  return `  ${at(use.path, use.line, pen)}${who}  ${visibleLine(use.text)}  ${pen.dim(fateText(use))}`;
}

/** `Cart.total of src/cart.ts was removed` */
export function fateText({ was, how, now }: Pick<DanglingUse, 'was' | 'how' | 'now'>): string {
  const name = was.symbol === null ? visibleLine(was.path) : `${visibleLine(was.symbol)} of ${visibleLine(was.path)}`;
  if (how === 'removed' || now === undefined) return `${name} is gone`;
  if (how === 'hidden') return `${name} is not exported any more`;
  const place = now.symbol === null ? now.path : now.path === was.path ? now.symbol : `${now.path}:${now.line}`;
  return `${name} is ${visibleLine(place)} now`;
}

function mismatchLine({ path, line, symbol, text, detail, callee }: Mismatch, pen: Pen): string {
  const who = symbol === null ? '' : `  ${pen.symbol(visibleLine(symbol))}`;
  const what = pen.dim(`${visibleLine(detail)}: ${visibleLine(callee.path)}:${callee.line}`);
  return `  ${at(path, line, pen)}${who}  ${visibleLine(text)}()  ${what}`;
}

const MARKS: Readonly<Record<ApiChange['change'], string>> = { removed: '-', changed: '~', moved: '>', added: '+' };

function apiLine({ change, path, startLine, symbol, signature, was, from }: ApiChange, pen: Pen): string {
  const former = [...(from === undefined ? [] : [from]), ...(was === undefined ? [] : [was])].map(visibleLine);
  const note = former.length === 0 ? '' : pen.dim(`  was ${former.join(': ')}`);
  return `  ${MARKS[change]} ${at(path, startLine, pen)}  ${visibleLine(signature ?? symbol ?? '')}${note}`;
}

function furtherLine({ kind, change, name, path, line }: FurtherChange, pen: Pen): string {
  const place = kind === 'route' ? `${at(path, line, pen)}  ${visibleLine(name)}` : pen.path(visibleLine(path));
  return `  ${MARKS[change]} ${place}  ${pen.dim(kind)}`;
}

/** Files that usually change together with the changed ones, and people who changed them. */
export function historyLines({ coupled, owners }: Pick<Both, 'coupled' | 'owners'>, pen: Pen): string[] {
  return [
    ...section('changed along with these in the past, not now', [
      ...coupled.list.map((one) => `  ${pen.path(visibleLine(one.path))}  ${pen.dim(coupledText(one))}`),
      ...more(coupled.leftOut, pen),
    ]),
    ...section('owners by history', [
      ...owners.list.map(({ author, share, commits }) => {
        return `  ${visibleLine(author)}  ${pen.dim(`${percent(share)}, ${formatCount(commits, 'commit')}`)}`;
      }),
      ...(owners.leftOut === 0 ? [] : [pen.dim(`  ${othersText(owners)}`)]),
    ]),
  ];
}

/** People who are not listed: `and 37 others, 20% together`. */
export function othersText({ list, leftOut }: Some<Owner>): string {
  const listed = list.reduce((sum, { share }) => sum + share, 0);
  return `and ${formatCount(leftOut, 'other')}, ${percent(Math.max(0, 1 - listed))} together`;
}

/** Files that usually change with the file of one target. */
export function coupledLines({ list, leftOut }: Some<CoupledFile>, pen: Pen): string[] {
  if (list.length === 0) return pen.skipped === undefined ? ['nothing else usually changes with its file'] : [];
  return section('with its file usually also changes', [
    ...list.map(({ path, together, of }) => {
      return `  ${pen.path(visibleLine(path))}  ${pen.dim(`in ${together} of ${formatCount(of, 'commit')}`)}`;
    }),
    ...more(leftOut, pen),
  ]);
}

/** `in 7 of the 9 commits of few files that changed src/cart.ts`: larger ones do not count. */
export function coupledText({ together, of, with: other }: CoupledFile): string {
  return `in ${together} of the ${formatCount(of, 'commit')} of few files that changed ${visibleLine(other)}`;
}

const SHORT_OID = 10;

/** Uses by the repositories of a fleet, below the name of each. */
export function fleetUsesLines({ fleet, repositories, uses }: FleetUsesDocument, pen: Pen): string[] {
  if (pen.skipped !== undefined && uses.list.length === 0) return [];
  const searched = formatCount(fleet.searched, 'repository', 'repositories');
  if (repositories.length === 0) return ['', `fleet: no known uses in ${searched}`, ...doubts(fleet, pen)];
  const files = repositories.reduce((sum, each) => sum + each.files, 0);
  const using = formatCount(repositories.length, 'repository', 'repositories');
  const title = `fleet: ${formatCount(count(uses, pen), 'use')} in ${formatCount(files, 'file')} of ${using}, ${searched} asked`;
  const lines = repositories.flatMap((each) => {
    const own = uses.list.filter(({ project }) => project === each.repo);
    const at = `${visibleLine(each.ref)} ${each.commit.slice(0, SHORT_OID)}, ${each.publishedAt.slice(0, 10)}`;
    const name = pen.dim(`  ${visibleLine(each.repo)}: ${formatCount(each.uses, 'use')} at ${at}`);
    return pen.skipped !== undefined && own.length === 0 ? [] : [name, ...own.map((use) => useLine(use, pen))];
  });
  return [...section(title, [...lines, ...more(uses.leftOut, pen)]), ...doubts(fleet, pen)];
}

/** Repositories that the answer does not cover. */
function doubts({ unknown, withoutRef, damaged }: FleetUsesDocument['fleet'], pen: Pen): string[] {
  const gaps = [
    ...(unknown > 0 ? [`${formatCount(unknown, 'repository', 'repositories')} published without what they use`] : []),
    ...(withoutRef > 0 ? [`${withoutRef} without this ref`] : []),
    ...(damaged > 0 ? [`${damaged} damaged`] : []),
  ];
  return gaps.length === 0 ? [] : [pen.dim(`not known: ${gaps.join('; ')}`)];
}
