/** Answers `publish`: chooses refs and names, opens the fleet, and publishes one ref after the other. */
import { formatBytes, formatCount } from '../format.js';
import type { PublishReport } from './question.js';

const SHORT = 10;

/** `main 1234567890: published, 12 files sent, 40 kB` */
export function publishText({ repo, to, refs }: PublishReport): string {
  const lines = refs.map((each) => `${each.ref} ${each.commit.slice(0, SHORT)}: ${outcomeOf(each)}\n`);
  const none = refs.length === 0 ? 'nothing to publish: no branch matches\n' : '';
  return `${repo} -> ${to}\n${lines.join('')}${none}`;
}

function outcomeOf({ outcome, missing, sentBytes, covered, total }: PublishReport['refs'][number]): string {
  const files = formatCount(missing, 'file', 'files');
  switch (outcome) {
    case 'published': {
      const sent = missing === 0 ? 'every file was there' : `${files} sent, ${formatBytes(sentBytes)}`;
      return covered < total
        ? `published, ${sent}; ${total - covered} of ${total} files are left out`
        : `published, ${sent}`;
    }
    case 'planned':
      return `${files} would be sent`;
    case 'superseded':
      return 'superseded: the fleet has a newer commit';
    case 'deleted':
      return 'removed from the fleet';
    case 'unchanged':
      return 'up to date';
  }
}
