/**
 * Text about the graphs before and after a change: dangling uses first, then calls that do not fit, then the API. Also
 * its users in a fleet, and the text of an impact: risk, users hop by hop, tests to run.
 */
import { groupDigits, shortOid } from '../../../base/printable.js';
import type { FleetUsesDocument } from '../../fleet/question.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import type { ApiChange } from '../diff/question.js';
import {
  at,
  count,
  definitionLines,
  doubt,
  inside,
  linkedUsesLines,
  listing,
  mentionedInLines,
  more,
  namedLine,
  othersLine,
  percent,
  placeText,
  rows,
  type Some,
  section,
  testSections,
  total,
  useLine,
  VERBS,
} from '../graph-text.js';
import type { GraphImpactResponse } from '../impact/question.js';
import type { CoupledFile, DanglingUse, FurtherChange, Mismatch, Owner } from './output.js';

type Changes = NonNullable<GraphImpactResponse['changes']>;

const CERTAINTIES = ['certain', 'likely', 'possible'] as const;

/** Dangling uses by certainty, the surest first. The rest of a cut list belongs to the least certain of those that are listed. */
export function danglingGroups({ list, leftOut }: Some<DanglingUse>): ({ title: string } & Some<DanglingUse>)[] {
  const groups = CERTAINTIES.map((certainty) => {
    return { title: `${certainty} dangling uses`, list: list.filter((use) => use.certainty === certainty) };
  });
  const last = groups.filter((group) => group.list.length > 0).at(-1);
  return groups.map((group) => ({ ...group, leftOut: group === last ? leftOut : 0 }));
}

export function bothVersionsLines({ notRead, dangling, mismatches, api, further }: Changes, pen: Pen): string[] {
  const [certain, likely, possible] = danglingGroups(dangling);
  const uses = (title: string, group: Some<DanglingUse>) => listing(title, group, (use) => danglingLine(use, pen), pen);
  return [
    ...listing(
      pen.match('not read: these could not be parsed as a whole, so changes in them may be missing'),
      notRead,
      (path) => `  ${pen.path(path)}`,
      pen,
    ),
    ...uses(pen.match(certain.title), certain),
    ...uses(likely.title, likely),
    ...uses(`${possible.title}: they may have meant what is gone`, possible),
    ...listing('calls that do not fit', mismatches, (call) => mismatchLine(call, pen), pen),
    ...listing('exported symbols', api, (one) => apiLine(one, pen), pen),
    ...listing('routes, schemas, configuration', further, (one) => furtherLine(one, pen), pen),
  ];
}

function danglingLine(use: DanglingUse, pen: Pen): string {
  return `  ${inside(use.path, use.line, use.symbol, pen)}  ${use.text}  ${pen.dim(fateText(use))}`;
}

/** `Cart.total of src/cart.ts was removed` */
export function fateText({ was, how, now }: Pick<DanglingUse, 'was' | 'how' | 'now'>): string {
  const name = was.symbol === null ? was.path : `${was.symbol} of ${was.path}`;
  if (how === 'removed' || now === undefined) return `${name} is gone`;
  if (how === 'hidden') return `${name} is not exported any more`;
  const place = now.symbol === null ? now.path : now.path === was.path ? now.symbol : `${now.path}:${now.line}`;
  return `${name} is ${place} now`;
}

function mismatchLine({ path, line, symbol, text, detail, callee }: Mismatch, pen: Pen): string {
  const what = pen.dim(`${detail}: ${callee.path}:${callee.line}`);
  return `  ${inside(path, line, symbol, pen)}  ${text}()  ${what}`;
}

const MARKS: Readonly<Record<ApiChange['change'], string>> = { removed: '-', changed: '~', moved: '>', added: '+' };

function apiLine({ change, path, startLine, symbol, signature, was, from }: ApiChange, pen: Pen): string {
  const former = [...(from === undefined ? [] : [from]), ...(was === undefined ? [] : [was])];
  const note = former.length === 0 ? '' : pen.dim(`  was ${former.join(': ')}`);
  return `  ${MARKS[change]} ${at(path, startLine, pen)}  ${signature ?? symbol ?? ''}${note}`;
}

function furtherLine({ kind, change, name, path, line }: FurtherChange, pen: Pen): string {
  const place = kind === 'route' ? `${at(path, line, pen)}  ${name}` : pen.path(path);
  return `  ${MARKS[change]} ${place}  ${pen.dim(kind)}`;
}

