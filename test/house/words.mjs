/**
 * Prints the comments of `src` that begin with a headless relative clause ("What …", "Those …", "The same …").
 * Such a comment makes the reader guess its subject; one that starts with a noun or a verb says it at once.
 *
 *     node test/house/words.mjs            counts by folder
 *     node test/house/words.mjs src/mcp    each such comment of a folder or file, as path:line: text
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);
const HEADLESS = /^(?:(?:What|Who|Whoever|Whose|Whom|Those|Where|Wherever|Whatever|Which)\b|The same\b)/;
/** A block comment, on one line or several. Strings of our sources never begin a line with one. */
const BLOCK = /(?:^|[\s{([,;])\/\*\*?(?<text>[^/][\s\S]*?)\*\//g;
/** A line comment, at the start of a line or after code; the spaces tell it from a URL in a string. */
const LINE = /^(?<before>.*?(?:^|\s))\/\/ (?<text>.*)$/;

/** Line (from 1) and first words of each comment; the lines that continue a `//` comment belong to it. */
export function commentsOf(source) {
  const comments = [];
  for (const match of source.matchAll(BLOCK)) {
    const text = match.groups.text.replace(/^[\s*]+/, '').replace(/\s*\n[\s*]*/g, ' ');
    const start = match.index + match[0].indexOf('/*');
    comments.push({ line: source.slice(0, start).split('\n').length, text: text.trim() });
  }
  let continues = false;
  for (const [index, line] of source.split('\n').entries()) {
    const found = LINE.exec(line);
    if (found && !continues) comments.push({ line: index + 1, text: found.groups.text.trim() });
    continues = found !== null && found.groups.before.trim() === '';
  }
  return comments;
}

export const isHeadless = (text) => HEADLESS.test(text);

/** Every headless comment below `folder` (relative to the repository's root, or one file). */
export function headlessComments(folder = 'src') {
  const base = fileURLToPath(ROOT);
  const paths = folder.endsWith('.ts')
    ? [folder]
    : readdirSync(base + folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
        .sort();
  return paths.flatMap((path) =>
    commentsOf(readFileSync(base + path, 'utf8'))
      .filter(({ text }) => isHeadless(text))
      .map((comment) => ({ path, ...comment })),
  );
}

/** Number of headless comments by folder of `src`; folders without any are left out. */
export function countByFolder() {
  const counts = new Map();
  for (const { path } of headlessComments()) {
    const folder = path.split('/')[1];
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => a.localeCompare(b)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2).map((path) => path.replace(/\/+$/, ''));
  for (const { path, line, text } of folders.flatMap(headlessComments)) {
    console.log(`${path}:${line}: ${text.slice(0, 120)}`);
  }
  if (folders.length === 0) console.log(countByFolder());
}
