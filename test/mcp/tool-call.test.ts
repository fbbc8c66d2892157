/** The line that replies begin with. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { ERROR_CODES, type ErrorCode, isSocraticodeError, SocraticodeError } from '../../src/base/errors.js';
import { estimateTokens } from '../../src/base/tokens.js';
import {
  type CallContext,
  callTool,
  checkCommit,
  failure,
  hashQuestion,
  headerLine,
  inToolWords,
  loadTools,
  readCursor,
  shortCommit,
  TOOLSETS,
  type Tool,
  type ToolCall,
  writeCursor,
} from '../../src/mcp/tool-call.js';
import { choice, integer, list, text, type Values } from '../../src/params/param.js';
import * as s from '../../src/params/shape.js';
import type { Projects } from '../../src/serve/projects.js';

const context = (signal = new AbortController().signal): CallContext => ({
  project: () => Promise.reject(new SocraticodeError('NOT_A_REPOSITORY', 'there is no repository')),
  projects: {} as Projects,
  structured: true,
  signal,
  progress: () => {},
});

const PARAMS = {
  query: text({ summary: '', required: true, minLength: 1, maxLength: 100 }),
  limit: integer({ summary: '', min: 1, max: 50 }),
  mode: choice(['lexical', 'hybrid'], { summary: '' }),
  files: list({ summary: '', maxEntries: 3, maxLength: 20 }),
  maxTokens: integer({ summary: '', min: 1, max: 50_000 }),
  cursor: text({ summary: '' }),
};

type Input = Values<typeof PARAMS>;

/** A tool over plain data: `run` is the subject of the test. */
function makeTool(run: (input: Input, call: ToolCall) => Promise<object>): Tool {
  return {
    name: 'codebase_test',
    title: 'Test',
    toolset: 'core',
    description: '',
    effect: 'reads',
    fields: Object.entries(PARAMS).map(([key, param]) => ({ key, name: key, label: key, param })),
    unoffered: new Set(),
    output: async () => s.object({}),
    maxTokens: 1_000,
    async answer(input, call) {
      const document = await run(input as unknown as Input, call);
      return { document, write: (shown) => JSON.stringify(shown).slice(0, 40) };
    },
  };
}

const echo = makeTool(async (given) => ({ ref: 'main', given }));

interface Reply {
  isError?: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
  structured: any;
}

async function call(tool: Tool, args: unknown, given = context()): Promise<Reply> {
  const { content, structuredContent, isError } = await callTool(tool, args, given);
  const [block] = content;
  return { isError, text: block.type === 'text' ? block.text : '', structured: structuredContent };
}

const MISTAKES: [string, unknown, RegExp][] = [
  ['a parameter that is missing', {}, /query is required: text of 1 to 100 characters/],
  ['no arguments at all', undefined, /query is required/],
  ['a wrong type', { query: 5 }, /query takes text of 1 to 100 characters, not 5/],
  ['too much', { query: 'x', limit: 999 }, /limit takes a whole number from 1 to 50, not 999/],
  ['a fraction', { query: 'x', limit: 1.5 }, /limit takes a whole number from 1 to 50, not 1.5/],
  ['a value that is none', { query: 'x', mode: 'magic' }, /mode takes one of lexical, hybrid, not "magic"/],
  ['a misspelt name', { querry: 'x' }, /unknown parameter "querry"; did you mean query\?/],
  [
    'a name in another style',
    { query: 'x', max_tokens: 5 },
    /unknown parameter "max_tokens"; did you mean maxTokens\?/,
  ],
  [
    'too long',
    { query: 'x'.repeat(1_000_000) },
    /query takes text of 1 to 100 characters, not "x{60}…" of 1,000,000 characters/,
  ],
  [
    'too many',
    { query: 'x', files: Array.from({ length: 10_000 }, () => 'a') },
    /files takes .* a list of at most 3, not a list of 10000/,
  ],
  ['an entry that is wrong', { query: 'x', files: ['a', 7] }, /files takes text of at most 20 characters, .*not 7/],
  ['a prototype', JSON.parse('{"query":"x","__proto__":{"limit":3}}'), /unknown parameter "__proto__"/],
  ['a constructor', { query: 'x', constructor: { prototype: {} } }, /unknown parameter "constructor"/],
  ['something deep', { query: nest(5_000) }, /query takes text of 1 to 100 characters, not a list of 1/],
  ['an array of arguments', ['x'], /unknown parameter "0"/],
  [
    'very many names',
    Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`k${i}`, i])),
    /unknown parameter "k0".*; and 199997 more$/m,
  ],
];

