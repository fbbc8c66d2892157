/** Cursors: the start of the next page, and the answer that it belongs to. A cursor comes from the client, so all of it is checked. */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../../base/errors.js';

export interface Cursor {
  /** Entries of each list that were shown. */
  skip: number;
  /** Hash of the tool and of its arguments, without cursor and budget. */
  question: string;
  /** First digits of the commit that the answer is about; '' without one. */
  commit: string;
}

/** Most entries to skip, which bounds the work for a forged cursor. */
const MAX_SKIP = 1_000_000;
const HASH_DIGITS = 12;
const COMMIT_DIGITS = 9;
const FORM = /^(\d{1,7})\.([0-9a-f]{12})\.([0-9a-f]{0,9})$/;

/** Arguments that change the size of a page, not the answer. */
const ASIDE = new Set(['cursor', 'maxTokens']);

const AGAIN = { hint: 'Ask again without cursor.' };

export function hashQuestion(tool: string, input: object): string {
  const asked = Object.entries(input).filter(([name, value]) => !ASIDE.has(name) && value !== undefined);
  const sorted = asked.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted]))
    .digest('hex')
    .slice(0, HASH_DIGITS);
}

export const shortCommit = (commit: string | null | undefined): string => (commit ?? '').slice(0, COMMIT_DIGITS);

export function writeCursor({ skip, question, commit }: Cursor): string {
  return Buffer.from(`${skip}.${question}.${commit}`).toString('base64url');
}

/** Parses a cursor. Throws BAD_ARGUMENT for one that no reply contained, and for that of another question. */
export function readCursor(text: string, question: string): Cursor {
  const match = FORM.exec(Buffer.from(text, 'base64url').toString('latin1'));
  const skip = Number(match?.[1] ?? Number.NaN);
  if (match === null || !(skip <= MAX_SKIP))
    throw new SocraticodeError('BAD_ARGUMENT', 'this is no cursor of a reply', AGAIN);
  if (match[2] !== question)
    throw new SocraticodeError('BAD_ARGUMENT', 'the cursor belongs to a question with other arguments', {
      hint: 'Repeat the arguments of the reply that it came with, or ask again without cursor.',
    });
  return { skip, question, commit: match[3] };
}

/** Throws BAD_ARGUMENT if the answer is about another commit than the previous page. */
export function checkCommit(cursor: Cursor, commit: string): void {
  if (cursor.commit === commit) return;
  throw new SocraticodeError(
    'BAD_ARGUMENT',
    `the repository has moved on to ${commit || 'another tree'} since the page before`,
    AGAIN,
  );
}
