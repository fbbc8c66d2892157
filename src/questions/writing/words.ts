/** How the next step is worded (data): as commands and options for people, as tools and parameters for agents. */
import { shellWord } from '../../base/hygiene.js';
import { optionText } from '../../params/command-line.js';

export interface Words {
  /** Ends a list that was cut; '' where that is said once, at the end of the answer. */
  more: string;
  /** Question that lists uses of a name which could not be resolved. */
  references: (name: string) => string;
  /** Another way to pick one of several definitions. */
  byFile: string;
  reverse: string;
  words: string;
  narrower: string;
  path: string;
  /** Ends results of which some lines alone are shown; '' where the reader has the file. */
  whole: string;
  maxCommits: string;
  noResults: string;
  cycles: string;
  unshallow: string;
  /** Question that compares uncommitted changes. */
  uncommitted: string;
}

export const COMMAND_WORDS: Words = {
  more: `raise ${optionText('limit')}`,
  references: (name) => `git socraticode graph references ${shellWord(name)}`,
  byFile: `or with ${optionText('file')} PATH`,
  reverse: `add ${optionText('reverse')}`,
  words: `${optionText('words')} looks for code that mentions it`,
  narrower: `raise ${optionText('limit')} or name a ${optionText('path')}`,
  path: `name a ${optionText('path')}`,
  whole: '',
  maxCommits: `${optionText('maxCommits')} N walks further back`,
  noResults: 'no results; try other words, fewer filters, or `git socraticode status`',
  cycles: 'graph cycles lists them',
  unshallow: '`git fetch --unshallow` brings the rest',
  uncommitted: 'commits were compared; `graph impact` alone is about what is uncommitted',
};

export const TOOL_WORDS: Words = {
  more: '',
  references: () => 'codebase_references lists them',
  byFile: 'or with the parameter file',
  reverse: 'ask with the two exchanged',
  words: 'codebase_search looks for code that mentions it',
  narrower: 'ask again with the cursor, or narrow the path',
  path: 'narrow the path',
  whole: 'codebase_read shows the whole of a result: its heading is a target',
  maxCommits: 'a higher maxCommits walks further back',
  noResults: 'no results; try other words or fewer filters; codebase_status says what is indexed',
  cycles: 'codebase_graph_circular lists them',
  unshallow: 'unshallow it to see the rest',
  uncommitted: 'commits were compared; codebase_impact without a target is about what is uncommitted',
};
