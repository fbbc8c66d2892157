/** `mcp install` and `mcp uninstall` on whole projects and homes. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type McpInstallReport, mcpInstallReportSchema } from '../../src/questions/mcp/clients.js';
import { ROOT } from '../house/root.js';
import { check } from '../support/check.js';
import { CLI, cli } from '../support/processes/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

const ALL = ['claude', 'cursor', 'vscode', 'codex', 'gemini', 'opencode', 'zed', 'copilot', 'jetbrains'] as const;
/** Clients that have files of a user only. */
const OF_USER = ['claude-desktop', 'windsurf', 'cline'] as const;
const FILES = [
  '.mcp.json',
  '.cursor/mcp.json',
  '.vscode/mcp.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  'opencode.json',
  '.zed/settings.json',
  '.github/mcp.json',
  '.junie/mcp/mcp.json',
];

// biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor puts the folder in.
const FOLDER = '${workspaceFolder}';

const read = (repo: TestRepo, path: string) => readFileSync(join(repo.dir, path), 'utf8');

async function mcp(repo: TestRepo, args: readonly string[], home?: string) {
  const result = await cli(['-C', repo.dir, 'mcp', ...args, '--json'], {
    env: home === undefined ? {} : { HOME: home },
  });
  assert.notEqual(result.stdout, '', result.stderr);
  const report: McpInstallReport = check(mcpInstallReportSchema, JSON.parse(result.stdout));
  return { ...result, report, changes: report.clients.map(({ change }) => change) };
}

test('every client of a project: installed, unchanged the second time, gone without a trace', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const clients = ['--client', ...ALL];
  const dry = await mcp(repo, ['install', '--dry-run', ...clients]);
  assert.deepEqual([dry.code, dry.report.written, repo.git('status', '--porcelain')], [0, false, '']);
  const first = await mcp(repo, ['install', ...clients, '--toolsets', 'core,graph', '--read-only']);
  assert.deepEqual([first.code, first.report.written, first.changes], [0, true, ALL.map(() => 'create')]);
  assert.deepEqual(
    first.report.clients.map(({ path }) => path),
    FILES,
  );
  for (const path of FILES) assert.match(read(repo, path), /"mcp", "--toolsets", "core,graph", "--read-only"/, path);
  const again = await mcp(repo, ['install', ...clients, '--toolsets', 'core,graph', '--read-only']);
  assert.deepEqual([again.code, again.report.written, again.changes], [0, false, ALL.map(() => 'none')]);
  const gone = await mcp(repo, ['uninstall']);
  assert.deepEqual([gone.code, gone.changes], [0, ALL.map(() => 'delete')]);
  assert.equal(repo.git('status', '--porcelain', '--ignored'), '');
  assert.ok(!existsSync(join(repo.dir, '.cursor')));
  assert.deepEqual((await mcp(repo, ['uninstall'])).report.clients, []);
});

