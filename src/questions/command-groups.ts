/** Commands that hold others (data). */
import type { Group } from './question.js';

/** By their word: the first of questions that have two. */
export const COMMAND_GROUPS: Readonly<Record<string, { summary: string; group: Group }>> = {
  graph: { summary: 'ask who imports, calls and inherits what, and what a change breaks', group: 'Follow code' },
  context: { summary: 'search and index named files and folders next to the code', group: 'Find code' },
  hooks: { summary: 'keep the index up to date by git hooks, in the background', group: 'Index' },
  share: { summary: 'configure how the index travels with a remote', group: 'Share' },
};
