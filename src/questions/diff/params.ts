/** Parameters of `diff`. */
import { groupDigits } from '../../base/digits.js';
import { integer, list, text, type Values } from '../../params/param.js';
import { path } from '../shared-params.js';

/** Most symbols listed. */
export const MAX_LIMIT = 100_000;
/** Symbols listed on the command line where no limit is given. */
export const COMMAND_LIMIT = 500;

/** A side as agents name it. */
const side = (summary: string) => text({ summary, maxLength: 1_024, completes: 'range', cli: false });

export const params = {
  refs: list({
    summary: 'A (compared with HEAD), A B, A..B, or A...B (since they parted)',
    completes: 'range',
    cli: { argument: '<refs...>' },
  }),
  from: side('the older side, or both as A..B or A...B'),
  to: side('the newer side'),
  path,
  limit: integer({
    summary: 'symbols listed',
    min: 1,
    max: MAX_LIMIT,
    defaultText: groupDigits(COMMAND_LIMIT),
    cli: { short: '-n', value: 'n' },
  }),
} as const;

export type DiffValues = Values<typeof params>;
