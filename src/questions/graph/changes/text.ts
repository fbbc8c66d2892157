/**
 * Text about the graphs before and after a change: dangling uses first, then calls that do not fit, then the API. Also
 * its users in a fleet, and the text of an impact: risk, users hop by hop, tests to run.
 */
import { groupDigits, shortOid } from '../../../base/printable.js';
import type { FleetUsesDocument } from '../../fleet/question.js';
import { formatCount, percent } from '../../format.js';
import type { Pen } from '../../pen.js';
import type { Approvals, ReviewDocument } from '../../review/question.js';
import {
  asides,
  type Block,
  count,
  type Item,
  type Piece,
  type Section,
  type Some,
  sectionOf,
  total,
} from '../../view.js';
import {
  definitionBlocks,
  doubtText,
  footerBlocks,
  linkedBlocks,
  mentionedBlocks,
  namedPieces,
  noteBlocks,
  othersBlocks,
  placeColumns,
  testBlocks,
  useItem,
  VERBS,
} from '../graph-text.js';
import type { GraphImpactResponse } from '../impact/question.js';
import type { CoupledFile, DanglingUse, Owner } from './output.js';

type ApprovedPart = Approvals['unseen']['list'][number];
type Changes = NonNullable<GraphImpactResponse['changes']>;

const CERTAINTIES = ['certain', 'likely', 'possible'] as const;

/** Dangling uses by certainty, the surest first. The rest of a cut list belongs to the least certain of those that are listed. */
function danglingGroups({ list, leftOut }: Some<DanglingUse>): Block[] {
  const groups = CERTAINTIES.map((certainty) => {
    return { certainty, list: list.filter((use) => use.certainty === certainty) };
  });
  const last = groups.filter((group) => group.list.length > 0).at(-1);
  return groups.map((group) =>
    sectionOf(
      `${group.certainty} dangling uses${group.certainty === 'possible' ? ': they may have meant what is gone' : ''}`,
      { ...group, leftOut: group === last ? leftOut : 0 },
      (use) => [use, { symbol: use.symbol }, { code: use.text }, { aside: fateText(use) }],
      { isUrgent: group.certainty === 'certain' },
    ),
  );
}

function bothVersionsBlocks({ notRead, dangling, mismatches, api, further }: Changes): Block[] {
  const notWhole = 'not read: these could not be parsed as a whole, so changes in them may be missing';
  return [
    sectionOf(notWhole, notRead, (path) => [{ path }], { isUrgent: true }),
    ...danglingGroups(dangling),
    sectionOf('calls that do not fit', mismatches, ({ path, line, symbol, text, detail, callee }) => [
      ...[{ path, line }, { symbol }, { code: `${text}()` }],
      { aside: [`${detail}: `, { path: callee.path, line: callee.line }] },
    ]),
    sectionOf('exported symbols', api, ({ change, path, startLine, symbol, signature, was, from }) => {
      const former = [from, was].filter((each) => each !== undefined).join(': ');
      const remark = { aside: former === '' ? '' : ['was ', { code: former }] };
      return [{ mark: change }, { path, line: startLine }, { code: signature ?? symbol ?? '' }, remark];
    }),
    sectionOf('routes, schemas, configuration', further, ({ kind, change, name, path, line }) => {
      const where = kind === 'route' ? [{ path, line }, { code: name }] : [{ path }];
      return [{ mark: change }, ...where, { aside: kind }];
    }),
  ];
}

/** `Cart.total of src/cart.ts was removed` */
export function fateText({ was, how, now }: Pick<DanglingUse, 'was' | 'how' | 'now'>): string {
  const name = was.symbol === null ? was.path : `${was.symbol} of ${was.path}`;
  if (how === 'removed' || now === undefined) return `${name} is gone`;
  if (how === 'hidden') return `${name} is not exported any more`;
  const place = now.symbol === null ? now.path : now.path === was.path ? now.symbol : `${now.path}:${now.line}`;
  return `${name} is ${place} now`;
}

