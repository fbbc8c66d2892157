/** The documentation names everything the program has: commands, flags, settings, languages; its links lead somewhere. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createProgram, loadCommands } from '../../src/cli/program.js';
import { SETTINGS } from '../../src/config/settings.js';
import { anchorsOf, GENERATED, pageNames, readPage, spansOf } from '../support/docs/pages.js';
import { ROOT, sourceFiles } from './root.js';

const README = readPage('README.md');
const CLI_PAGE = readPage('docs/cli.md');
const CONFIGURATION_PAGE = readPage('docs/configuration.md');

/** README is a front page: a reader sees all of it. */
const MAX_README_LINES = 150;
/** Longer lines make diffs unreadable; prose breaks at about 120. */
const MAX_COLUMNS = 400;

test('two commands for a fresh machine; .ci/run runs the second as it is written there', () => {
  const commands = [...README.matchAll(/^npm ci .*$/gm)].map(([line]) => line);
  assert.equal(commands.length, 2);
  assert.match(commands[0], /^npm ci --ignore-scripts && npm start -- ".+"$/);
  assert.equal(commands[1], 'npm ci --ignore-scripts && npm test');
  // The script reads the line from README.md instead of repeating it.
  const script = readPage('.ci/run');
  assert.ok(script.includes('README.md') && !script.includes(commands[1]));
});

test('README is one page, and no line of any page is too long to review', () => {
  const lines = README.trimEnd().split('\n').length;
  assert.ok(lines <= MAX_README_LINES, `README.md has ${lines} lines`);
  for (const name of pageNames().filter((page) => page !== 'src/README.md' && !GENERATED.includes(page))) {
    for (const [i, line] of readPage(name).split('\n').entries())
      assert.ok(line.length <= MAX_COLUMNS, `${name}:${i + 1} has ${line.length} characters`);
  }
});

/** Folder -> its row in the box drawing of a page, counted from the top; names in no row are left out. */
function drawnRows(page: string, folders: ReadonlySet<string>): Map<string, number> {
  // The first 22 columns are the name of the row.
  const rows = [...page.matchAll(/^│.{22}(.*)│/gm)].map(([, row]) => row.match(/\w+/g) ?? []);
  return new Map(rows.flatMap((words, row) => words.filter((word) => folders.has(word)).map((word) => [word, row])));
}

test('the box drawings of README and src/README.md agree with the table of folders in src/README.md', () => {
  const map = readPage('src/README.md');
  const table = [...map.matchAll(/^\| *`(\w+)` *\|[^|]*\|([^|]*)\|[^|]*\|$/gm)];
  for (const page of [README, map]) {
    const rows = drawnRows(page, new Set(table.map(([, folder]) => folder)));
    for (const [, folder, imports] of table) {
      const from = rows.get(folder);
      assert.ok(from !== undefined, `${folder} is not drawn`);
      for (const [, imported] of imports.matchAll(/`(\w+)`/g))
        assert.ok(from <= (rows.get(imported) ?? -1), `${folder} may import ${imported}, which is drawn above it`);
    }
  }
});

test('every command, flag and setting is described', async () => {
  const stream = new PassThrough();
  const program = createProgram(
    { stdout: stream, stderr: stream, stdin: stream, env: {} },
    () => {},
    await loadCommands([]),
  );
  for (const command of program.commands) {
    assert.ok(CLI_PAGE.includes(`\`${command.name()}`), command.name());
    for (const { long } of command.options) assert.ok(CLI_PAGE.includes(`${long}`), `${command.name()} ${long}`);
  }
  for (const { short, long } of program.options) {
    const name = short ?? long;
    assert.ok(name === '-V' || CLI_PAGE.includes(`\`${name}`), name);
  }
  for (const key of Object.keys(SETTINGS)) assert.ok(CONFIGURATION_PAGE.includes(`\`${key}\``), key);
});

const FOLDERS = readdirSync(new URL('src/', ROOT), { withFileTypes: true }).filter((entry) => entry.isDirectory());
/** `graph/link/calls.ts`, and without its ending a file, a folder or a test; also the end of a path, as `calls.ts`. */
const NAMED = new RegExp(`^(?:src/)?(?:${FOLDERS.map(({ name }) => name).join('|')})/[\\w./-]+$`);
const FILE = /^[\w./-]+\.(?:ts|mjs)$/;
const PATHS = ['src', 'fleet', 'test', 'reference', 'release', 'schemas', 'hooks'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' }).map(
    (path) => `/${folder}/${path.replaceAll('\\', '/')}`,
  ),
);

function isThere(name: string): boolean {
  const endings = ['', '.ts', '.test.ts', '.slow.test.ts'].map((ending) => `/${name.replace(/\/$/, '')}${ending}`);
  return PATHS.some((path) => endings.some((ending) => path.endsWith(ending)));
}

test('files that pages and comments name exist', () => {
  const comment = /^\s*(?:\/?\*|\/\/)/;
  const comments = sourceFiles().map(({ path, text }) => {
    return { path, text: text.replace(/^.*$/gm, (line) => (comment.test(line) ? line : '')) };
  });
  // The log of changes speaks of files as they were.
  const pages = pageNames().filter((name) => name !== 'CHANGELOG.md');
  const gone = [...pages.map((path) => ({ path, text: readPage(path) })), ...comments].flatMap(({ path, text }) =>
    spansOf(text)
      .filter((span) => NAMED.test(span) || (path === 'src/README.md' && FILE.test(span)))
      .filter((span) => !isThere(span))
      .map((span) => `${path}: ${span}`),
  );
  assert.deepEqual(gone, []);
});

test('names in the map of src are names in the code', () => {
  const code = sourceFiles()
    .map(({ text }) => text)
    .join('\n');
  const names = spansOf(readPage('src/README.md')).filter((span) => /^[A-Za-z]\w*[a-z][A-Z]\w*$/.test(span));
  assert.ok(names.length > 20);
  assert.deepEqual(
    names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)),
    [],
  );
});

test('links lead to files that exist, and to headings that these have', () => {
  for (const name of pageNames()) {
    for (const [, path, anchor] of readPage(name).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const target = new URL(path === '' ? name : path, path === '' ? ROOT : new URL(name, ROOT));
      assert.ok(existsSync(target), `${name}: ${path}`);
      if (anchor === undefined) continue;
      const page = target.href.slice(ROOT.href.length);
      assert.ok(anchorsOf(readPage(page)).has(anchor), `${name}: ${path}#${anchor}`);
    }
  }
});

test('README links to every page of docs', () => {
  for (const name of pageNames().filter((page) => page.startsWith('docs/')))
    assert.ok(README.includes(`](${name})`), name);
});
