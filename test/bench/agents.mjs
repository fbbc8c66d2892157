// What agents pay for an answer: `npm run bench -- agents DIR [--task N] [--show]`. DIR holds clones with the whole history of
// the repositories that agents-tasks.mjs names. Each of its eight tasks is written down twice: as calls of our tools, and as
// `git grep` and reads of files. Both are run on a clone of the exact commit, and our calls twice: as agents get replies, in
// text, and with `--structured`, where hosts show their model the JSON alone. Tokens of calls and of replies are counted as
// o200k counts them, and every target of the task has to be in what the agent has read. --show prints what was read.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { TASKS } from './agents-tasks.mjs';

const args = process.argv.slice(3);
const only = args.includes('--task') ? Number(args[args.indexOf('--task') + 1]) : undefined;
const directory = resolve(args.find((arg, i) => !arg.startsWith('--') && args[i - 1] !== '--task') ?? '.');
const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
/** Tokens of the instructions that a host's own search and read tools cost are not counted on either side. */
const TOOLSETS = 'core,graph,history';

const work = mkdtempSync(join(realpathSync(tmpdir()), 'socraticode-agents-'));
const git = (dir, ...words) => execFileSync('git', ['-C', dir, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });

/** A clone at the task's commit, with the lines deleted that make its bug. */
function openRepository({ repository, commit, branches = [], deleted }) {
  const source = [basename(repository), repository.replace('/', '+')].map((name) => join(directory, name));
  const from = source.find((path) => existsSync(path));
  if (from === undefined) throw new Error(`${directory} has no clone of ${repository}`);
  const dir = join(mkdtempSync(join(work, 'task-')), basename(repository));
  execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', from, dir], { stdio: 'ignore' });
  git(dir, 'checkout', '-q', '-B', 'work', commit);
  for (const [name, tip] of Object.entries(branches)) git(dir, 'branch', '-f', name, tip);
  if (deleted !== undefined) deleteLines(join(dir, deleted.path), deleted);
  return dir;
}

function deleteLines(path, { from, to }) {
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.splice(from - 1, to - from + 1);
  writeFileSync(path, lines.join('\n'));
}

/** A reply that says "ask again" is paid for like any other. */
const MAX_AGAIN = 10;
const WAIT_MS = 3_000;

/** The reply to a call, behind those that said "ask again". */
async function callTool(client, name, values) {
  const replies = [];
  for (let again = 0; ; again++) {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: values });
    const text = content.map((part) => part.text).join('\n');
    const mustWait = isError && text.startsWith('NOT_READY') && again < MAX_AGAIN;
    const reply = structuredContent === undefined ? text : JSON.stringify(structuredContent);
    replies.push({ call: `${name} ${JSON.stringify(values)}`, text, reply, isError: isError && !mustWait });
    if (!mustWait) return replies;
    await new Promise((done) => setTimeout(done, WAIT_MS));
  }
}

/** The index stands, as hooks keep it, so that each call of our tools waits for nothing but its own answer. */
function indexAndLink(dir) {
  execFileSync(process.execPath, [CLI, '-C', dir, 'index'], { stdio: 'ignore' });
  execFileSync(process.execPath, [CLI, '-C', dir, 'graph', 'stats'], { stdio: 'ignore' });
}

/** Calls of our tools, to a server that is started with `options`. */
async function askUs(dir, calls, options = []) {
  const client = new Client({ name: 'bench', version: '1' });
  const server = [CLI, '-C', dir, 'mcp', '--toolsets', TOOLSETS, ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args: server, stderr: 'ignore' }));
  try {
    const replies = [];
    for (const [name, values, pages] of calls) {
      let cursor;
      do {
        replies.push(...(await callTool(client, name, { ...values, ...(cursor && { cursor }) })));
        cursor = /^more: .*cursor (\S+)$/m.exec(replies.at(-1).text)?.[1];
      } while (pages !== undefined && cursor !== undefined);
    }
    return replies;
  } finally {
    await client.close();
  }
}

/** Commands of a shell in the repository: `git grep`, `git show`, and `read` for a file with line numbers, as hosts read it. */
function askGrep(dir, commands) {
  return commands.map((command) => {
    const [program, path, from, to] = command.split(' ');
    if (program !== 'read') {
      const run = spawnSync('sh', ['-c', command], { cwd: dir, encoding: 'utf8', maxBuffer: 1 << 28 });
      return { call: command, reply: run.stdout, isError: run.status > 1 };
    }
    const lines = readFileSync(join(dir, path), 'utf8').split('\n');
    const shown = lines.slice((from ?? 1) - 1, to ?? lines.length);
    return {
      call: command,
      reply: `${path}\n${shown.map((line, i) => `${Number(from ?? 1) + i}\t${line}`).join('\n')}`,
    };
  });
}

