/**
 * Adds a question and a language to a copy of the sources, as docs/contributing.md says: its blocks of code are the files of the question
 * and the lines in tables; the language is Quill, of `test/languages/quill`. Both work there, and break no rule of the house.
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
const COPIED = ['src', 'build'];
const RULES = ['layers', 'questions', 'languages', 'surfaces', 'modules', 'words'];

function makeCopy(): void {
  for (const name of readdirSync(TOP)) if (!COPIED.includes(name)) symlinkSync(join(TOP, name), join(COPY, name));
  cpSync(join(TOP, 'src'), join(COPY, 'src'), { recursive: true });
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

/** A block that begins with `// src/…` is a file. */
function writeFileOf(block: string): void {
  const path = /^\/\/ (src\/\S+)\n/.exec(block)?.[1];
  assert.ok(path !== undefined, block);
  mkdirSync(dirname(join(COPY, path)), { recursive: true });
  writeFileSync(join(COPY, path), block.slice(block.indexOf('\n') + 1));
}

/** Lines with `+` go behind the line of the file that stands above them. */
function addLinesOf(diff: string): void {
  let path = '';
  let above = '';
  for (const line of diff.trimEnd().split('\n')) {
    if (line.startsWith('--- ')) path = join(COPY, line.slice('--- '.length));
    else if (line.startsWith('+')) {
      const text = readFileSync(path, 'utf8');
      assert.equal(text.split(`\n${above}\n`).length, 2, `${path} has one line ${above}`);
      writeFileSync(
        path,
        text.replace(`\n${above}\n`, () => `\n${above}\n${line.slice(1)}\n`),
      );
      above = line.slice(1);
    } else above = line.slice(1);
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

test('a question and a language that are added as the page says work, and break no rule', () => {
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
  });
  assert.equal(ask(repo.dir, 'tally'), '2 quill, 1 go\n');
  assert.deepEqual(JSON.parse(ask(repo.dir, 'tally', '--json')), { schemaVersion: 1, files: { quill: 2, go: 1 } });
  assert.match(ask(repo.dir, '--help'), /^ +tally /m);
  assert.match(ask(repo.dir, 'search', 'round a price', '--lang', 'quill'), /price\.quill/);
  assert.match(ask(repo.dir, 'graph', 'symbol', 'roundedPrice'), /begin/);

  run(['--test', ...RULES.map((name) => `build/test/house/${name}.test.js`)]);
});