/** Files that usually change together with the changed ones, and people who changed them. */
function historyBlocks({ coupled, owners }: Pick<Changes, 'coupled' | 'owners'>): Block[] {
  const along = 'changed along with these in the past, not now';
  const ownerItem = ({ author, share, commits }: Owner): Item => [
    ...[{ code: author }, { aside: `${percent(share)}, ${formatCount(commits, 'commit')}` }],
  ];
  return [
    sectionOf(along, coupled, (one) => [{ path: one.path }, { aside: coupledText(one) }]),
    sectionOf('owners by history', owners, ownerItem, { rest: othersText(owners) }),
  ];
}

/** People who are not listed: `and 37 others, 20% together`. */
function othersText({ list, leftOut }: Some<Owner>): string {
  const listed = list.reduce((sum, { share }) => sum + share, 0);
  return `and ${formatCount(leftOut, 'other')}, ${percent(Math.max(0, 1 - listed))} together`;
}

/** Files that usually change with the file of one target. */
function coupledBlock(coupled: Some<CoupledFile>, { skipped }: Pen): Block[] {
  if (coupled.list.length === 0)
    return skipped === undefined ? [{ say: ['nothing else usually changes with its file'] }] : [];
  const item = ({ path, together, of }: CoupledFile) => [
    ...[{ path }, { aside: `in ${together} of ${formatCount(of, 'commit')}` }],
  ];
  return [sectionOf('with its file usually also changes', coupled, item)];
}

/** `in 7 of the 9 commits of few files that changed src/cart.ts`: larger ones do not count. */
export function coupledText({ together, of, with: other }: CoupledFile): string {
  return `in ${together} of the ${formatCount(of, 'commit')} of few files that changed ${other}`;
}

const SHORT_OID = 10;

/** Uses by the repositories of a fleet, below the name of each. */
function fleetBlocks({ fleet, repositories, uses }: FleetUsesDocument, page: Partial<Pen>): Block[] {
  if (page.skipped !== undefined && uses.list.length === 0) return [];
  const searched = formatCount(fleet.searched, 'repository', 'repositories');
  if (repositories.length === 0)
    return [{ say: [`fleet: no known uses in ${searched}`], isApart: true }, ...doubts(fleet)];
  const files = repositories.reduce((sum, each) => sum + each.files, 0);
  const using = formatCount(repositories.length, 'repository', 'repositories');
  const title = `fleet: ${formatCount(count(uses, page), 'use')} in ${formatCount(files, 'file')} of ${using}, ${searched} asked`;
  const list = repositories.flatMap((each): Item[] => {
    const own = uses.list.filter(({ project }) => project === each.repo);
    const at = `${each.ref} ${each.commit.slice(0, SHORT_OID)}, ${each.publishedAt.slice(0, 10)}`;
    const name = { aside: `${each.repo}: ${formatCount(each.uses, 'use')} at ${at}` };
    return page.skipped !== undefined && own.length === 0 ? [] : [[name], ...own.map(useItem)];
  });
  return [{ title, list, leftOut: uses.leftOut }, ...doubts(fleet)];
}

/** Repositories that the answer does not cover. */
function doubts({ unknown, withoutRef, damaged }: FleetUsesDocument['fleet']): Block[] {
  const gaps = [
    ...(unknown > 0 ? [`${formatCount(unknown, 'repository', 'repositories')} published without what they use`] : []),
    ...(withoutRef > 0 ? [`${withoutRef} without this ref`] : []),
    ...(damaged > 0 ? [`${damaged} damaged`] : []),
  ];
  return asides(gaps.length === 0 ? [] : [`not known: ${gaps.join('; ')}`]);
}

type Affected = GraphImpactResponse['hops'][number]['affected'][number];

export function impactBlocks(response: GraphImpactResponse, { pen }: { pen: Pen }): Block[] {
  const { definitions, changes } = response;
  const isUnseen = pen.skipped === undefined && changes !== undefined && isUnnoticed(changes, response.risk);
  return [
    ...(changes === undefined ? definitionBlocks(definitions) : [changedHeading(changes)]),
    ...(isUnseen ? NOTHING : reachedBlocks(response, pen)),
  ];
}

const NOTHING = asides(['nothing that others could notice']);

