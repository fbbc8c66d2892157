/** Parameters of `conflicts`. */
import { integer, list, text, type Values } from '../../params/param.js';
import { graphLimit, snapshot } from '../shared-params.js';

/** Branches that are listed. */
export const LISTED_BRANCHES = 20;
/** Of each of the three lists of a branch: it is read at a glance. */
export const LISTED_OF_BRANCH = 6;
/** Days by which a branch may be older than the newest one. */
const MAX_AGE_DAYS = 90;

export const params = {
  branch: text({
    summary: 'a branch, a work tree, or any commit; without one, all that are not stale',
    maxLength: 1_024,
    minLength: 1,
    completes: 'ref',
    cli: { argument: '[branch]' },
  }),
  with: list({
    summary: 'only branches whose names match; "!glob" excludes; repeatable',
    maxLength: 512,
    minLength: 1,
    completes: 'ref',
    cli: { value: 'glob' },
  }),
  maxAge: integer({
    summary: 'leave out branches whose last commit is so many days older than the newest one of all',
    min: 0,
    max: 100_000,
    default: MAX_AGE_DAYS,
    cli: { value: 'days' },
  }),
  ...snapshot,
  limit: graphLimit('branches, and entries of each list of a branch', `${LISTED_BRANCHES} and ${LISTED_OF_BRANCH}`),
} as const;

export type ConflictsValues = Values<typeof params>;
