/** Author of a new entry: the identity that git would put into a commit. */
import { SocraticodeError } from '../../base/errors.js';
import type { Claim } from '../../knowledge/entry.js';
import type { Session } from '../session.js';

/** UTF-16 code units of a name. Longer ones are cut. */
const MAX_NAME = 200;

interface Writer {
  /** True if a program writes: an agent's server, or a command that names an agent. */
  isAgent: boolean;
  agent?: string;
}

/** Author and time of a new entry. Throws BAD_CONFIG if git knows no name. */
export function claimNow({ gitConfig }: Session, { isAgent, agent }: Writer): Claim {
  const configured = (key: string) => gitConfig.filter((entry) => entry.key === key).at(-1)?.value;
  const name = clean(process.env.GIT_AUTHOR_NAME ?? configured('user.name'));
  if (name === '')
    throw new SocraticodeError('BAD_CONFIG', 'git does not know who you are, and every entry names its author', {
      hint: 'git config --global user.name "Your Name" && git config --global user.email you@example.com',
    });
  const email = clean(process.env.GIT_AUTHOR_EMAIL ?? configured('user.email'));
  const program = clean(agent);
  return {
    author: { name, email, by: isAgent ? 'agent' : 'person', ...(program !== '' && { agent: program }) },
    time: Math.floor(Date.now() / 1_000),
  };
}

/** Removes whatever a terminal cannot show. */
function clean(text: string | undefined): string {
  const plain = (text ?? '').replace(/[\p{Cc}\p{Cf}\p{Surrogate}\u2028\u2029]/gu, ' ').trim();
  return plain.slice(0, MAX_NAME).replace(/\p{Surrogate}/gu, '');
}
