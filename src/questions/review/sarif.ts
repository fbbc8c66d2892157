/** A review as SARIF 2.1.0, the format of OASIS for results of static analysis that code scanners take. */
import { safeJson, visibleLine } from '../../base/hygiene.js';
import { packageVersion } from '../../base/version.js';
import { fateText } from '../graph/impact/sides/text.js';
import type { ReviewDocument } from './output.js';

type Level = 'error' | 'warning' | 'note';

interface Finding {
  rule: RuleId;
  level: Level;
  message: string;
  path: string;
  line: number;
  /** Further place that the finding is about. */
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
      // A removed symbol has no line in the files of now.
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
    // Brackets would be links.
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
