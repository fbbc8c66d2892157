/** Risk of a change that both sides are known of: uses that dangle weigh more than what merely may be affected. */
import { groupDigits } from '../../../../base/digits.js';
import type { Impact } from '../output.js';
import type { DanglingUse, Mismatch } from './output.js';

type Risk = Impact['risk'];
type Level = Risk['level'];

const LEVELS: readonly Level[] = ['low', 'medium', 'high', 'critical'];

/** Uses from which on a level applies, the highest first. */
const BY_CERTAINTY: Readonly<Record<DanglingUse['certainty'], readonly [least: number, level: Level][]>> = {
  certain: [
    [10, 'critical'],
    [1, 'high'],
  ],
  likely: [
    [10, 'high'],
    [1, 'medium'],
  ],
  possible: [
    [50, 'high'],
    [1, 'medium'],
  ],
};

const SAID: Readonly<Record<DanglingUse['certainty'], string>> = {
  certain: 'nowhere now',
  likely: 'nowhere now, as it seems',
  possible: 'nowhere, and may have meant what is gone',
};

export const highest = (a: Level, b: Level): Level => (LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b);

/**
 * The risk of what is left, or of what was there before, raised by what both sides show. Its reasons come first. `mentions`: uses
 * that had the name of what is gone and led nowhere before the change. `isLost`: more tests reached the code before than do now.
 */
export function riskOfBoth(
  now: Risk,
  before: Risk,
  found: { dangling: readonly DanglingUse[]; mismatches: readonly Mismatch[]; mentions: number; isLost: boolean },
): Risk {
  const { dangling, mismatches, mentions } = found;
  let level = highest(now.level, before.level);
  const reasons: string[] = [];
  for (const certainty of ['certain', 'likely', 'possible'] as const) {
    const uses = dangling.filter((use) => use.certainty === certainty);
    const reached = BY_CERTAINTY[certainty].find(([least]) => uses.length >= least);
    if (reached === undefined) continue;
    level = highest(level, reached[1]);
    const files = new Set(uses.map(({ path }) => path)).size;
    reasons.push(
      `${plural(uses.length, 'use')} in ${plural(files, 'file')} ${uses.length === 1 ? 'leads' : 'lead'} ${SAID[certainty]}`,
    );
  }
  if (reasons.length === 0 && mentions > 0) {
    level = highest(level, 'medium');
    reasons.push(`${plural(mentions, 'use')} of a former name could not be resolved, and may have meant what is gone`);
  }
  const wrong = mismatches.filter((call) => call.level === 'error').length;
  if (wrong > 0) reasons.push(`${plural(wrong, 'call')} ${wrong === 1 ? 'does' : 'do'} not fit the parameters of now`);
  if (mismatches.length > 0) level = highest(level, wrong > 0 ? 'high' : 'medium');
  const isBefore = highest(now.level, before.level) === before.level && (before.level !== now.level || found.isLost);
  const were = isBefore ? before.reasons.map((reason) => `before: ${reason}`) : now.reasons;
  return { level, reasons: [...reasons, ...were] };
}

const plural = (count: number, one: string): string => `${groupDigits(count)} ${one}${count === 1 ? '' : 's'}`;
