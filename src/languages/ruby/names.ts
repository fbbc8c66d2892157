/** Mentions of names in Ruby: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: [
    'comment',
    'string_content',
    'heredoc_content',
    'heredoc_beginning',
    'heredoc_end',
    'simple_symbol',
    'hash_key_symbol',
  ],
  code: ['interpolation'],
  keywords: new Set(
    (
      'BEGIN END __FILE__ __LINE__ __method__ alias and attr_accessor attr_reader attr_writer begin ' +
      'block_given? break case class def defined? do else elsif end ensure false for if in lambda loop ' +
      'module module_function next nil not or p private proc protected public puts raise redo rescue retry ' +
      'return self super then true undef unless until when while yield'
    ).split(' '),
  ),
  unimported: true,
  labels: ':',
};
