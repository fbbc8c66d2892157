/**
 * Keeps headless openers ("What …", "Those …", "The same …") out of the comments of `src`.
 * `node test/house/words.mjs src/FOLDER` prints those that are left in a folder.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT } from './root.js';

interface Comment {
  line: number;
  text: string;
}

const { commentsOf, countByFolder, headlessComments, isHeadless } = (await import(
  new URL('test/house/words.mjs', ROOT).href
)) as {
  commentsOf(source: string): Comment[];
  countByFolder(): Record<string, number>;
  headlessComments(folder: string): (Comment & { path: string })[];
  isHeadless(text: string): boolean;
};

test('comments are found wherever they begin, and their continuation lines are not beginnings', () => {
  const source = [
    '/** What a file is. */',
    'const a = 1; // Those of today',
    '// Reads a file;',
    '// Which is large.',
    'call({ /* Where it is */ b: 2 });',
    '/**',
    ' * Waits until the lock is free.',
    ' * Whoever holds it renews it.',
    ' */',
    "const url = 'https://example.org'; // The same host",
  ].join('\n');
  const comments = commentsOf(source);
  assert.deepEqual(
    comments.filter(({ text }) => isHeadless(text)).map(({ line }) => line),
    [1, 5, 2, 10],
  );
  assert.equal(comments.length, 6);
});

test('no comment begins with a headless relative clause', () => {
  const folders = [...Object.keys(countByFolder()).map((folder) => `src/${folder}`), 'fleet/src'];
  const found = folders.flatMap((folder) => headlessComments(folder));
  assert.deepEqual(
    found.map(({ path, line, text }) => `${path}:${line}: ${text}`),
    [],
  );
});
