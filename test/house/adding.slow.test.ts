/**
 * Adds a question and two languages to a copy of the sources, as docs/contributing.md says: its blocks of code are the files of the question,
 * the queries of a language by data, and the lines in tables; the other language is Quill, of `test/languages/quill`. All work there, and
 * break no rule of the house.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fencesOf, readPage } from '../support/docs/pages.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { ROOT } from './root.js';

const TOP = fileURLToPath(ROOT);
const COPY = makeDirectory('adding');
/** Copied, since a link would lead back; everything else of the top folder is linked. */
const COPIED = ['src', 'build', 'grammars'];
const RULES = ['layers', 'questions', 'languages', 'surfaces', 'modules', 'words'];

function makeCopy(): void {
  for (const name of readdirSync(TOP)) if (!COPIED.includes(name)) symlinkSync(join(TOP, name), join(COPY, name));
  for (const folder of ['src', 'grammars']) cpSync(join(TOP, folder), join(COPY, folder), { recursive: true });
  for (const folder of ['house', 'support'])
    cpSync(join(TOP, 'build/test', folder), join(COPY, 'build/test', folder), { recursive: true });
}

/** Runs a program of Node in the copy; what it prints. */
function run(args: readonly string[], cwd = COPY): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

const ask = (cwd: string, ...args: string[]): string => run([join(COPY, 'build/src/cli/main.js'), ...args], cwd);

/** A block that begins with `// src/…` or `; grammars/…` is a file. */
function writeFileOf(block: string): void {
  const path = /^(?:\/\/ (?=src\/)|; (?=grammars\/))(\S+)\n/.exec(block)?.[1];
  assert.ok(path !== undefined, block);
  mkdirSync(dirname(join(COPY, path)), { recursive: true });
  writeFileSync(join(COPY, path), block.slice(block.indexOf('\n') + 1));
}

/** Lines with `+` go behind the line of the file that stands above them, which no other line is like. */
function addLinesOf(diff: string): void {
  let path = '';
  let at = -1;
  for (const line of diff.trimEnd().split('\n')) {
    const own = line.slice(1);
    if (line.startsWith('--- ')) path = join(COPY, line.slice('--- '.length));
    else if (line.startsWith('+')) {
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, `${text.slice(0, at)}${own}\n${text.slice(at)}`);
      at += own.length + 1;
    } else {
      const parts = readFileSync(path, 'utf8').split(`\n${own}\n`);
      assert.equal(parts.length, 2, `${path} has one line ${own}`);
      at = parts[0].length + own.length + 2;
    }
  }
}

/** Quill as a language of the program: beside the others, of a type that knows its id. */
function addQuill(): void {
  for (const name of ['index.ts', 'rules.ts', 'imports.ts']) {
    const text = readFileSync(join(TOP, 'test/languages/quill', name), 'utf8');
    const path = join(COPY, 'src/languages/quill', name);
    mkdirSync(dirname(path), { recursive: true });
    const moved = text.replaceAll('../../../src/languages/', '../');
    writeFileSync(path, moved.replace("Omit<Language, 'id'> & { id: string }", 'Language'));
  }
}

test('a question and two languages that are added as the page says work, and break no rule', () => {
  const page = readPage('docs/contributing.md');
  const blocks = fencesOf(page.slice(page.indexOf('## How to add'), page.indexOf('### a parameter')));
  makeCopy();
  for (const { language, text } of blocks) (language === 'diff' ? addLinesOf : writeFileOf)(text);
  addQuill();
  run(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--outDir', 'build/src', '--declaration', 'false']);

  const repo = createRepo();
  repo.commit({
    'price.quill': '// Rounds a price to whole coins.\nfunction roundedPrice(price) {\n  return price;\n}\n',
    'shop.quill': 'import "price";\n\nfunction begin() {\n  return roundedPrice(7);\n}\n',
    'shop.go': 'package shop\n',
    'stock.broth': '# Salts the water.\nrecipe salted\nend\n',
    'soup.broth': 'load "stock"\nrecipe soup\n  stir salted\nend\n',
  });
  assert.equal(ask(repo.dir, 'tally'), '2 broth, 2 quill, 1 go\n');
  assert.deepEqual(JSON.parse(ask(repo.dir, 'tally', '--json')), {
    schemaVersion: 1,
    files: { broth: 2, go: 1, quill: 2 },
  });
  assert.match(ask(repo.dir, 'help', '--all'), /^ +tally /m);
  assert.match(ask(repo.dir, 'search', 'round a price', '--lang', 'quill'), /price\.quill/);
  assert.match(ask(repo.dir, 'graph', 'symbol', 'roundedPrice'), /begin/);
  assert.match(ask(repo.dir, 'graph', 'references', 'salted'), /3 soup/);
  assert.match(ask(repo.dir, 'graph', 'deps', 'soup.broth'), /stock\.broth/);
  assert.match(ask(repo.dir, 'search', 'salts the water', '--lang', 'broth'), /stock\.broth/);

  run(['--test', ...RULES.map((name) => `build/test/house/${name}.test.js`)]);
});
