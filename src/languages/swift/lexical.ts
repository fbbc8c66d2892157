/** How Swift writes names, strings and comments. */
import type { LexicalConventions } from '../roles/relations.js';

export const LEXICAL: LexicalConventions = {
  joins: ['?.', '!.', '.'],
  nameExtra: '$`',
  postfix: '!?',
  prefixes: ['try?', 'try!', 'try', 'await', '&'],
  typeArguments: '<>',
  root: (name) => (name === 'self' || name === 'Self' ? 'this' : name),
  quotes: '"',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};