/** Parts of what was read, by the file they are about: a path starts a part that lasts until the next path. */
function partsOf(text, paths) {
  const parts = new Map();
  let last;
  let from = 0;
  const end = (at) => last && parts.set(last, `${parts.get(last) ?? ''}\n${text.slice(from, at)}`);
  for (const { 0: word, index } of text.matchAll(/[\w@.-]+(?:\/[\w@.-]+)*\.\w+/g)) {
    if (!paths.has(word)) continue;
    end(index);
    [last, from] = [word, index + word.length];
  }
  end(text.length);
  return parts;
}

/** Targets that nothing of what was read names or shows: `path`, `path:line`, `path:line!`, or a regular expression. */
function missing(targets, replies, { dir, paths }) {
  const text = replies.map(({ reply }) => reply).join('\n');
  const parts = partsOf(text, paths);
  return targets.filter((target) => {
    if (target instanceof RegExp) return !target.test(text);
    const [path, line] = target.split(':');
    const part = parts.get(path);
    if (part === undefined || line === undefined) return part === undefined;
    return line.endsWith('!') ? !hasText(part, { dir, path, line: parseInt(line, 10) }) : !hasLine(part, Number(line));
  });
}

/** The line's own text, behind its number. */
function hasText(part, { dir, path, line }) {
  const text = readFileSync(join(dir, path), 'utf8').split('\n')[line - 1];
  return part.split('\n').some((shown) => /^:?(\d+)[:\t]/.exec(shown)?.[1] === String(line) && shown.includes(text));
}

function hasLine(part, line) {
  if (new RegExp(`(?<![\\w.])${line}(?![\\w.])`).test(part)) return true;
  return [...part.matchAll(/\b(\d+)[-–](\d+)\b/g)].some(([, from, to]) => Number(from) <= line && line <= Number(to));
}

const tokens = (replies) => replies.reduce((sum, { call, reply }) => sum + countTokens(call) + countTokens(reply), 0);

try {
  const rows = [];
  for (const [i, task] of TASKS.entries()) {
    if (only !== undefined && only !== i + 1) continue;
    const dir = openRepository(task);
    const refs = ['HEAD', ...Object.keys(task.branches ?? {})];
    const paths = new Set(refs.flatMap((ref) => git(dir, 'ls-tree', '-r', '--name-only', ref).split('\n')));
    indexAndLink(dir);
    const sides = {
      grep: askGrep(dir, task.grep),
      ours: await askUs(dir, task.ours),
      structured: await askUs(dir, task.ours, ['--structured']),
    };
    const row = { name: task.name, repository: task.repository };
    for (const [side, replies] of Object.entries(sides)) {
      row[side] = {
        calls: replies.length,
        tokens: tokens(replies),
        missing: missing(task.targets, replies, { dir, paths }),
      };
      if (replies.some(({ isError }) => isError)) row[side].failed = true;
      if (args.includes('--show')) show(side, replies);
    }
    rows.push(row);
    print(row, task.targets.length);
  }
  printSum(rows);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function show(side, replies) {
  for (const { call, reply } of replies) console.log(`\n--- ${side}: ${call} (${countTokens(reply)} tokens)\n${reply}`);
}

function print({ name, repository, ...sides }, targets) {
  const side = ({ calls, tokens: sum, missing: gone, failed }) =>
    `${String(calls).padStart(2)} calls ${String(sum).padStart(6)} tokens ${targets - gone.length}/${targets}${failed ? ' (failed)' : ''}`;
  const shown = Object.entries(sides).map(([label, cost]) => `${label} ${side(cost)}`);
  const ratio = (sides.ours.tokens / sides.grep.tokens).toFixed(2);
  console.log(`${name.padEnd(28)} ${repository.padEnd(20)} ${shown.join(' | ')} | ours / grep ${ratio}`);
  for (const [label, { missing: gone }] of Object.entries(sides))
    if (gone.length > 0) console.log(`  ${label} did not show ${gone.join(', ')}`);
}

function printSum(rows) {
  const sum = (side, key) => rows.reduce((total, row) => total + row[side][key], 0);
  const all = ['grep', 'ours', 'structured'].map(
    (side) => `${side} ${sum(side, 'calls')} calls, ${sum(side, 'tokens')} tokens`,
  );
  const ratio = (side) => (sum(side, 'tokens') / sum('grep', 'tokens')).toFixed(2);
  console.log(`\nin all: ${all.join('; ')}; ours / grep ${ratio('ours')}, structured / grep ${ratio('structured')}`);
}