function nest(depth: number): unknown {
  let value: unknown = [];
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

for (const [what, args, expected] of MISTAKES) {
  test(`arguments: ${what}`, async () => {
    const { isError, text, structured } = await call(echo, args);
    assert.equal(isError, true);
    assert.match(text, expected);
    assert.match(text, /\nParameters of codebase_test: query, limit, mode, files, maxTokens, cursor\.$/);
    assert.ok(text.length < 1_000, 'a reply to nonsense is short');
    assert.equal(structured.error.code, 'BAD_ARGUMENT');
  });
}

test('null counts as a parameter left out', async () => {
  const { isError, structured } = await call(echo, { query: 'x', limit: null, mode: null });
  assert.equal(isError, undefined);
  assert.deepEqual(structured.given, { query: 'x' });
});

test('a failure says what to do next, in terms of tools', async () => {
  const tool = makeTool(async (_, { project }) => project());
  const { isError, text, structured } = await call(tool, { query: 'x' });
  assert.equal(isError, true);
  assert.equal(text, 'NOT_A_REPOSITORY: there is no repository\nName a git repository with the parameter projectPath.');
  assert.deepEqual(Object.keys(structured.error), ['code', 'message', 'hint']);
});

test('a bug shows neither its stack nor where files are', async (t) => {
  const written: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => written.push(text) > 0);
  const tool = makeTool(async () => {
    throw new TypeError("ENOENT: no such file, open '/home/somebody/secret project/src/a.ts' at /srv/other/b.ts:3");
  });
  const { text, structured } = await call(tool, { query: 'x' });
  assert.equal(structured.error.code, 'INTERNAL');
  assert.doesNotMatch(JSON.stringify({ text, structured }), /somebody|srv|at async|call\.js/);
  assert.match(written.join(''), /TypeError[\s\S]*call\.test/, 'the stack is on stderr, for people');
});

test('a call that is cancelled ends at once, whatever it waits for', async () => {
  const controller = new AbortController();
  const tool = makeTool(() => new Promise(() => {}));
  const running = call(tool, { query: 'x' }, context(controller.signal));
  controller.abort();
  assert.match((await running).text, /^CANCELLED: /);
});

const ENTRIES = Array.from({ length: 300 }, (_, id) => ({ id, name: `function number ${id}` }));
const lister = makeTool(async ({ limit = 300 }, { skip }) => ({
  ref: 'main',
  commit: '1a2b3c4d5e6f',
  coverage: { covered: 9, total: 10 },
  dirty: 3,
  overlay: 2,
  found: { list: ENTRIES.slice(0, skip + limit), leftOut: Math.max(0, ENTRIES.length - skip - limit) },
}));

test('a reply begins with what it is about and keeps its budget, as text and as JSON', async () => {
  const { text, structured } = await call(lister, { query: 'x', maxTokens: 500 });
  assert.match(text, /^main @ 1a2b3c4d5 · partial: 9\/10 files · 2 of 3 uncommitted included\n/);
  assert.ok(estimateTokens(JSON.stringify(structured)) <= 500);
  assert.ok(structured.found.list.length > 5);
  assert.equal(structured.found.list.length + structured.found.leftOut, 300);
  assert.equal(structured.more.leftOut, structured.found.leftOut);
  assert.match(text, new RegExp(`\nmore: ${structured.more.leftOut} left out; cursor ${structured.more.cursor}$`));
});

test('by default the text alone is sent, and the budget is spent on it', async () => {
  const args = { query: 'x', maxTokens: 500 };
  const alone = await callTool(lister, args, { ...context(), structured: false });
  assert.deepEqual(Object.keys(alone), ['content', '_meta']);
  // Its text is short, so all of the list fits; its document would not.
  assert.doesNotMatch(JSON.stringify(alone.content), /left out/);
  assert.match((await call(lister, args)).text, /left out/);
  const failed = await callTool(lister, { query: 'x', maxTokens: 0 }, { ...context(), structured: false });
  assert.deepEqual([Object.keys(failed), failed.isError], [['isError', 'content', '_meta'], true]);
});

test('answers and failures are marked as content of the repository, which a host need not trust', async () => {
  const mark = { 'git-socraticode/content': 'untrusted' };
  for (const maxTokens of [500, 0])
    assert.deepEqual((await callTool(lister, { query: 'x', maxTokens }, context()))._meta, mark);
});

test('pages follow each other to the end; a cursor of another question is refused', async () => {
  const ids: number[] = [];
  let cursor: string | undefined;
  do {
    const { structured } = await call(lister, { query: 'x', maxTokens: 700, limit: 40, cursor });
    ids.push(...structured.found.list.map(({ id }: { id: number }) => id));
    cursor = structured.more?.cursor;
    if (cursor !== undefined) {
      const other = await call(lister, { query: 'y', maxTokens: 700, limit: 40, cursor });
      assert.match(other.text, /other arguments/);
    }
  } while (cursor !== undefined);
  assert.deepEqual(
    ids,
    ENTRIES.map(({ id }) => id),
  );
});

