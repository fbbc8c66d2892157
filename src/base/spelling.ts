/** Suggestions for a mistyped name or path, by edit distance, and advice on a name that was typed with a ref in it. */
import { posix } from 'node:path';

/** Longest word that is compared, which bounds the work: longer words are no typing errors. */
const MAX_LENGTH = 64;

/**
 * Candidate that `word` most likely meant: at most a third of its letters differ, or one. Null if none is that near.
 * Case does not matter, and `limit` is near `search.limit`.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > MAX_LENGTH) return null;
  const wanted = word.toLowerCase();
  const budget = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let bestDistance = budget + 1;
  for (const candidate of candidates) {
    const full = candidate.toLowerCase();
    const short = full.slice(full.lastIndexOf('.') + 1);
    // A match of the last part alone costs one edit more, so that a full match wins.
    const distance = Math.min(
      editDistance(wanted, full, budget),
      short === full ? Number.MAX_VALUE : editDistance(wanted, short, budget) + 1,
    );
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits (insert, delete, replace, swap neighbours) from `a` to `b`, both short; beyond `most` it may say Infinity. */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  let least = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    const leastBefore = least;
    least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
      least = Math.min(least, row[j]);
    }
    // Each further row follows from these two, and has no less.
    if (least > most && leastBefore > most) return Number.POSITIVE_INFINITY;
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}

const MAX_SUGGESTIONS = 3;
/** Letters per allowed edit: with more edits than a third of a file's name it is another name. */
const LETTERS_PER_EDIT = 3;

/**
 * Nearest paths: equal names in other directories first, then equal names with another extension, then similar names. If no file is near, the
 * nearest directories, each with a slash at its end.
 */
export function nearestPaths(paths: Iterable<string>, text: string): string[] {
  const all = [...paths];
  const typed = text.replace(/\/?(?:\*.*)?$/, '');
  const files = typed.length < text.length ? [] : pathsNear(all, typed);
  return files.length > 0 ? files : pathsNear(directoriesOf(all), typed).map((path) => `${path}/`);
}

function directoriesOf(paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at > 0 && !found.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1))
      found.add(path.slice(0, at));
  return found;
}

function pathsNear(paths: Iterable<string>, text: string): string[] {
  const wanted = posix.basename(text).toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / LETTERS_PER_EDIT));
  const found: { path: string; score: number }[] = [];
  for (const path of paths) {
    const name = posix.basename(path).toLowerCase();
    if (Math.abs(name.length - wanted.length) > limit && stem(name) !== stem(wanted)) continue;
    const distance = name === wanted ? 0 : stem(name) === stem(wanted) ? 1 : editDistance(wanted, name);
    if (distance <= limit) found.push({ path, score: distance });
  }
  const shared = (path: string) =>
    posix
      .dirname(path)
      .split('/')
      .filter((part) => text.includes(part)).length;
  return found
    .sort((a, b) => a.score - b.score || shared(b.path) - shared(a.path) || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ path }) => path);
}

const stem = (name: string): string => name.replace(/\.[^.]*$/, '');

const VERSION = String.raw`HEAD[\w@{}~^]*|v?\d+(?:\.\d+)+[\w.-]*|[0-9a-f]{7,40}`;
/** Git's `REF:PATH`; of other words than commits and versions only with a path behind that no `PATH:NAME` has. */
const REF_BEFORE = new RegExp(`^(?:(${VERSION})|([\\w][\\w./-]*)(?=:[^:]*/)):([^:\\s]+)$`);
const REF_BEHIND = new RegExp(`^([^@\\s]+)@(${VERSION}|main|master)$`);

/** Advice about a name with a ref in it, `v1.2:src/cart.ts` or `Cart.total@v1.2`: refs have an option. Null for any other. */
export function refAdvice(text: string): string | null {
  const before = REF_BEFORE.exec(text);
  const [name, ref] = before ? [before[3], before[1] ?? before[2]] : (REF_BEHIND.exec(text)?.slice(1) ?? []);
  return ref === undefined ? null : `${ref} is a ref: name ${name} alone, and the ref by the option or parameter ref.`;
}
