/** Parameters of `pack`. */
import { flag, integer, text, type Values } from '../../params/param.js';
import { path, snapshot } from '../shared-params.js';

/** Tokens of a pack where none are asked for, and the most that can be. */
export const PACK_TOKENS = 12_000;
export const MAX_PACK_TOKENS = 100_000;

export const params = {
  task: text({
    summary: 'what is to be done or understood; names and places (src/a.ts:12) in it are looked up',
    maxLength: 1_000_000,
    cli: { argument: '[task...]' },
  }),
  maxTokens: integer({ summary: 'budget', min: 500, max: MAX_PACK_TOKENS, default: PACK_TOKENS, cli: { value: 'n' } }),
  ...snapshot,
  path,
  tests: flag({ summary: 'leave tests out', default: true }),
  stdin: flag({ summary: 'read the task from stdin: the output of a failing test, an issue' }),
} as const;

export type PackValues = Values<typeof params>;