function reachedBlocks(response: GraphImpactResponse, pen: Pen): Block[] {
  const { definitions, changes, affected, files, risk, possible, coupled, fleet } = response;
  const [{ symbol = null, path = 'NAME' } = {}] = definitions;
  const names = new Set(definitions.map((each) => each.symbol ?? ''));
  const reach = `affects ${formatCount(affected, 'symbol')} in ${formatCount(files, 'file')} within ${formatCount(response.depth, 'hop')}`;
  const same = `${formatCount(possible, 'use')} of the same name could not be resolved: ${pen.words.references(symbol ?? path)}`;
  return [
    riskBlock(risk),
    ...(changes === undefined ? [] : bothVersionsBlocks(changes)),
    { say: [affected === 0 ? noUsers(response) : reach], isApart: changes !== undefined },
    ...asides(possible === 0 ? [] : [same]),
    ...(risk.named === undefined ? [] : [{ say: namedPieces(risk.named, definitions, pen) }]),
    ...(changes === undefined ? [] : [changesBlock(changes)]),
    ...response.hops.map((hop) => hopSection(hop, names, pen)),
    ...testBlocks(response),
    ...mentionedBlocks(response.mentionedIn, pen),
    ...othersBlocks(response),
    ...(changes === undefined ? [] : historyBlocks(changes)),
    ...(coupled === undefined ? [] : coupledBlock(coupled, pen)),
    ...linkedBlocks(response.linked, pen),
    ...(fleet === undefined ? [] : fleetBlocks(fleet, pen)),
  ];
}

function noUsers({ changes, risk, tests }: GraphImpactResponse): string {
  const isTested = tests.list.some(({ reason }) => reason === 'calls');
  const nothing = `nothing ${changes === undefined ? '' : 'else '}${isTested ? 'but tests ' : ''}is known to use it`;
  return risk.level === 'unknown' ? `${nothing}, but uses may have been missed` : nothing;
}

/** Are all changes without users, is nothing removed that was used, and is it known what changed? */
function isUnnoticed(
  { symbols, removed, dangling, notRead, further }: Changes,
  { level }: GraphImpactResponse['risk'],
): boolean {
  return (
    level !== 'unknown' && total(symbols) + total(removed) + total(dangling) + total(notRead) + total(further) === 0
  );
}

function riskBlock({ level, reasons }: GraphImpactResponse['risk']): Block {
  const isUrgent = level === 'high' || level === 'critical';
  return { say: ['risk: ', { strong: level, isUrgent }, '  ', { aside: `(${reasons.join('; ')})` }] };
}

export function changedHeading(changes: Changes): Block {
  const { from, to, symbols, removed } = changes;
  const name = ({ ref, commit }: Changes['from']): Piece[] => [
    { code: ref },
    commit === null ? '' : ` (${shortOid(commit)})`,
  ];
  const gone = total(removed) === 0 ? '' : `, ${groupDigits(total(removed))} removed`;
  return {
    heading: [...name(from), ' to ', ...(to === null ? ['the work tree'] : name(to))],
    note: `${filesText(changes)}, ${formatCount(total(symbols), 'symbol')} changed${gone}`,
  };
}

/** `3 files`, or `3 files (2 of them not indexed)`. */
function filesText({ files, notIndexed }: Pick<Changes, 'files' | 'notIndexed'>): string {
  const all = formatCount(files + notIndexed, 'file');
  if (notIndexed === 0) return all;
  if (files === 0) return `${all} (not indexed)`;
  return `${all} (${groupDigits(notIndexed)} of them not indexed)`;
}

function changesBlock({ symbols, removed }: Changes): Block {
  const changed = symbols.list.map((change): Item => {
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
    return [{ mark: change.change }, ...placeColumns(change), { aside: details.join(', ') }];
  });
  const gone = removed.list.map(({ path, symbol, kind, uses }): Item => {
    const named = uses.list.slice(0, NAMED).flatMap((use, i): Item => [i === 0 ? ', still named at ' : ', ', use]);
    const rest = total(uses) > NAMED ? ` and ${groupDigits(total(uses) - NAMED)} more` : '';
    return [{ mark: 'removed' }, { path }, { symbol }, { aside: [kind, ...named, rest] }];
  });
  return {
    title: 'changes, largest effect first',
    ...{ list: [...changed, ...gone], leftOut: symbols.leftOut + removed.leftOut },
  };
}

/** Uses that are listed of something that is gone. */
const NAMED = 3;

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

type Hop = GraphImpactResponse['hops'][number];

