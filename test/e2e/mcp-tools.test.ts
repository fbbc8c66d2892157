/** Every tool there is, asked over stdio about a repository of some size: a third of this program's own source. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { OPEN_ACCESS } from '../../fleet/src/access/access.js';
import { serveFleet } from '../../fleet/src/http/server.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { loadTools, parameterNames, TOOLSETS, type Tool } from '../../src/mcp/tool-call.js';
import { PROFILE, sourceFile, uploadOf, viewOf } from '../fleet/made.js';
import { ROOT } from '../house/root.js';
import { check } from '../support/check.js';
import { CLI, cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';

const repo = createRepo();
const projectPath = repo.dir;
/** Folders of the source whose answers are longer than a page; with the others each question takes three times as long. */
const FOLDERS =
  'base cli config documents git history hooks knowledge mcp overlay search serve session shard share'.split(' ');

/** Arguments for every tool; a tool without a row fails. In this order, so that what deletes comes last. */
const QUESTIONS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  codebase_search: [
    { query: 'how are shards merged' },
    { query: 'SocraticodeError', limit: 50 },
    { query: 'writer lock', fileFilter: 'src/base/**', languageFilter: 'typescript', kind: 'function', minScore: 0.1 },
    { query: 'budget', in: 'HEAD~1..HEAD' },
    { query: 'lock', includeLinked: true },
    { query: 'lock', also: ['who holds it'], allRefs: true, limit: '3' },
  ],
  codebase_read: [
    { in: 'HEAD~1..HEAD' },
    { targets: ['src/base/lock.ts:1-40', 'SocraticodeError', 'README.md', 'run'] },
    { targets: ['src/session/session.ts'], ref: 'HEAD' },
  ],
  codebase_grep: [
    { pattern: 'SocraticodeError', fileFilter: 'src/base/**' },
    { pattern: 'lock', words: true, files: true },
    { pattern: 'export (async )?function', context: 1 },
    { pattern: 'JSON.stringify($$$ARGS)', ast: true },
    { pattern: 'JSON.parse($A)', ast: true, rewrite: 'parse($A)' },
  ],
  codebase_symbol: [{ name: 'SocraticodeError' }, { name: 'Git.run' }, { name: 'run' }],
  codebase_impact: [
    { target: 'SocraticodeError' },
    { target: 'src/base/lock.ts', depth: 2 },
    { target: 'HEAD~1..HEAD' },
    {},
  ],
  codebase_outline: [
    {},
    { files: ['src/base/lock.ts', 'src/git/objects.ts'] },
    { files: ['src/session/session.ts'], signatures: true },
  ],
  codebase_pack: [{ task: 'make the writer lock wait longer' }, { task: 'add an error code', maxTokens: 2_000 }],
  codebase_status: [{}, { ref: 'HEAD~1' }, { path: ['src/base/lock.ts', 'src', 'nowhere.ts'] }],
  codebase_similar: [
    { place: 'src/base/lock.ts:40' },
    { snippet: 'if (error.code === "ENOENT") return null;', limit: '5' },
  ],
  codebase_references: [{ name: 'SocraticodeError' }, { name: 'src/base/lock.ts' }],
  codebase_path: [{ from: 'runCli', to: 'SocraticodeError' }],
  codebase_symbols: [{}, { file: 'src/base/lock.ts' }, { query: 'lock' }],
  codebase_flow: [{}, { entrypoint: 'runCli' }],
  codebase_graph_query: [{ filePath: 'src/base/errors.ts' }],
  codebase_rename: [
    { name: 'SocraticodeError', to: 'ProgramError' },
    { name: 'BUDGET', delete: true },
  ],
  codebase_graph_stats: [{}],
  codebase_graph_circular: [{}, { symbols: true }],
  codebase_graph_check: [{}],
  codebase_graph_diff: [{ from: 'HEAD~1' }],
  codebase_graph_unused: [{}, { if: 'SocraticodeError' }],
  codebase_graph_visualize: [{ mode: 'mermaid' }, { mode: 'mermaid', target: 'src/base/lock.ts' }],
  codebase_graph_status: [{}],
  codebase_graph_build: [{}],
  codebase_history: [{ query: 'BUDGET' }, { query: 'writer lock', limit: 2 }, { query: 'budget', commits: true }],
  codebase_diff: [{ from: 'HEAD~1' }],
  codebase_why: [{ place: 'src/base/lock.ts:10-40' }, { place: 'BUDGET', full: true }],
  codebase_tests: [{ target: 'SocraticodeError' }, { target: 'HEAD~1..HEAD' }, {}],
  codebase_coupling: [{ target: 'src/base' }, { target: 'HEAD~1..HEAD' }, {}],
  codebase_owners: [{}, { paths: ['src/base'] }, { paths: ['src/base'], lines: true }],
  codebase_hotspots: [{}, { paths: ['src/base'], symbols: true, since: '20y' }],
  codebase_conflicts: [{}, { branch: 'HEAD~1' }],
  codebase_fixed: [{ fix: 'HEAD' }, { fix: 'HEAD~1..HEAD', refs: 'main' }],
  codebase_graph_blame: [{ places: ['src/cli', 'src/base/lock.ts'] }, { places: ['src/base/lock.ts'] }],
  codebase_review: [{ range: 'HEAD~1..HEAD' }, { range: 'HEAD~1..HEAD', unseen: true }],
  codebase_doc_search: [{ query: 'where do I add a language' }],
  codebase_doc_links: [{ target: 'SocraticodeError' }, { target: 'src/README.md' }],
  codebase_doc_drift: [{}, { range: 'HEAD~1..HEAD' }],
  codebase_context: [{}, { artifactName: 'guide' }],
  codebase_context_search: [{ query: 'where do I add a language' }],
  codebase_context_index: [{}],
  codebase_note_add: [
    { target: 'SocraticodeError', text: 'codes never change' },
    { target: 'src/base/lock.ts:1-10', text: 'a draft', agent: 'tester', share: true },
  ],
  codebase_note_list: [{}, { targets: ['src/base'], all: true }, { status: 'stale' }],
  codebase_note_show: [{ id: 'last' }],
  codebase_summary: [{ targets: ['src/knowledge', 'SocraticodeError'] }],
  codebase_tags: [{}],
  codebase_tag_list: [{ tag: 'tests' }, { tag: 'configuration' }],
  codebase_tag_why: [{ target: 'src/config/settings.ts' }, { target: 'SocraticodeError' }],
  codebase_tag_add: [{ target: 'SocraticodeError', tag: 'errors', agent: 'tester' }],
  codebase_tag_remove: [{ target: 'SocraticodeError', tag: 'errors', agent: 'tester' }],
  codebase_task_create: [{ title: 'round totals', description: 'half up', branch: ['topic'], plan: ['docs/plan.md'] }],
  codebase_task_get: [{ id: 'last' }],
  codebase_task_list: [{}, { status: 'todo', limit: 5 }, { branch: 'topic' }],
  codebase_task_update: [{ id: 'last', status: 'done', note: 'finished', agent: 'tester' }],
  codebase_task_link: [{ id: 'last', commit: ['HEAD'] }],
  codebase_note_resolve: [{ id: 'last', text: 'settled' }],
  codebase_index: [{}],
  codebase_update: [{}],
  codebase_stop: [{}],
  codebase_watch: [{ action: 'status' }, { action: 'start' }, { action: 'stop' }],
  codebase_health: [{}],
  codebase_list_projects: [{}],
  codebase_about: [{}],
  codebase_context_remove: [{ projectPath }],
  codebase_graph_remove: [{ projectPath }],
  codebase_remove: [{ projectPath }],
  codebase_fleet_search: [{ query: 'discount' }, { query: 'discount', repo: 'acme/s*', limit: 3 }],
  codebase_fleet_repos: [{}, { repo: 'acme/bank' }],
  codebase_fleet_file: [
    { repo: 'acme/shop', path: 'src/shopCart.ts' },
    { repo: 'acme/shop', path: 'src/shopCart.ts', outline: true },
  ],
};

