/** Names and addresses as `.mailmap` of the work tree (of HEAD in a bare repository) has them. */
import { isSocraticodeError } from '../base/errors.js';
import type { Git } from './process.js';

export interface Contact {
  author: string;
  email: string;
}

/** Git refuses all contacts if one has no form; a line each. */
const isPlain = ({ author, email }: Contact): boolean => !/[\n\r\0<>]/.test(author + email) && email.trim() !== '';

/** Contacts that the mailmap changes, as they were and as they are to be. Empty where git can read no mailmap. */
export async function mappedContacts(
  git: Git,
  contacts: readonly Contact[],
  signal?: AbortSignal,
): Promise<{ was: Contact; now: Contact }[]> {
  const plain = contacts.filter(isPlain);
  if (plain.length === 0) return [];
  const input = plain.map(({ author, email }) => `${author} <${email}>\n`).join('');
  const lines = await run(git, Buffer.from(input), signal);
  if (lines.length !== plain.length) return [];
  return plain.flatMap((was, i) => {
    const [, author, email] = /^(.*?) ?<(.*)>$/.exec(lines[i]) ?? [];
    const isSame = author === undefined || (author === was.author.trim() && email === was.email);
    return isSame ? [] : [{ was, now: { author, email } }];
  });
}

async function run(git: Git, input: Buffer, signal: AbortSignal | undefined): Promise<string[]> {
  try {
    const { stdout } = await git.run(['check-mailmap', '--stdin'], { input, signal });
    return stdout.toString('utf8').split('\n').slice(0, -1);
  } catch (error) {
    if (isSocraticodeError(error, 'GIT_FAILED')) return [];
    throw error;
  }
}
