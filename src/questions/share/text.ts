/** Text of `push`, `pull` and `share`. */
import { groupDigits } from '../../base/digits.js';
import { shellWord, visibleLine } from '../../base/hygiene.js';
import { formatBytes, formatCount } from '../writing/format.js';
import type { PullReport, PushReport, ShareReport } from './output.js';
import type { Verified } from './verify.js';

/** Words for one and many of what is sent, and for a remote that has none. */
const RECORDS = ['record', 'records', 'it has no index for this version and these settings'] as const;
const ENTRIES = ['entry', 'entries', 'it has no notes, tasks or tags'] as const;
type Nouns = typeof RECORDS | typeof ENTRIES;

/** `origin: 3,764 records sent, 1.2 MB; 12 withheld, as no branch or tag of origin has what they are about` */
const pushTextOf =
  ([one, many]: Nouns) =>
  ({ remote, status, sent, bytes, withheld, unseen, received, attempts }: PushReport): string => {
    const name = visibleLine(remote);
    const verb = status === 'would-send' ? 'would be sent' : 'sent';
    const clauses = [
      sent > 0
        ? `${formatCount(sent, one, many)} ${verb}, ${formatBytes(bytes)}`
        : unseen > 0
          ? 'nothing sent'
          : 'up to date',
    ];
    if (received > 0) clauses.push(`${groupDigits(received)} received`);
    if (withheld > 0) {
      const known = unseen > 0 ? 'known ' : '';
      const about = withheld === 1 ? 'what it is about' : 'what they are about';
      clauses.push(`${groupDigits(withheld)} withheld, as no ${known}branch or tag of ${name} has ${about}`);
      if (unseen > 0)
        clauses.push(
          `this clone lacks ${groupDigits(unseen)} of its branches and tags: git fetch ${shellWord(name)}, then push again`,
        );
    }
    if (attempts > 1) clauses.push(`${attempts} attempts, as others were pushing`);
    return `${name}: ${clauses.join('; ')}\n`;
  };

const pullTextOf =
  ([one, many, none]: Nouns) =>
  ({ remote, received, refs, verified }: PullReport): string => {
    const news = received > 0 ? `${formatCount(received, one, many)} received` : refs.length > 0 ? 'nothing new' : none;
    return `${visibleLine(remote)}: ${news}${verified === null ? '' : verifiedClause(verified)}\n`;
  };

function verifiedClause({ equal, different, notComparable }: Verified): string {
  const of = equal + different.length + notComparable;
  return `; ${formatCount(of, 'record')} derived again, ${different.length === 0 ? 'none differs' : `${groupDigits(different.length)} false`}`;
}

export const [pushText, pullText] = [pushTextOf(RECORDS), pullTextOf(RECORDS)];
export const [entriesPushText, entriesPullText] = [pushTextOf(ENTRIES), pullTextOf(ENTRIES)];

export function shareText({ remote, enabled, changed, mirrored, refs }: ShareReport): string {
  const name = visibleLine(remote);
  const now = changed ? 'now ' : '';
  const effect = enabled ? 'brings the index' : 'leaves the index alone';
  const lines = [[`${name}: git fetch`, `${now}${effect}`].join(' ')];
  if (mirrored) {
    lines.push(`  it maps the notes of ${name} onto the local ones: fetching drops records that were not pushed`);
  }
  for (const { ref, ahead, behind, local, tracked } of refs) {
    const where = local ? (tracked ? 'on both sides' : 'only here') : `only on ${name}`;
    const counts = `${formatCount(ahead, 'record')} to push, ${groupDigits(behind)} to pull`;
    lines.push(`  ${visibleLine(ref)}: ${where}, ${counts}`);
  }
  return `${lines.join('\n')}\n`;
}