/** Text against the JSON of the same answer. */
const MAX_SHARE = 0.6;
/**
 * Where both are mostly code, documents or signatures, there is little to save. The JSON of search and similar says each thing once
 * since it lost a sixth (`paths`, `sources`), so the same text is a larger share of it.
 */
const MOSTLY_TEXT: Readonly<Record<string, number>> = {
  codebase_grep: 0.9,
  codebase_outline: 0.75,
  codebase_pack: 0.9,
  codebase_read: 1.1,
  codebase_graph_visualize: 1,
  codebase_context: 1,
  codebase_context_search: 0.75,
  codebase_doc_search: 0.75,
  codebase_note_show: 0.75,
  // Most of it is a patch.
  codebase_rename: 1,
  codebase_search: 0.75,
  codebase_similar: 0.65,
  codebase_summary: 0.75,
};
/** A few words of text need more than their JSON; in characters. */
const SMALL = 700;
/** A budget that most answers exceed, and that one entry of each list keeps. */
const SMALL_BUDGET = 800;
/** Pages that are walked. */
const MAX_PAGES = 6;
/** The estimate may be a little below what a tokenizer counts. */
const MARGIN = 1.12;

const tools = await loadTools(TOOLSETS, false);
const client = new Client({ name: 'test', version: '1' });

