/** Answers `review`, as text for terminals, as Markdown for a pull request, or as SARIF for code scanners. */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { groupDigits, safeJson, visibleLine } from '../../base/printable.js';
import { packageVersion } from '../../base/runtime.js';
import { APPROVALS_KIND, ONE_SET, refOfSet } from '../../knowledge/kinds.js';
import { parseRange, type Range } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import { checkStaged, prepareBothGraphs } from '../graph/changes/both-graphs.js';
import { impactOfRange } from '../graph/changes/impact-of-range.js';
import { fateText, reviewBlocks } from '../graph/changes/text.js';
import { LISTED } from '../graph/graph-question.js';
import type { Pen } from '../pen.js';
import { notesOn } from '../shown-knowledge.js';
import { type Block, blockLines, blocksMarkdown, type Some, total } from '../view.js';
import { comparedCommits, rangeOfBranch, unseenCode } from './approvals.js';
import type { Approvals, ReviewDocument, ReviewValues } from './question.js';

/** Most entries of lists for a program, which filters them. */
const LISTED_FOR_PROGRAMS = 1_000;

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerReview(at: Asker, values: ReviewValues): Promise<ReviewDocument> {
  const { format, depth, committed, staged } = values;
  checkStaged(values, values.range ?? '');
  const isApproved = ASKS_FOR_APPROVALS.some((name) => values[name] !== undefined && values[name] !== false);
  const asked = await rangeFor(at, values, isApproved);
  const both = await prepareBothGraphs(at, asked.range, { committed, staged });
  const isWide = format === 'sarif' || values.unseen === true;
  const limit = values.limit ?? (isWide ? LISTED_FOR_PROGRAMS : LISTED.impact);
  const options = { depth, minConfidence: 0, limit };
  const document = await impactOfRange(at, both, { target: asked.text, options, linked: values.linked });
  const approvals = await approvalsOf(at, values, { range: asked.range, isApproved });
  const { symbols, to } = document.changes;
  const newer = to === null ? {} : { ref: to.ref };
  const notes = await notesOn(at, newer, symbols.list);
  const shown = approvals === null ? {} : { approvals };
  return { ...(values.unseen && approvals !== null ? unseenOnly(document, approvals) : document), ...notes, ...shown };
}

const ASKS_FOR_APPROVALS = ['unseen', 'minReviewers', 'by', 'signed', 'reindented'] as const;

/** The range that is reviewed; null for uncommitted changes. Approvals are about commits, by default those of this branch. */
async function rangeFor(
  { session }: Asker,
  { range = '', staged }: ReviewValues,
  isApproved: boolean,
): Promise<{ range: Range | null; text: string }> {
  if (!isApproved) return { range: range === '' ? null : parseRange(range), text: range };
  if (staged)
    throw new SocraticodeError('BAD_ARGUMENT', 'what is staged is no commit, and approvals are about commits', {
      hint: 'Leave out what is staged, or the approvals.',
    });
  const parsed = range === '' ? await rangeOfBranch(session) : parseRange(range);
  const whole = { ...parsed, to: parsed.to ?? 'HEAD' };
  return { range: whole, text: `${whole.from}${whole.symmetric ? '...' : '..'}${whole.to}` };
}

