/** How Python writes names, strings and comments. */
import type { LexicalConventions } from '../roles/relations.js';

export const LEXICAL: LexicalConventions = {
  lines: true,
  joins: ['.'],
  prefixes: ['await'],
  root: (name, join) => (name === 'self' || name === 'cls' ? 'this' : name === 'super' && join !== '' ? 'super' : name),
  quotes: '"\'',
  lineComments: ['#'],
  spread: /^\*/,
};
export const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
export const HANDED_ON = /^(?:\w+\s*=\s*)?((?!(?:None|True|False)$)[\p{L}_][\p{L}\p{N}_.]*)$/u;
