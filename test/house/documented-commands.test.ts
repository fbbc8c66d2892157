/**
 * Commands in README and docs work: every command and option that the pages name is in the program's own help, and every
 * block of code marked `console` prints what it shows, in the sample shop of `fixtures/graph/python`. Settings, scripts and
 * files that they name exist.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { Command } from 'commander';
import { createProgram, loadCommands } from '../../src/cli/program.js';
import { SETTINGS } from '../../src/config/settings.js';
import { fencesOf, pageNames, readPage, spansOf } from '../support/docs/pages.js';
import { CLI } from '../support/processes/cli.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { shop } from '../support/repositories/shop.js';
import { ROOT } from './root.js';

/** Options of other programs (npm, git, claude) that prose names by themselves. */
const FOREIGN = new Set(['--ignore-scripts', '--omit', '--mirror', '--batch', '--help']);

/** The page of a program of its own, with options of its own. */
const TRAINING = 'model/README.md';

interface Help {
  /** Of `search`, `graph`; empty for those without members. */
  members: ReadonlySet<string>;
  options: ReadonlySet<string>;
}

/** `graph impact` -> what its `--help` lists; '' is the program's own. */
async function readHelp(): Promise<Map<string, Help>> {
  const stream = new PassThrough();
  const io = { stdout: stream, stderr: stream, stdin: stream, env: {} };
  const helps = new Map<string, Help>();
  const add = (command: Command, path: string): void => {
    const text = command.helpInformation();
    helps.set(path, {
      members: new Set(command.commands.map((member) => member.name())),
      options: new Set([...text.matchAll(/(?<![\w-])--?[\w-]+/g)].map(([option]) => option)),
    });
    for (const member of command.commands) add(member, `${path} ${member.name()}`.trim());
  };
  add(
    createProgram(io, () => {}, await loadCommands([])),
    '',
  );
  return helps;
}

const HELPS = await readHelp();
const GLOBAL = HELPS.get('')?.options as ReadonlySet<string>;
const EVERY_OPTION = new Set([...HELPS.values()].flatMap(({ options }) => [...options]));

/** Words of a command line up to the end of that command; a quoted text is one word. */
function wordsOf(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|[|;&<>#]|[^\s"'|;&<>#][^\s|;&<>]*/g) ?? [];
  const end = words.findIndex((word) => /^[|;&<>#]$/.test(word));
  return end < 0 ? words : words.slice(0, end);
}

/** Says why the program would refuse the words after `git socraticode`; null if it would not. */
function faultOf(words: readonly string[]): string | null {
  let path = '';
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '-C') i++;
    // `-` alone is stdin.
    else if (/^-./.test(word)) {
      const option = word.replace(/[=,.:)].*$/, '');
      if (!HELPS.get(path)?.options.has(option) && !GLOBAL.has(option))
        return `${path || 'the program'} has no ${option}`;
    } else {
      const { members } = HELPS.get(path) as Help;
      const next = `${path} ${word}`.trim();
      if (HELPS.has(next)) path = next;
      else if (path === '' && word === 'help') continue;
      // The word after an option may be its value.
      else if (members.size > 0 && !words[i - 1]?.startsWith('-') && /^[a-z]+$/.test(word)) return `no command ${next}`;
    }
  }
  return null;
}

const CALL = /git[ -]socraticode +/;

test('every command and option that the pages name exists', () => {
  let calls = 0;
  for (const name of pageNames().filter((each) => each !== TRAINING)) {
    const page = readPage(name);
    const lines = fencesOf(page).flatMap(({ text }) => text.split('\n'));
    for (const code of [...lines, ...spansOf(page)]) {
      // Alternatives are written `context list|show`: each is a command.
      const [, ...rest] = code.replaceAll('\\|', '|').split(CALL);
      for (const call of rest) {
        calls++;
        assert.equal(faultOf(wordsOf(call)), null, `${name}: ${code}`);
      }
    }
    for (const span of spansOf(page)) {
      const [first = ''] = span.split(' ');
      if (HELPS.has(first) && span.includes(' --')) assert.equal(faultOf(wordsOf(span)), null, `${name}: ${span}`);
      const option = /^--[\w-]+/.exec(first)?.[0];
      if (option) assert.ok(EVERY_OPTION.has(option) || FOREIGN.has(option), `${name}: ${span}`);
    }
  }
  assert.ok(calls > 50, `only ${calls} calls were found`);
});

test('every setting, npm script and file of tests that the pages name exists', () => {
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
  for (const name of pageNames()) {
    const page = readPage(name);
    for (const code of [...fencesOf(page).map(({ text }) => text), ...spansOf(page)]) {
      for (const [, key] of code.matchAll(/\ssocraticode\.([a-zA-Z.]+)/g))
        assert.ok(key in SETTINGS, `${name}: ${key}`);
      for (const [, script] of code.matchAll(/npm run ([\w:-]+)/g)) assert.ok(script in scripts, `${name}: ${script}`);
      // Compiled tests are named by where they will be.
      for (const [, path] of code.matchAll(/\bnode (?:build\/)?(test\/[\w./-]+)/g))
        assert.ok(existsSync(new URL(path.replace(/\.js$/, '.ts'), ROOT)), `${name}: ${path}`);
    }
  }
});

/** Runs the lines of a block that begin with `$ `; returns it as it should read. */
function replay(block: string, directory: string, env: NodeJS.ProcessEnv): string {
  const commands = [...block.matchAll(/^\$ (.+)$/gm)].map(([, command]) => command);
  const outputs = commands.map((command) => {
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd: directory, env, encoding: 'utf8' });
    return `$ ${command}\n${stdout}${stderr}`.trimEnd();
  });
  return `${outputs.join('\n\n')}\n`;
}

test('blocks marked `console` show what their commands print, word for word', () => {
  const bin = makeDirectory('bin');
  chmodSync(CLI, 0o755);
  symlinkSync(CLI, join(bin, 'git-socraticode'));
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { dir } = shop();
  let blocks = 0;
  for (const name of pageNames()) {
    let page = readPage(name);
    for (const { language, text } of fencesOf(page)) {
      if (language !== 'console') continue;
      blocks++;
      const seen = replay(text, dir, env);
      if (process.env.UPDATE_FIXTURES === '1') page = page.replace(text, () => seen);
      else
        assert.equal(
          text,
          seen,
          `${name}: UPDATE_FIXTURES=1 node build/test/house/documented-commands.test.js accepts it`,
        );
    }
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(new URL(name, ROOT), page);
  }
  assert.ok(blocks > 0);
});