/** Approvals of a range between commits, where they were asked for or anybody has given one. */
async function approvalsOf(
  at: Asker,
  values: ReviewValues,
  { range, isApproved }: { range: Range | null; isApproved: boolean },
): Promise<Approvals | null> {
  if (range?.to === undefined) return null;
  const { objects } = at.session;
  const refs = [true, false].map((isShared) => objects.info(refOfSet(APPROVALS_KIND, ONE_SET, isShared)));
  const hasAny = (await Promise.all(refs)).some((tip) => tip !== null);
  if (!isApproved && !hasAny) return null;
  const { by, minReviewers, reindented, signed, limit = LISTED.impact } = values;
  try {
    return await unseenCode(at, await comparedCommits(at.session, range), {
      by,
      minReviewers,
      reindented,
      signed,
      limit,
    });
  } catch (error) {
    // Trees have no approvals.
    if (isApproved || !isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
    return null;
  }
}

/** A review whose lists of symbols have only what too few have seen. */
function unseenOnly(document: ReviewDocument, { unseen }: Approvals): ReviewDocument {
  const keyOf = ({ path, symbol }: { path: string; symbol: string | null }) => JSON.stringify([path, symbol]);
  const open = new Set(unseen.list.map(keyOf));
  const files = new Set(unseen.list.map(({ path }) => path));
  const isOpen = (one: { path: string; symbol: string | null }) =>
    unseen.leftOut > 0 || open.has(keyOf(one)) || (one.symbol === null && files.has(one.path));
  const only = <T extends { path: string; symbol: string | null }>({ list: all, leftOut }: Some<T>) => ({
    list: all.filter(isOpen),
    leftOut,
  });
  const { symbols, removed, api } = document.changes;
  return {
    ...document,
    changes: { ...document.changes, symbols: only(symbols), removed: only(removed), api: only(api) },
  };
}

export function reviewText(document: ReviewDocument, { pen, values }: { pen: Pen; values: ReviewValues }): string {
  const { format, failOn } = values;
  if (format === 'sarif') return reviewSarif(document);
  const verdict: Block[] = failOn === undefined ? [] : [{ say: [failText(document, failOn)], isApart: true }];
  const blocks = [...reviewBlocks(document, pen), ...verdict];
  return format === 'markdown' ? blocksMarkdown('Review of', blocks) : `${blockLines(blocks, pen).join('\n')}\n`;
}

/** Says why the exit status is what it is, and of what a review can be sure. */
function failText({ changes, risk }: ReviewDocument, failOn: 'dangling' | 'high'): string {
  const certain = changes.dangling.list.filter(({ certainty }) => certainty === 'certain').length;
  const others = total(changes.dangling) - certain;
  const rest =
    others === 0 ? '' : `; ${groupDigits(others)} less sure ${others === 1 ? 'one does' : 'ones do'} not count`;
  if (certain > 0)
    return `fails: ${formatCount(certain, 'use')} certainly ${certain === 1 ? 'dangles' : 'dangle'}${rest}`;
  if (failOn === 'high' && (risk.level === 'high' || risk.level === 'critical'))
    return `fails: the risk is ${risk.level}, though no use certainly dangles${rest}`;
  return `passes: no use certainly dangles${rest}${failOn === 'high' ? `; the risk is ${risk.level}` : ''}`;
}

// A review as SARIF 2.1.0, OASIS's format for results of static analysis, which code scanners read.

type Level = 'error' | 'warning' | 'note';

interface Finding {
  rule: RuleId;
  level: Level;
  message: string;
  path: string;
  line: number;
  /** Further place of the finding. */
  related?: { path: string; line: number; message: string };
}

const RULES = {
  'dangling-use': 'A use leads nowhere since the change.',
  'call-mismatch': 'A call does not fit the parameters of what it calls.',
  'api-change': 'An exported symbol is gone or declared otherwise.',
  'high-risk': 'A change affects much.',
} as const;
type RuleId = keyof typeof RULES;
const RULE_IDS = Object.keys(RULES) as RuleId[];

const LEVELS = { certain: 'error', likely: 'warning', possible: 'note' } as const;

export function reviewSarif(document: ReviewDocument): string {
  const driver = {
    name: 'git-socraticode',
    version: packageVersion(),
    rules: RULE_IDS.map((id) => ({ id, shortDescription: { text: RULES[id] } })),
  };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results: findings(document).map(resultOf) }],
  };
  return `${safeJson(log, 2)}\n`;
}

function findings({ changes }: ReviewDocument): Finding[] {
  const { dangling, mismatches, api, symbols } = changes;
  return [
    ...dangling.list.map((use): Finding => {
      const { path, line, text, certainty, now } = use;
      const related = now && { path: now.path, line: now.line, message: 'It is here now.' };
      const message = `${text} leads nowhere: ${fateText(use)}.`;
      return { rule: 'dangling-use', level: LEVELS[certainty], message, path, line, related };
    }),
    ...mismatches.list.map(({ path, line, text, level, detail, callee }): Finding => {
      const related = { path: callee.path, line: callee.line, message: 'The function that is called.' };
      return { rule: 'call-mismatch', level, message: `${text}(): ${detail}.`, path, line, related };
    }),
    ...api.list.flatMap(({ change, path, startLine, symbol, was }): Finding[] => {
      // A removed symbol has no line after the change.
      if (change !== 'changed') return [];
      const message = `The declaration of ${symbol} changed${was === undefined ? '' : ` from ${was}`}.`;
      return [{ rule: 'api-change', level: 'note', message, path, line: startLine }];
    }),
    ...symbols.list.flatMap(({ path, startLine, symbol, risk }): Finding[] => {
      if (risk.level !== 'high' && risk.level !== 'critical') return [];
      const message = `A change of ${symbol ?? path} has ${risk.level} risk: ${risk.reasons.join('; ')}.`;
      return [{ rule: 'high-risk', level: 'note', message, path, line: startLine }];
    }),
  ];
}

function resultOf({ rule, level, message, path, line, related }: Finding) {
  return {
    ruleId: rule,
    ruleIndex: RULE_IDS.indexOf(rule),
    level,
    // In SARIF messages, brackets are links.
    message: { text: visibleLine(message).replace(/[[\]\\]/g, '\\$&') },
    locations: [locationOf(path, line)],
    ...(related && {
      relatedLocations: [{ ...locationOf(related.path, related.line), message: { text: related.message } }],
    }),
  };
}

/** A URI relative to the top of the repository. */
function locationOf(path: string, line: number) {
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine: line } } };
}