test('a page of a repository that has moved on is refused', async () => {
  let commit = 'aaaaaaaaaaaa';
  const tool = makeTool(async () => ({ commit, found: { list: ENTRIES, leftOut: 0 } }));
  const { structured } = await call(tool, { query: 'x', maxTokens: 300 });
  commit = 'bbbbbbbbbbbb';
  const { isError, text } = await call(tool, { query: 'x', maxTokens: 300, cursor: structured.more.cursor });
  assert.equal(isError, true);
  assert.match(text, /moved on to bbbbbbbbb[\s\S]*Ask again without cursor/);
});

test('what a tool refuses to list further has no cursor', async () => {
  const capped = makeTool(async (_, { skip }) => ({
    found: { list: ENTRIES.slice(0, Math.min(10, skip + 10)), leftOut: 290 },
  }));
  const first = await call(capped, { query: 'x' });
  assert.equal(first.structured.more.leftOut, 290);
  const second = await call(capped, { query: 'x', cursor: first.structured.more.cursor });
  assert.equal(second.structured.more, undefined);
  assert.match(second.text, /290 more cannot be listed: narrow the question$/);
});

test('text of the repository holds nothing invisible, in text and in JSON', async () => {
  const hidden = 'a\u202eb\u200bc\u{e0041}\u001b[31m';
  const tool = makeTool(async () => ({ ref: hidden, found: [{ [hidden]: hidden, kept: 'tab\tline\n' }] }));
  const { text, structured } = await call(tool, { query: 'x' });
  const seen = text + JSON.stringify(structured);
  for (const invisible of ['\u202e', '\u200b', '\u{e0041}', '\u001b']) assert.ok(!seen.includes(invisible));
  assert.equal(structured.found[0].kept, 'tab\tline\n');
});

test('a call that the client gave up is cancelled, whatever it failed with, and no bug is reported', async () => {
  const controller = new AbortController();
  const tool = makeTool(async () => {
    controller.abort(new Error('the connection is closed'));
    throw new TypeError('half done');
  });
  assert.match((await call(tool, { query: 'x' }, context(controller.signal))).text, /^CANCELLED: cancelled\n/);
});

test('without a cursor a tool is asked from the first entry on', async () => {
  const tool = makeTool(async (_, { skip }) => ({ skip }));
  assert.deepEqual((await call(tool, { query: 'x' })).structured, { skip: 0 });
});

const document = (covered: number) => ({ ref: 'HEAD', commit: 'a'.repeat(40), coverage: { covered, total: 5 } });

test('what runs meanwhile is told where waiting makes the answer better, and only there', () => {
  const running = 'indexing HEAD: 40% (2/5), ask again for more';
  assert.equal(
    headerLine(document(2), running),
    'HEAD @ aaaaaaaaa · partial: 2/5 files · indexing HEAD: 40% (2/5), ask again for more\n',
  );
  assert.equal(headerLine(document(5), running), 'HEAD @ aaaaaaaaa · 5/5 files\n');
  assert.equal(headerLine({ files: [] }, running), '');
});

test('uncommitted changes are counted, with those that the answer knows', () => {
  const about = (dirty: unknown, overlay?: unknown) => headerLine({ ref: 'HEAD', dirty, overlay }, null);
  assert.equal(about(0), 'HEAD\n');
  assert.equal(about(3), 'HEAD · 3 uncommitted included\n');
  assert.equal(about(3, 3), 'HEAD · 3 uncommitted included\n');
  assert.equal(about(3, 0), 'HEAD · 3 uncommitted not included\n');
  assert.equal(about(3, 2), 'HEAD · 2 of 3 uncommitted included\n');
});

test('a snapshot is told by its name and commit, or by the one that is the other', () => {
  assert.equal(headerLine({ ref: 'main', commit: 'ab'.repeat(20) }, null), 'main @ ababababa\n');
  assert.equal(headerLine({ ref: 'main', commit: null }, null), 'main\n');
  assert.equal(headerLine({ ref: 'abab', commit: 'ab'.repeat(20) }, null), 'abab\n');
  assert.equal(headerLine({ ref: 'bab', commit: 'ab'.repeat(20) }, null), 'bab @ ababababa\n', 'only its beginning');
  assert.equal(headerLine({ ref: 'x'.repeat(81) }, null), `${'x'.repeat(80)}…\n`);
  assert.equal(headerLine({ ref: 'x'.repeat(80) }, null), `${'x'.repeat(80)}\n`);
});

