// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of sources.
/** What is printed to be typed is quoted for a shell by one function: names of a repository, and words of a stranger, can hold anything. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commandText } from '../../src/params/param.js';
import { ROOT, sourceFiles } from './root.js';

/** Where a command begins that is printed to be typed. */
const TYPED =
  /\bgit (?:socraticode|blame|branch|checkout|config|diff|fetch|fsck|lfs|log|pull|push|remote|rev-parse|show|switch|update-ref)\b(?! \()|\$\{commandText\([^`]*?\)\}/g;
const QUOTED = /^(?:shellWord|commandText|optionText)\(/;
/** Words that are no names of a repository, and one other way of quoting, which looks for the same characters. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'src/cli/command.ts': ['line', 'name'],
  'src/cli/usage-error.ts': ['quoted'],
};

/** Expressions in the rest of a command, which ends with its text or one of the characters that end a command. */
function expressionsFrom(text: string, start: number): string[] {
  const found: string[] = [];
  for (let at = start; at < text.length && !/[`'";:(\n]/.test(text[at]); at++) {
    if (!text.startsWith('${', at)) continue;
    let [end, depth] = [at + 2, 1];
    for (; depth > 0; end++) depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0;
    found.push(text.slice(at + 2, end - 1));
    at = end - 1;
  }
  return found;
}

/** Expressions in commands that are not quoted, and are no constants that are. */
function unquotedIn(path: string, text: string): string[] {
  const isQuoted = (expression: string) =>
    QUOTED.test(expression) ||
    (/^\w+$/.test(expression) &&
      [...text.matchAll(new RegExp(`\\bconst ${expression} = ([^;]*);`, 'g'))].some(([, value]) =>
        /\b(?:shellWord|commandText|optionText)\(/.test(value),
      ));
  return [...text.matchAll(TYPED)]
    .flatMap((match) => expressionsFrom(text, match.index + match[0].length))
    .filter((each) => !isQuoted(each) && !ALLOWED[path]?.includes(each));
}

test('no command to type holds a word that is not quoted', () => {
  const faults = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(new URL(`src/${name}`, ROOT), 'utf8');
      return unquotedIn(`src/${name}`, text).map((each) => `${name}: ${each}`);
    });
  assert.deepEqual(faults, []);
});

test('the rule sees what it is for', () => {
  const said = (text: string) => unquotedIn('src/x.ts', text);
  assert.deepEqual(said('const hint = `Delete it: git update-ref -d ${ref}`'), ['ref']);
  assert.deepEqual(said('const hint = `Then ${commandText("index")} ${name}`'), ['name']);
  assert.deepEqual(said('const q = ask(); f(`git fetch ${q}`)'), ['q']);
  assert.deepEqual(said('const q = shellWord(x); f(`git fetch ${q} ${shellWord(y)}; then ${z}`)'), []);
});

test('a command that is made from values quotes each', () => {
  const line = commandText('remove', { profile: '$(touch x)', ref: 'a b', remote: true, limit: 3, as: 'main' });
  assert.equal(line, "git socraticode remove --profile '$(touch x)' --ref 'a b' --remote --limit 3 --as main");
});

/** Writes JSON to local state, not to a terminal. */
const STATE: ReadonlySet<string> = new Set(['questions/conflicts/branches.ts']);
/** A document that becomes JSON for whoever reads the output. */
const PRINTED_JSON = /\bwrite\([^\n]*\bJSON\.stringify\(|\.json \? JSON\.stringify\(/;

test('JSON is printed by the function that escapes what nobody sees', () => {
  assert.match('await write(`${JSON.stringify(found)}\\n`);', PRINTED_JSON);
  assert.match('const text = command.json ? JSON.stringify(found) : lines;', PRINTED_JSON);
  const printing = sourceFiles().filter(({ path }) => /^(?:cli|questions)\//.test(path) && !STATE.has(path));
  assert.deepEqual(
    printing.filter(({ text }) => PRINTED_JSON.test(text)).map(({ path }) => path),
    [],
  );
});