test('without --client: those that the project is set up for, from any directory; else it asks for one', async () => {
  const repo = createRepo();
  const home = makeDirectory('home');
  mkdirSync(join(home, '.codex'));
  const none = await cli(['-C', repo.dir, 'mcp', 'install'], { env: { HOME: home } });
  assert.equal(none.code, 2);
  assert.match(none.stderr, /none is set up in this project; this user seems to have codex\n.*--client codex/);
  repo.write({ '.cursor/rules/a.md': 'x', 'opencode.jsonc': '{ /* mine */\n  "theme": "x"\n}\n', 'sub/x': '' });
  const found = await mcp({ ...repo, dir: join(repo.dir, 'sub') } as TestRepo, ['install'], home);
  assert.deepEqual(
    found.report.clients.map(({ client, path }) => [client, path]),
    [
      ['cursor', '.cursor/mcp.json'],
      ['opencode', 'opencode.jsonc'],
    ],
  );
  assert.deepEqual(found.report.alsoHere, ['codex']);
  assert.match(read(repo, 'opencode.jsonc'), /^\{ \/\* mine \*\/\n {2}"theme": "x",\n {2}"mcp": \{/);
  const { code } = await mcp(repo, ['uninstall']);
  assert.deepEqual([code, read(repo, 'opencode.jsonc')], [0, '{ /* mine */\n  "theme": "x"\n}\n']);
});

test('another entry of that name is kept, shown, and replaced or taken out only with --force', async () => {
  const repo = createRepo();
  const text = '{"mcpServers": {"socraticode": {"command": "npx", "args": ["-y", "socraticode"]}}}\n';
  repo.write({ '.mcp.json': text });
  const kept = await cli(['-C', repo.dir, 'mcp', 'install', '--client', 'claude']);
  assert.equal(kept.code, 1);
  assert.match(
    kept.stdout,
    /kept .mcp.json[\s\S]*- \{"command":"npx","args":\["-y","socraticode"\]\}\n\s*\+ \{"type":"stdio"/,
  );
  assert.deepEqual([(await mcp(repo, ['uninstall'])).changes, read(repo, '.mcp.json')], [['keep'], text]);
  const beside = await mcp(repo, ['install', '--name', 'code', '--client', 'claude']);
  assert.deepEqual(
    [beside.changes, Object.keys(JSON.parse(read(repo, '.mcp.json')).mcpServers)],
    [['add'], ['socraticode', 'code']],
  );
  await mcp(repo, ['uninstall', '--name', 'code']);
  assert.equal(read(repo, '.mcp.json'), text);
  assert.deepEqual((await mcp(repo, ['install', '--force', '--client', 'claude'])).changes, ['replace']);
  assert.equal((await mcp(repo, ['install', '--client', 'claude'])).changes[0], 'none');
  assert.equal((await cli(['-C', repo.dir, 'mcp', 'install', '--client', 'claude', '--name', '__proto__'])).code, 2);
});

test('files that cannot be read or written are left alone, and others are served all the same', async () => {
  const repo = createRepo();
  repo.write({ '.mcp.json': '{"mcpServers": {', '.gemini': 'a file', 'opencode.json': '{}\n' });
  repo.write({ '.cursor/mcp.json': Buffer.from([0x7b, 0xff, 0x7d]) });
  const { code, changes, report } = await mcp(repo, ['install', '--client', 'claude', 'cursor', 'gemini', 'opencode']);
  assert.deepEqual([code, changes], [2, ['refuse', 'refuse', 'refuse', 'add']]);
  assert.match(report.clients[0].reason ?? '', /no valid JSON at line 1, column 17/);
  assert.match(report.clients[0].next ?? '', /mcp install --print/, 'the next step is told');
  assert.deepEqual([read(repo, '.mcp.json'), read(repo, '.gemini')], ['{"mcpServers": {', 'a file']);
});

test('links of a project are not followed: its authors chose them', async () => {
  const [repo, outside] = [createRepo(), makeDirectory('outside')];
  writeFileSync(join(outside, 'mcp.json'), '{}\n');
  symlinkSync(outside, join(repo.dir, '.vscode'));
  symlinkSync(join(outside, 'mcp.json'), join(repo.dir, '.mcp.json'));
  symlinkSync(join(outside, 'new.json'), join(repo.dir, 'opencode.json'));
  const { code, changes } = await mcp(repo, ['install', '--client', 'claude', 'vscode', 'opencode']);
  assert.deepEqual([code, changes], [2, ['refuse', 'refuse', 'refuse']]);
  assert.equal(readFileSync(join(outside, 'mcp.json'), 'utf8'), '{}\n');
  assert.ok(!existsSync(join(outside, 'new.json')));
});

test('files of the user: links followed, permissions kept, found without a repository', async () => {
  const home = makeDirectory('home');
  const dotfiles = join(home, 'dotfiles');
  mkdirSync(join(home, '.cursor'));
  mkdirSync(dotfiles);
  const [cursor, codex] = [join(dotfiles, 'cursor.json'), join(home, '.codex', 'config.toml')];
  writeFileSync(cursor, '{\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}\n');
  symlinkSync(cursor, join(home, '.cursor', 'mcp.json'));
  mkdirSync(dirname(codex));
  writeFileSync(codex, 'model = "x"\n', { mode: 0o600 });
  const before = [readFileSync(cursor, 'utf8'), readFileSync(codex, 'utf8')];
  const run = (action: string) =>
    mcp({ dir: home } as TestRepo, [action, '--scope', 'user', '--client', 'cursor', 'codex', 'vscode'], home);
  const installed = await run('install');
  assert.deepEqual([installed.code, installed.changes], [0, ['add', 'create', 'add']]);
  assert.ok(lstatSync(join(home, '.cursor', 'mcp.json')).isSymbolicLink());
  assert.deepEqual(JSON.parse(readFileSync(cursor, 'utf8')).mcpServers.socraticode.args.slice(-3), [
    '-C',
    FOLDER,
    'mcp',
  ]);
  const vscode = readFileSync(join(home, '.config/Code/User/mcp.json'), 'utf8');
  assert.doesNotMatch(vscode, /workspaceFolder/);
  assert.equal(statSync(codex).mode & 0o777, 0o600);
  assert.deepEqual((await run('uninstall')).changes, ['remove', 'delete', 'remove']);
  assert.deepEqual([readFileSync(cursor, 'utf8'), readFileSync(codex, 'utf8')], before);
  assert.equal((await cli(['-C', home, 'mcp', 'install', '--scope', 'user'], { env: { HOME: home } })).code, 2);
});

test("Claude Code's own state is only looked at: its command changes it", async () => {
  const home = makeDirectory('home');
  const run = (...args: string[]) =>
    mcp({ dir: home } as TestRepo, [...args, '--scope', 'user', '--client', 'claude'], home);
  const { code, report } = await run('install');
  const [{ change, command, wanted }] = report.clients;
  assert.deepEqual([code, change, existsSync(join(home, '.claude.json'))], [1, 'command', false]);
  assert.deepEqual(command?.slice(0, 7), ['claude', 'mcp', 'add', '--scope', 'user', 'socraticode', '--']);
  const state = JSON.stringify({ mcpServers: { socraticode: { ...(wanted as object), env: {} } }, projects: {} });
  writeFileSync(join(home, '.claude.json'), state);
  assert.deepEqual((await run('install')).changes, ['none']);
  const gone = await run('uninstall');
  assert.deepEqual([gone.code, gone.report.clients[0].command?.slice(0, 3)], [1, ['claude', 'mcp', 'remove']]);
  assert.equal(readFileSync(join(home, '.claude.json'), 'utf8'), state);
});

test('clients without a configuration of a project name the command for the user', async () => {
  const repo = createRepo();
  const { code, report } = await mcp(repo, ['install', '--client', 'windsurf', 'zed']);
  assert.deepEqual([code, report.clients.map(({ change }) => change)], [2, ['refuse', 'create']]);
  assert.match(report.clients[0].next ?? '', /mcp install --client windsurf --scope user/);
});

test('clients that start servers anywhere get the repository by its path, and a second one beside it', async (t) => {
  const [home, one, two] = [makeDirectory('home'), createRepo(), createRepo()];
  one.commit({ 'a.ts': 'export function shutterSpeed() {}\n' });
  await cli(['-C', one.dir, 'index']);
  const user = ['--scope', 'user', '--client', ...OF_USER];
  const first = await mcp(one, ['install', ...user], home);
  assert.deepEqual([first.code, first.changes], [0, ['create', 'create', 'create']]);
  assert.deepEqual((await mcp(two, ['install', ...user], home)).changes, ['add', 'add', 'add']);
  assert.deepEqual((await mcp(one, ['install', ...user], home)).changes, ['none', 'none', 'none']);
  for (const path of first.report.clients.map((client) => client.path as string)) {
    const { command, args } = JSON.parse(readFileSync(path, 'utf8')).mcpServers.socraticode;
    assert.deepEqual(args.slice(-4), ['mcp', '--allow', one.dir, two.dir], path);
    if (path.includes('claude_desktop')) assert.equal(command, process.execPath);
    const client = await connect(t, { command, args, cwd: home });
    const found = await client.callTool({ name: 'codebase_search', arguments: { query: 'shutterSpeed' } });
    assert.match(JSON.stringify(found.content), /a\.ts/, path);
  }
  assert.deepEqual((await mcp(two, ['uninstall', '--scope', 'user'], home)).changes, ['delete', 'delete', 'delete']);
});

test('several at once, and none of them lost', async () => {
  const repo = createRepo();
  repo.write({ '.mcp.json': '{\n  "mcpServers": {}\n}\n' });
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map((name) => mcp(repo, ['install', '--client', 'claude', '--name', name])));
  assert.deepEqual(Object.keys(JSON.parse(read(repo, '.mcp.json')).mcpServers).sort(), names);
  assert.equal(repo.git('status', '--porcelain', '-uall'), '?? .mcp.json');
});

test('what is written starts a server that answers', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export function shutterSpeed() {}\n' });
  await cli(['-C', repo.dir, 'index']);
  await mcp(repo, ['install', '--client', 'claude', '--read-only']);
  const { command, args } = JSON.parse(read(repo, '.mcp.json')).mcpServers.socraticode;
  const client = await connect(t, { command, args, cwd: join(repo.dir) });
  assert.equal(client.getServerVersion()?.name, 'git-socraticode');
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  assert.ok(tools.includes('codebase_search'));
  const found = await client.callTool({ name: 'codebase_search', arguments: { query: 'shutterSpeed' } });
  assert.match(JSON.stringify(found.content), /a\.ts/);
});

async function connect(t: TestContext, server: { command: string; args: string[]; cwd: string }): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  t.after(() => client.close());
  await client.connect(
    new StdioClientTransport({ ...server, env: process.env as Record<string, string>, stderr: 'ignore' }),
  );
  return client;
}

test('docs/agents.md shows what --print prints, which needs no repository', async () => {
  const [home, bin] = [makeDirectory('home'), makeDirectory('bin')];
  chmodSync(CLI, 0o755);
  symlinkSync(CLI, join(bin, 'git-socraticode'));
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: home };
  const page = readFileSync(new URL('docs/agents.md', ROOT), 'utf8');
  const { code, stdout } = await cli(['-C', home, 'mcp', 'install', '--print'], { env });
  const pieces = stdout.split(/\n(?=\/\/ |# )/);
  assert.deepEqual([code, pieces.length], [0, ALL.length]);
  for (const piece of pieces) {
    const block = `\`\`\`${piece.startsWith('#') ? 'toml' : 'jsonc'}\n${piece.trimEnd()}\n\`\`\``;
    assert.ok(page.includes(block), `docs/agents.md lacks:\n\n${block}`);
  }
  const user = await cli(['mcp', 'install', '--print', '--scope', 'user', '--client', 'claude'], { env });
  assert.equal(user.stdout, '# to be run in a shell\nclaude mcp add --scope user socraticode -- git-socraticode mcp\n');
  assert.ok(page.includes(user.stdout.split('\n')[1]));
});
