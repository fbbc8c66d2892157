/** Mentions of names in C#: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: [
    'comment',
    'string_literal_content',
    'string_content',
    'verbatim_string_literal',
    'raw_string_content',
    'character_literal',
    'preproc_region',
    'preproc_endregion',
    'interpolation_format_clause',
  ],
  keywords: new Set(
    (
      'abstract add and as async await base bool break by byte case catch char checked class const continue ' +
      'decimal default delegate descending do double dynamic else enum equals event explicit extern false ' +
      'finally fixed float for foreach from get global goto group if implicit in init int interface ' +
      'internal into is join let lock long nameof namespace new not notnull null object on operator or ' +
      'orderby out override params partial private protected public readonly record ref remove required ' +
      'return sbyte sealed select set short sizeof stackalloc static string struct switch this throw true ' +
      'try typeof uint ulong unchecked unmanaged unsafe ushort using value var virtual void volatile when ' +
      'where while with yield'
    ).split(' '),
  ),
  unimported: true,
  labels: ':',
  formats: true,
};
