/** Mentions of names in PHP: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['comment', 'text', 'string_content', 'nowdoc_body', 'heredoc_start', 'heredoc_end'],
  keywords: new Set(
    (
      'FALSE NULL TRUE abstract and array as bool break callable case catch class clone const continue ' +
      'declare default do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum ' +
      'extends false final finally float fn for foreach from function global goto if implements include ' +
      'include_once instanceof insteadof int interface isset iterable list match mixed namespace never new ' +
      'null object or parent php print private protected public readonly require require_once return self ' +
      'static string switch throw trait true try unset use var void while xor yield'
    ).split(' '),
  ),
  unimported: true,
  localPrefix: '$',
  labels: ':',
};