/** Files that usually change together with the changed ones, and people who changed them. */
export function historyLines({ coupled, owners }: Pick<Changes, 'coupled' | 'owners'>, pen: Pen): string[] {
  return [
    ...listing(
      'changed along with these in the past, not now',
      coupled,
      (one) => `  ${pen.path(one.path)}  ${pen.dim(coupledText(one))}`,
      pen,
    ),
    ...section('owners by history', [
      ...owners.list.map(({ author, share, commits }) => {
        return `  ${author}  ${pen.dim(`${percent(share)}, ${formatCount(commits, 'commit')}`)}`;
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
function coupledLines(coupled: Some<CoupledFile>, pen: Pen): string[] {
  if (coupled.list.length === 0) return pen.skipped === undefined ? ['nothing else usually changes with its file'] : [];
  const line = ({ path, together, of }: CoupledFile) =>
    `  ${pen.path(path)}  ${pen.dim(`in ${together} of ${formatCount(of, 'commit')}`)}`;
  return listing('with its file usually also changes', coupled, line, pen);
}

/** `in 7 of the 9 commits of few files that changed src/cart.ts`: larger ones do not count. */
export function coupledText({ together, of, with: other }: CoupledFile): string {
  return `in ${together} of the ${formatCount(of, 'commit')} of few files that changed ${other}`;
}

const SHORT_OID = 10;

/** Uses by the repositories of a fleet, below the name of each. */
function fleetUsesLines({ fleet, repositories, uses }: FleetUsesDocument, pen: Pen): string[] {
  if (pen.skipped !== undefined && uses.list.length === 0) return [];
  const searched = formatCount(fleet.searched, 'repository', 'repositories');
  if (repositories.length === 0) return ['', `fleet: no known uses in ${searched}`, ...doubts(fleet, pen)];
  const files = repositories.reduce((sum, each) => sum + each.files, 0);
  const using = formatCount(repositories.length, 'repository', 'repositories');
  const title = `fleet: ${formatCount(count(uses, pen), 'use')} in ${formatCount(files, 'file')} of ${using}, ${searched} asked`;
  const lines = repositories.flatMap((each) => {
    const own = uses.list.filter(({ project }) => project === each.repo);
    const at = `${each.ref} ${each.commit.slice(0, SHORT_OID)}, ${each.publishedAt.slice(0, 10)}`;
    const name = pen.dim(`  ${each.repo}: ${formatCount(each.uses, 'use')} at ${at}`);
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

type Affected = GraphImpactResponse['hops'][number]['affected'][number];

export function impactText(response: GraphImpactResponse, { pen }: { pen: Pen }): string {
  const { definitions, changes, affected, files, risk, possible } = response;
  const lines = changes === undefined ? definitionLines(definitions, pen) : [changedLine(changes, pen)];
  const isFirst = pen.skipped === undefined;
  if (isFirst && changes !== undefined && isUnnoticed(changes, risk))
    return `${[...lines, pen.dim('nothing that others could notice')].join('\n')}\n`;
  lines.push(`risk: ${riskText(risk, pen)}`);
  if (changes !== undefined) lines.push(...bothVersionsLines(changes, pen), '');
  lines.push(
    affected === 0
      ? noUsers(response)
      : `affects ${formatCount(affected, 'symbol')} in ${formatCount(files, 'file')} within ${formatCount(response.depth, 'hop')}`,
  );
  if (possible > 0) {
    const [{ symbol = null, path = 'NAME' } = {}] = definitions;
    const next = pen.words.references(symbol ?? path);
    lines.push(pen.dim(`${formatCount(possible, 'use')} of the same name could not be resolved: ${next}`));
  }
  if (risk.named !== undefined) lines.push(namedLine(risk.named, definitions, pen));
  if (changes !== undefined) lines.push(...changeLines(changes, pen));
  const names = new Set(definitions.map(({ symbol }) => symbol ?? ''));
  for (const { hop, affected: list, leftOut } of response.hops) {
    const shown = { list, leftOut };
    const title = `hop ${hop}: ${groupDigits(count(shown, pen))}`;
    lines.push(...section(title, hopLines(shown, names, pen)));
  }
  lines.push(...testSections(response, pen), ...mentionedInLines(response.mentionedIn, pen));
  lines.push(...othersLine(response, pen));
  const further = <T>(part: T | undefined, write: (part: T, pen: Pen) => string[]) =>
    part === undefined ? [] : write(part, pen);
  lines.push(...further(changes, historyLines), ...further(response.coupled, coupledLines));
  lines.push(...further(response.linked, linkedUsesLines), ...further(response.fleet, fleetUsesLines));
  return `${lines.join('\n')}\n`;
}

function noUsers({ changes, risk, tests }: GraphImpactResponse): string {
  const isTested = tests.list.some(({ reason }) => reason === 'calls');
  const nothing = `nothing ${changes === undefined ? '' : 'else '}${isTested ? 'but tests ' : ''}is known to use it`;
  return risk.level === 'unknown' ? `${nothing}, but uses may have been missed` : nothing;
}

/** Are all changes without users, is nothing removed that was used, and is it known what changed? */
export function isUnnoticed(
  { symbols, removed, dangling, notRead, further }: Changes,
  { level }: GraphImpactResponse['risk'],
): boolean {
  return (
    level !== 'unknown' && total(symbols) + total(removed) + total(dangling) + total(notRead) + total(further) === 0
  );
}

export function riskText({ level, reasons }: GraphImpactResponse['risk'], pen: Pen): string {
  const shown = level === 'high' || level === 'critical' ? pen.match(level) : level;
  return `${shown}  ${pen.dim(`(${reasons.join('; ')})`)}`;
}

export function changedLine(changes: Changes, pen: Pen): string {
  const { from, to, symbols, removed } = changes;
  const name = ({ ref, commit }: Changes['from']) => (commit === null ? ref : `${ref} (${shortOid(commit)})`);
  const where = `${name(from)} to ${to === null ? 'the work tree' : name(to)}`;
  if (pen.skipped !== undefined) return pen.dim(where);
  const gone = total(removed) === 0 ? '' : `, ${groupDigits(total(removed))} removed`;
  return pen.dim(`${where}: ${filesText(changes)}, ${formatCount(total(symbols), 'symbol')} changed${gone}`);
}

/** `3 files`, or `3 files (2 of them not indexed)`. */
export function filesText({ files, notIndexed }: Pick<Changes, 'files' | 'notIndexed'>): string {
  const all = formatCount(files + notIndexed, 'file');
  if (notIndexed === 0) return all;
  if (files === 0) return `${all} (not indexed)`;
  return `${all} (${groupDigits(notIndexed)} of them not indexed)`;
}

const SYMBOL_MARKS: Record<Changes['symbols']['list'][number]['change'], string> = {
  added: '+',
  changed: '~',
  moved: '>',
  renamed: '>',
};

export function changeLines({ symbols, removed }: Changes, pen: Pen): string[] {
  const changeLine = (change: Changes['symbols']['list'][number]) => {
    const direct = change.hops[0];
    const users = direct === undefined ? 0 : direct.affected.length + direct.leftOut;
    const details = [
      ...(change.was === undefined ? [] : [`was ${change.was}`]),
      ...(change.ownBody ? ['its own body alone, users not drawn in'] : []),
      users === 0 ? 'no known users' : formatCount(users, 'direct user'),
      ...(users === 0 && change.possible > 0 ? [`${groupDigits(change.possible)} possible`] : []),
      ...(change.affected > users ? [`${groupDigits(change.affected)} in all`] : []),
      ...(total(change.tests) > 0 ? [formatCount(total(change.tests), 'test file')] : []),
      ...(change.risk.level === 'low' ? [] : [`${change.risk.level} risk`]),
    ];
    return `  ${SYMBOL_MARKS[change.change]} ${placeText(change, pen)}  ${pen.dim(details.join(', '))}`;
  };
  const goneLines = ({ path, symbol, kind, uses }: Changes['removed']['list'][number]) => [
    `  - ${pen.path(path)}  ${pen.symbol(symbol)}  ${pen.dim(kind)}`,
    ...rows(uses, (use) => `      still named at ${at(use.path, use.line, pen)}`, pen),
  ];
  return section('changes, largest effect first', [
    ...rows(symbols, changeLine, pen),
    ...rows(removed, goneLines, pen),
  ]);
}

/** Verbs of edges, and of steps without an edge. */
const STEP_VERBS: Readonly<Record<string, string>> = {
  ...VERBS,
  overrides: 'calls what is overridden by',
  contains: 'contains',
  named: 'reaches by name',
};
/** Verbs for uses by a whole file, not by code at its top level. */
const WHOLE_FILE: ReadonlySet<string> = new Set([
  ...['import', 'type-import', 'dynamic-import', 'require', 'reexport', 'type-reexport', 'include', 'module'],
]);

/** Lines of a hop. A direct call of one of `names` is not described. */
function hopLines(hop: Some<Affected>, names: ReadonlySet<string>, pen: Pen): string[] {
  const groups: { path: string; line: number; how: string; who: string[] }[] = [];
  for (const one of hop.list) {
    const who = one.symbol === null ? pen.dim(WHOLE_FILE.has(one.use) ? 'file' : 'top level') : pen.symbol(one.symbol);
    const isPlain = one.use === 'call' && names.has(one.via);
    const verb = isPlain ? '' : `  ${pen.dim(`${STEP_VERBS[one.use] ?? one.use} ${one.via}`)}`;
    const how = verb + doubt(one, pen);
    const last = groups.at(-1);
    if (last?.path === one.path && last.how === how) last.who.push(`${pen.line(String(one.line))} ${who}`);
    else groups.push({ path: one.path, line: one.line, how, who: [who] });
  }
  // Users in one file that use the same definition share a line.
  const lines = groups.map(({ path, line, how, who }) => `  ${at(path, line, pen)}  ${who.join(', ')}${how}`);
  return [...lines, ...more(hop.leftOut, pen)];
}
