/** How Java writes names, strings and comments. */
import type { LexicalConventions } from '../../roles/relations.js';

export const LEXICAL: LexicalConventions = {
  joins: ['::', '.'],
  nameExtra: '$',
  newWord: 'new',
  typeArguments: '<>',
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};
