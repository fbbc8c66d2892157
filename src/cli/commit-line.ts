/** The line under an answer in a terminal that says which commit the answer is about. */
import { groupDigits } from '../base/digits.js';
import { visibleLine } from '../base/hygiene.js';

/** Digits of a commit, as answers write it. */
const SHORT = 9;

interface Header {
  ref: string;
  commit: string;
  overlay: number;
}

/** `HEAD is 2c8cd3ac9; 2 uncommitted files included`. Null where the answer is about no commit, or its text says which. */
export function commitLine(document: object, text: string): string | null {
  const { ref, commit, overlay = 0 } = document as Partial<Header>;
  if (typeof ref !== 'string' || typeof commit !== 'string' || !('coverage' in document)) return null;
  const short = commit.slice(0, SHORT);
  if (text.includes(short)) return null;
  const name = visibleLine(ref.replace(/^refs\/(?:heads|tags|remotes)\//, ''));
  const what = commit.startsWith(ref) ? short : `${name} is ${short}`;
  const also =
    overlay === 0 ? '' : `; ${groupDigits(overlay)} uncommitted ${overlay === 1 ? 'file' : 'files'} included`;
  return what + also;
}
