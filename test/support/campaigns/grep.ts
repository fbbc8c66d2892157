/** Patterns drawn from a repository, and what `git grep` finds of them: the yardstick of `grep`. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSelector } from '../../../src/config/select.js';
import { isSecret } from '../../../src/extract/content.js';
import type { PatternOptions } from '../../../src/search/grep/required-texts.js';
import type { GrepMatch } from '../../../src/session/grep/grep.js';
import { pick, type Random } from '../generated/random.js';
import { runGit, type TestRepo } from '../repositories/repo.js';

/** Lines that patterns are drawn from, and blobs that are read for them. */
const LINES = 4_000;
const BLOBS = 200;
const FOLDERS_DEEP = 3;

/** The repositories at or below a directory, symbolic links followed. Throws where there is none. */
export function repositoriesIn(directory: string): string[] {
  const found = repositoriesBelow(directory, FOLDERS_DEEP);
  if (found.length === 0)
    throw new Error(`${directory} holds no git repository, and none is in ${FOLDERS_DEEP} levels of folders below it`);
  return found;
}

function repositoriesBelow(directory: string, deep: number): string[] {
  const has = (...names: string[]) => names.every((name) => existsSync(join(directory, name)));
  if (has('.git') || has('HEAD', 'objects', 'refs')) return [directory];
  if (deep === 0) return [];
  const folders = readdirSync(directory)
    .sort()
    .map((name) => join(directory, name));
  return folders.flatMap((folder) =>
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? repositoriesBelow(folder, deep - 1) : [],
  );
}

/** Lines of text of some files, ASCII alone: beyond it, git's answer depends on the locale. */
export function someLines(repo: TestRepo, random: Random): string[] {
  const blobs = repo.git('ls-tree', '-r', 'HEAD').match(/(?<= blob )[0-9a-f]+/g) ?? [];
  const lines: string[] = [];
  for (let tries = 0; lines.length < LINES && tries < BLOBS; tries++) {
    const text = runGit(['cat-file', 'blob', pick(random, blobs)], { cwd: repo.dir }).toString('latin1');
    if (!text.includes('\0')) lines.push(...text.split('\n').filter((line) => /^[\t\x20-\x7e]{4,200}$/.test(line)));
  }
  return lines;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A pattern from a line: an exact part of it, a whole word, or an expression that matches a part of it. */
export function drawPattern(lines: readonly string[], random: Random): PatternOptions {
  const line = pick(random, lines);
  const words = line.match(/[A-Za-z_]\w{2,}/g) ?? ['total'];
  const [word, other] = [pick(random, words), pick(random, words)];
  const half = word.slice(0, Math.max(2, word.length >> 1));
  const from = Math.max(0, line.indexOf(word));
  return pick<PatternOptions>(random, [
    { pattern: line.slice(from, from + word.length + random(16)), fixed: true },
    { pattern: line.slice(from, from + 1 + random(2)), fixed: true },
    { pattern: word, fixed: true },
    { pattern: word, fixed: true, words: true },
    { pattern: word.toUpperCase(), fixed: true, ignoreCase: true },
    { pattern: `${escaped(word)}s?`, words: true, ignoreCase: true },
    { pattern: `${escaped(half)}[A-Za-z]+` },
    { pattern: `${escaped(word)}|${escaped(other)}` },
    { pattern: `${escaped(half)}.*${escaped(other)}`, ignoreCase: true },
    { pattern: `^[[:space:]]*${escaped(word)}` },
    { pattern: `${escaped(word)}[;,)]?$` },
    { pattern: `[A-Z]${escaped(word.slice(1))}\\(` },
    { pattern: `(${escaped(half)}|${escaped(other)}){2,}` },
    { pattern: `${escaped(word)} ?[=(]` },
  ]);
}

/** A line of a file: of a blob, or of the work tree. Two branches may have a path with different blobs. */
export interface Place {
  path: string;
  oid: string | null;
  line: number;
}

export const keyOf = ({ path, oid, line }: Place): string => `${path} ${oid ?? ''} ${line}`;

/** Lines that `git grep` finds in trees, or without any in the work tree. */
export function gitGrep(
  repo: TestRepo,
  { pattern, fixed, words, ignoreCase }: PatternOptions,
  refs: readonly string[],
): Place[] {
  const flags = [fixed ? '-F' : '-E', ...(words ? ['-w'] : []), ...(ignoreCase ? ['-i'] : [])];
  const args = ['-c', 'core.quotePath=false', 'grep', '-n', '-I', '-z', ...flags, '-e', pattern, ...refs, '--'];
  const output = runGit(args, { cwd: repo.dir, allowFailure: true, env: { LC_ALL: 'C.UTF-8' } }).toString('latin1');
  return output.split('\n').flatMap((row): Place[] => {
    const [name, line] = row.split('\0');
    // A row of a file whose lines hold NUL, or the last one.
    if (!/^\d+$/.test(line ?? '')) return [];
    const path = Buffer.from(name, 'latin1').toString('utf8');
    const ref = refs.find((each) => path.startsWith(`${each}:`));
    const at = ref === undefined ? path : path.slice(ref.length + 1);
    return [{ path: at, oid: ref === undefined ? null : blobAt(repo, ref, at), line: Number(line) }];
  });
}

const trees = new Map<string, Map<string, string>>();

/** Blob of a path in a ref, whose tree is listed once. */
function blobAt(repo: TestRepo, ref: string, path: string): string | null {
  const key = `${repo.dir} ${ref}`;
  let tree = trees.get(key);
  if (tree === undefined) {
    const rows = runGit(['ls-tree', '-r', '-z', ref], { cwd: repo.dir }).toString('utf8').split('\0').filter(Boolean);
    tree = new Map(rows.map((row) => [row.slice(row.indexOf('\t') + 1), row.split(/[ \t]/)[2]]));
    trees.set(key, tree);
  }
  return tree.get(path) ?? null;
}

/** Lines that `grep` found. */
export const placesOf = (matches: readonly GrepMatch[], isTree: boolean): Place[] =>
  matches.flatMap(({ file, hits }) =>
    hits.map(({ line }) => ({ path: file.path, oid: isTree ? file.oid : null, line })),
  );

/** Files that only one of the two searches, by its rules: secrets, which `grep` leaves out, and `-diff`, which `git grep -I` does. */
export function isUnshared(repo: TestRepo, { path, oid }: Place): boolean {
  if (createSelector({ include: [], exclude: [] })(path) === 'secret') return true;
  const bytes = runGit(['cat-file', 'blob', oid ?? `:${path}`], { cwd: repo.dir, allowFailure: true });
  return isSecret(bytes) || repo.git('check-attr', 'diff', '--', path).endsWith(': unset');
}
