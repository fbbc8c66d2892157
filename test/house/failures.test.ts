/** Every failure says what to do: each code has a hint and is used, and what hints tell people to type exists. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { ERROR_CODES, SocraticodeError, unexpected } from '../../src/base/errors.js';
import { createProgram, loadCommands } from '../../src/cli/program.js';
import { optionText } from '../../src/params/param.js';
import { sourceFiles } from './root.js';

const SOURCES = sourceFiles();

test('every code has a next step, something throws it, and nothing throws another', () => {
  const table = join('base', 'error-codes.ts');
  const used = new Set<string>();
  for (const { path, text } of SOURCES) {
    if (path === table) continue;
    for (const [word] of text.matchAll(/(?<=')[A-Z]+(?:_[A-Z]+)*(?=')/g)) used.add(word);
    for (const [, code] of text.matchAll(/new SocraticodeError\(\s*'([A-Z_]+)'/g))
      assert.ok(code in ERROR_CODES, `${path}: ${code} is not in the table`);
  }
  for (const [code, hint] of Object.entries(ERROR_CODES)) {
    assert.ok(hint.length > 10 && /^[A-Z].*[^ ]$/.test(hint), `${code}: ${hint}`);
    assert.ok(used.has(code), `nothing throws ${code}`);
  }
});

/** What stands before the next quote, bracket or sentence; options of the shell alone. */
const PHRASE = /git socraticode ((?:-C \S+ )?[a-z][a-z-]*[^`'"\\\n;|()<,$…]*)/g;

/** A command line that is built: its words, and its options by the names of parameters. */
const BUILT = /commandText\('([a-z ]+)(?: [A-Z][^']*)?'(?:, \{([^}]*)\})?/g;

test('commands and options that messages name exist', async () => {
  const program = createProgram({ ...process, env: {} }, () => {}, await loadCommands([]));
  let seen = 0;
  for (const { path, text } of SOURCES) {
    for (const [whole, phrase] of text.matchAll(PHRASE)) {
      const fault = faultOf(program, phrase.replace(/^-C \S+ /, ''));
      assert.equal(fault, null, `${path}: ${whole}: ${fault}`);
      seen++;
    }
    for (const [whole, command, options = ''] of text.matchAll(BUILT)) {
      const names = options.split(',').flatMap((each) => each.split(':')[0].trim() || []);
      // Titles of schemas say `json`, also for a group of commands that print the same document.
      const typed = names.filter((name) => name !== 'json').map(optionText);
      const fault = faultOf(program, [command.trim(), ...typed].join(' '));
      assert.equal(fault, null, `${path}: ${whole}: ${fault}`);
      seen++;
    }
  }
  assert.ok(seen > 60, String(seen));
});

function faultOf(program: Command, phrase: string): string | null {
  const words = phrase.split(/\s+/);
  const named = (parent: Command, word: string | undefined) => parent.commands.find((each) => each.name() === word);
  const command = named(program, words[0]);
  if (words[0] === 'help') return null;
  if (command === undefined) return `there is no command ${words[0]}`;
  const isGroup = command.commands.length > 0;
  const inner = isGroup ? named(command, words[1]) : undefined;
  if (isGroup && inner === undefined && command.name() !== 'mcp' && /^[a-z]{4,}$/.test(words[1] ?? ''))
    return `${words[0]} has no ${words[1]}`;
  const options = [program, command, ...(inner === undefined ? [] : [inner])].flatMap((each) => each.options);
  const known = new Set([...options.map(({ long }) => long), '--help', '--']);
  return words.find((word) => /^--[a-z]/.test(word) && !known.has(word.replace(/[.:=].*$/, ''))) ?? null;
}

test('what the system says is no bug of ours', () => {
  const system = (code: string, syscall = 'open') => Object.assign(new Error(`${code}: it says`), { code, syscall });
  const codes = (...errors: unknown[]) => errors.map((error) => unexpected(error).code);
  assert.deepEqual(
    codes(system('ENOSPC'), system('EACCES'), system('EISDIR'), system('ENOENT')),
    Array(4).fill('DISK'),
  );
  assert.deepEqual(codes(system('EMFILE'), system('EAGAIN', 'spawn')), ['RESOURCES', 'RESOURCES']);
  assert.deepEqual(codes(system('ENOENT', 'uv_cwd'), system('ERR_MODULE_NOT_FOUND')), [
    'BAD_ARGUMENT',
    'BROKEN_INSTALLATION',
  ]);
  assert.deepEqual(codes(new TypeError('x'), undefined, 'text'), Array(3).fill('INTERNAL'));
  const known = new SocraticodeError('LOCKED', 'x');
  assert.equal(unexpected(known), known);
});