before(async () => {
  for (const name of [...FOLDERS, 'README.md'])
    cpSync(fileURLToPath(new URL(`src/${name}`, ROOT)), join(repo.dir, 'src', name), { recursive: true });
  repo.commit({
    '.socraticode.json': JSON.stringify({
      graph: { rules: [{ from: 'src/base/**', to: 'src/git/**', allow: false }] },
    }),
    '.socraticodecontextartifacts.json': JSON.stringify({
      artifacts: [{ name: 'guide', path: 'src/README.md', description: 'how the code is laid out' }],
    }),
  });
  repo.commit({
    'src/budget.ts': 'import { lockHolder } from "../../src/base/lock.js";\nexport const BUDGET = lockHolder("x");\n',
  });
  repo.write({ 'src/uncommitted.ts': 'export const later = 1;\n' });
  await cli(['index'], { cwd: repo.dir });
  const args = [CLI, '-C', repo.dir, 'mcp', '--toolsets', 'all', '--structured'];
  const env = { ...process.env, SOCRATICODE_FLEET_URL: await fleetUrl() } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'inherit' }));
  await client.listTools();
});
after(async () => {
  await client.close();
  await fleet?.close();
});

let fleet: Awaited<ReturnType<typeof serveFleet>> | undefined;

/** A server over a fleet with two repositories of a few files. */
async function fleetUrl(): Promise<string> {
  const engine = new MemoryEngine(PROFILE);
  const intake = new FleetIntake(engine);
  for (const name of ['shop', 'bank']) {
    const files = ['Cart', 'Voucher', 'Ledger', 'Account'].map((each, i) =>
      sourceFile(`src/${name}${each}.ts`, `${name}${each}`, ['discount', 'total', `${each}${i}`, name]),
    );
    const view = viewOf(files, { repo: `acme/${name}` });
    await intake.units({ ...view, units: files.map(uploadOf) });
    await intake.view(view);
  }
  const local = { host: '127.0.0.1', port: 0, isOpen: true, write: () => {} };
  fleet = await serveFleet({ engine, access: OPEN_ACCESS, ...local });
  return fleet.url;
}

interface Reply {
  text: string;
  structured: Record<string, unknown>;
}

/** The client checks the answer against the listed schema; here, against the contract. */
async function ask(tool: Tool, args: Record<string, unknown>): Promise<Reply> {
  for (;;) {
    const { content, structuredContent, isError } = await client.callTool({ name: tool.name, arguments: args });
    const [block] = content;
    const text = block.type === 'text' ? block.text : '';
    if (/^NOT_READY/.test(text)) continue;
    assert.notEqual(isError, true, text);
    const structured = structuredContent as Record<string, unknown>;
    const { more, ...document } = structured;
    check(await tool.output(), document);
    return { text, structured };
  }
}

const tokens = (reply: Reply) => Math.max(countTokens(reply.text), countTokens(JSON.stringify(reply.structured)));

test('every tool has a question here', () => {
  assert.deepEqual(Object.keys(QUESTIONS).sort(), [...tools.keys()].sort());
});

for (const [name, questions] of Object.entries(QUESTIONS)) {
  const tool = tools.get(name);
  if (tool === undefined) continue;
  test(name, async (t) => {
    for (const args of questions) await checkWhole(t, tool, args);
  });
  if (!parameterNames(tool).includes('cursor')) continue;
  test(`${name}, page by page`, async (t) => {
    for (const args of questions) await checkPages(t, tool, args);
  });
}

async function checkWhole(t: TestContext, tool: Tool, args: Record<string, unknown>): Promise<void> {
  const reply = await ask(tool, args);
  const json = JSON.stringify(reply.structured).length;
  const share = reply.text.length / json;
  const asked = JSON.stringify(args);
  t.diagnostic(`${asked}: ${countTokens(reply.text)} tokens, ${Math.round(share * 100)}% of its JSON`);
  assert.ok(reply.text.length > 0);
  if (json > SMALL) assert.ok(share <= (MOSTLY_TEXT[tool.name] ?? MAX_SHARE), `${asked}: ${share}`);
  const budget = Number(args.maxTokens ?? tool.maxTokens);
  assert.ok(tokens(reply) <= budget * MARGIN, `${asked}: ${tokens(reply)} of ${budget} tokens`);
}

async function checkPages(t: TestContext, tool: Tool, args: Record<string, unknown>): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const reply = await ask(tool, { ...args, maxTokens: SMALL_BUDGET, ...(cursor !== undefined && { cursor }) });
    const { more } = reply.structured as { more?: { leftOut: number; cursor: string } };
    t.diagnostic(`${JSON.stringify(args)} ${page}: ${tokens(reply)} tokens, ${more?.leftOut ?? 0} left out`);
    assert.ok(tokens(reply) <= SMALL_BUDGET * MARGIN, `${JSON.stringify(args)}: ${tokens(reply)} tokens`);
    if (more === undefined) return;
    assert.notEqual(more.cursor, cursor);
    cursor = more.cursor;
  }
}