const QUESTION = hashQuestion('codebase_search', { query: 'x' });
const isRefused = (error: unknown) => isSocraticodeError(error, 'BAD_ARGUMENT') && /cursor/.test(error.hint);

test('a cursor comes back as it was written', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom('', '1a2b'), (skip, commit) => {
      const cursor = { skip, question: QUESTION, commit };
      assert.deepEqual(readCursor(writeCursor(cursor), QUESTION), cursor);
    }),
  );
});

test('nothing else is a cursor', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (text) => {
      assert.throws(() => readCursor(text, QUESTION), isRefused);
    }),
  );
  for (const [skip, commit] of [
    ['-1', ''],
    ['1e9', ''],
    ['9999999', ''],
    ['NaN', ''],
    ['1', '../../x'],
    ['1', 'A'.repeat(9)],
  ]) {
    const forged = `${skip}.${QUESTION}.${commit}`;
    assert.throws(() => readCursor(forged, QUESTION), isRefused, `${skip} ${commit}`);
  }
});

test('a cursor belongs to one question, whatever the order of arguments, the budget and the cursor', () => {
  const same = hashQuestion('codebase_search', { limit: 5, query: 'x', maxTokens: 900, cursor: 'c', ref: undefined });
  assert.equal(same, hashQuestion('codebase_search', { query: 'x', limit: 5 }));
  const others = [
    hashQuestion('codebase_search', { query: 'y' }),
    hashQuestion('codebase_search', { query: 'x', ref: 'main' }),
    hashQuestion('codebase_history', { query: 'x' }),
  ];
  const cursor = writeCursor({ skip: 5, question: QUESTION, commit: '' });
  for (const other of others) assert.throws(() => readCursor(cursor, other), isRefused);
});

test('a page of another commit than the one before is refused', () => {
  const commit = shortCommit('1a2b3c4d5e6f');
  const cursor = readCursor(writeCursor({ skip: 1, question: QUESTION, commit }), QUESTION);
  checkCommit(cursor, commit);
  assert.throws(() => checkCommit(cursor, 'fffffffff'), isRefused);
});

const told = (message: string) => {
  const { structuredContent } = failure(
    new SocraticodeError('BAD_CONFIG', message, { hint: 'Mend it.' }),
    'codebase_x',
  );
  return (structuredContent as { error: { message: string } }).error.message;
};

test('a message of a thousand characters is told whole, and a longer one is cut', () => {
  assert.equal(told('x'.repeat(1_000)), 'x'.repeat(1_000));
  assert.equal(told('x'.repeat(1_001)), `${'x'.repeat(1_000)}…`);
});

test('quoted lines cannot pass for the next step', () => {
  const { content } = failure(new SocraticodeError('BAD_CONFIG', 'one\ntwo', { hint: 'Mend it.' }), 'codebase_x');
  assert.deepEqual(content, [{ type: 'text', text: 'BAD_CONFIG: one\n two\nMend it.' }]);
});

test('advice leaves out tools that the server does not offer, unless nothing else remains', () => {
  // A process of its own: what is offered is known once a process.
  const module = new URL('../../src/mcp/tool-call.js', import.meta.url).href;
  const script = `const { inToolWords, loadTools } = await import('${module}');
    await loadTools(['core'], true);
    console.log(inToolWords('Search: git socraticode search x; parts of names: git socraticode graph symbols x'));
    console.log(inToolWords('git socraticode graph symbols x'));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.deepEqual(said.trim().split('\n'), ['Search: codebase_search x', 'codebase_symbols x']);
});

test('each error code tells agents what to ask or what the user has to do, and no command line of ours', () => {
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
    const { structuredContent } = failure(new SocraticodeError(code, 'it failed'), 'codebase_x');
    const { hint } = (structuredContent as { error: { hint: string } }).error;
    assert.doesNotMatch(hint, /git socraticode|run again|run the command/i, code);
    if (/`|git (?:config|remote)|npm /.test(hint)) assert.match(hint, /the user/i, code);
  }
});

test("advice names tools and parameters where a question has a tool, and leaves the user's commands as they are", async () => {
  await loadTools(TOOLSETS, true);
  for (const [command, tool] of [
    ['git socraticode search retry', 'codebase_search retry'],
    ['names with a part of it: git socraticode graph symbols PART', 'names with a part of it: codebase_symbols PART'],
    ['git socraticode conflicts --plan names the order', 'codebase_conflicts with plan names the order'],
    ['git socraticode hooks install', 'git socraticode hooks install'],
    ['git socraticode conflicts --no-such', 'git socraticode conflicts --no-such'],
    ['git config --global socraticode.fleet.url X', 'git config --global socraticode.fleet.url X'],
  ])
    assert.equal(inToolWords(command), tool);
});