/** Users at a distance. A direct call of one of `names` is not described. Users in one file that use the same definition share an entry. */
function hopSection({ hop, affected, leftOut }: Hop, names: ReadonlySet<string>, pen: Pen): Section {
  const groups: { first: Affected; how: string; who: Item[] }[] = [];
  for (const one of affected) {
    const who =
      one.symbol === null ? { aside: WHOLE_FILE.has(one.use) ? 'file' : 'top level' } : { symbol: one.symbol };
    const verb = one.use === 'call' && names.has(one.via) ? '' : `${STEP_VERBS[one.use] ?? one.use} ${one.via}`;
    const how = [verb, doubtText(one)].filter(Boolean).join('  ');
    const last = groups.at(-1);
    if (last?.first.path === one.path && last.how === how) last.who.push([', ', { number: one.line }, ' ', who]);
    else groups.push({ first: one, how, who: [[who]] });
  }
  const list = groups.map(({ first: { path, line }, how, who }) => [{ path, line }, who.flat(), { aside: how }]);
  return { title: `hop ${hop}: ${groupDigits(count({ list: affected, leftOut }, pen))}`, list, leftOut };
}

/** A review, in the order in which it is read. */
export function reviewBlocks(document: ReviewDocument, page: Partial<Pen> = {}): Block[] {
  const { changes, risk, affected, approvals, depth, linked } = document;
  const users = `users: ${groupDigits(changes.users.before)} before, ${groupDigits(affected)} now, within ${formatCount(depth, 'hop')}`;
  return [
    changedHeading(changes),
    ...(isUnnoticed(changes, risk) ? [] : [riskBlock(risk), { say: [users] }]),
    ...(approvals === undefined ? [] : approvalBlocks(approvals)),
    ...(isUnnoticed(changes, risk)
      ? NOTHING
      : [
          ...bothVersionsBlocks(changes),
          changesBlock(changes),
          ...testBlocks(document),
          ...mentionedBlocks(document.mentionedIn, page),
        ]),
    ...linkedBlocks(linked, page),
    ...historyBlocks(changes),
    ...noteBlocks(document.notes),
    ...footerBlocks(document),
  ];
}

const APPROVED_PARTS: Record<ApprovedPart['what'], string> = {
  symbol: '',
  outside: 'outside of symbols',
  file: 'the file as a whole',
  mode: 'its mode',
  removed: 'removed',
};

/** `41 of 47 changed parts are as they were approved, 6 are new`, by whom, and each of the six. */
export function approvalBlocks({ parts, seen, how, unseen, reviewers, minReviewers, unreadable }: Approvals): Block[] {
  const open = parts - seen;
  const by = minReviewers === 1 ? 'approved' : `approved by ${formatCount(minReviewers, 'reviewer')}`;
  const ways = (['moved', 'renamed', 'reindented'] as const).filter((way) => how[way] > 0);
  const told = ways.length === 0 ? '' : ` (${ways.map((way) => `${groupDigits(how[way])} ${way}`).join(', ')})`;
  const all = `${groupDigits(seen)} of ${formatCount(parts, 'changed part')} ${seen === 1 ? 'is as it was' : 'are as they were'}`;
  const proof = reviewers.every(({ signed }) => signed) ? '' : ' (names without proof)';
  const named = reviewers.map(reviewerText).join('; ');
  return [
    { say: [`${all} ${by}${told}, ${groupDigits(open)} ${open === 1 ? 'is' : 'are'} new`] },
    ...asides(reviewers.length === 0 ? [] : [`approved by ${named}${proof}`]),
    ...asides(unreadable === 0 ? [] : [`${formatCount(unreadable, 'approval')} could not be read`]),
    sectionOf('not approved yet', unseen, approvedItem),
  ];
}

const reviewerText = ({ name, email, signed, parts, by }: Approvals['reviewers'][number]): string =>
  `${email === '' ? name : `${name} <${email}>`}${by === 'agent' ? ', an agent' : ''}: ${groupDigits(parts)}${signed ? ', signed' : ''}`;

export const approvedItem = ({ path, symbol, what, line, reviewers }: ApprovedPart): Item => [
  ...[{ path, line }, { symbol }, APPROVED_PARTS[what]],
  { aside: reviewers === 0 ? '' : formatCount(reviewers, 'approval') },
];
