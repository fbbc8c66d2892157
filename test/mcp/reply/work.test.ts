/** What a client is told of the background's work: while it waits, in the reply, and where there is no answer yet. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SocraticodeError } from '../../../src/base/errors.js';
import { type CallContext, callTool, type Tool } from '../../../src/mcp/tool-call.js';
import * as s from '../../../src/params/shape.js';
import type { BackgroundState, LastRun, RunningState } from '../../../src/serve/job.js';
import type { Project } from '../../../src/serve/project.js';
import type { Projects } from '../../../src/serve/projects.js';

const INDEXING: RunningState = {
  ...{ kind: 'index', ref: 'HEAD', commit: null, phase: 'indexing', done: 34, total: 100, note: null },
  ...{ holder: null, startedAt: 0 },
};
const LINKING: RunningState = { ...INDEXING, kind: 'link', phase: 'linking', done: 0, total: 0 };
const SIGN_OF_LIFE_MS = 2_000;

/** A repository whose background does what the test sets, and a client that notes what it is told. */
function client(running: RunningState | null, last: LastRun | null = null) {
  const state: BackgroundState = { running, queued: [], last };
  const listeners = new Set<() => void>();
  const told: { done: number; total: number | null; message: string }[] = [];
  const background = {
    state: () => state,
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const project = { background } as unknown as Project;
  const context: CallContext = {
    project: async () => project,
    projects: {} as Projects,
    structured: false,
    signal: new AbortController().signal,
    progress: (done, total, message) => told.push({ done, total, message }),
  };
  const change = () => {
    for (const listener of listeners) listener();
  };
  return { context, state, listeners, told, change };
}

/** A tool about a repository of which `covered` of five files are indexed. */
function tool(run: () => Promise<void>, covered = 5): Tool {
  return {
    ...{ name: 'codebase_test', title: 'Test', toolset: 'core', description: '', effect: 'reads', fields: [] },
    ...{ unoffered: new Set(), output: async () => s.object({}), maxTokens: 1_000 },
    async answer(_, call) {
      await Promise.all([call.project(), call.project()]);
      await run();
      const document = { ref: 'HEAD', commit: 'a'.repeat(40), coverage: { covered, total: 5 } };
      return { document, write: () => 'answer' };
    },
  };
}

async function textOf(tool: Tool, context: CallContext): Promise<string> {
  const { content } = await callTool(tool, {}, context);
  return content[0].type === 'text' ? content[0].text : '';
}

function clock(t: TestContext): (ms: number) => void {
  t.mock.timers.enable({ apis: ['setInterval'] });
  return (ms) => t.mock.timers.tick(ms);
}

test('a client that waits is told each step of the work once, and that it goes on where nothing changes', async (t) => {
  const pass = clock(t);
  const { context, state, told, change } = client(INDEXING);
  await textOf(
    tool(async () => {
      change();
      state.running = LINKING;
      change();
      pass(SIGN_OF_LIFE_MS);
      pass(SIGN_OF_LIFE_MS);
    }),
    context,
  );
  const messages = told.map(({ message }) => message);
  assert.deepEqual(messages, ['indexing HEAD: 34% (34/100)', 'linking HEAD', 'linking HEAD', 'linking HEAD']);
  for (const [i, { done, total }] of told.entries()) {
    assert.ok(done > (told[i - 1]?.done ?? 0), 'clients refuse progress that does not rise');
    assert.ok(done < 1, "an answer's own counts, which begin at 1, come after it");
    assert.equal(total, null);
  }
});

test('nothing is told where nothing runs, nor after the call has ended, well or not', async (t) => {
  const pass = clock(t);
  const { context, state, told, change, listeners } = client(null);
  const listening = tool(async () => {
    change();
    pass(SIGN_OF_LIFE_MS);
    assert.equal(listeners.size, 1, 'a project that is asked for twice is listened to once');
  });
  const failing = tool(() => Promise.reject(new SocraticodeError('UNKNOWN_REF', 'none')));
  assert.match(await textOf(listening, context), /answer$/);
  assert.match(await textOf(failing, context), /^UNKNOWN_REF/);
  state.running = INDEXING;
  change();
  pass(SIGN_OF_LIFE_MS);
  assert.deepEqual([told, listeners.size], [[], 0]);
});

const FAILED: LastRun = {
  ...{ kind: 'index', ref: 'HEAD', ok: false, ms: 1, endedAt: 1 },
  error: { code: 'GIT_FAILED', message: 'disk full', hint: '' },
};
const HEADERS: [string, RunningState | null, LastRun | null, string][] = [
  ['what is being indexed', INDEXING, null, ' · indexing HEAD: 34% (34/100), ask again for more'],
  ['not linking, which adds no file', LINKING, null, ''],
  ['not linking, even after a failure', LINKING, FAILED, ''],
  ['why indexing failed', null, FAILED, ' · indexing failed: disk full'],
  ['not a failure to link', null, { ...FAILED, kind: 'link' }, ''],
  ['not what a person stopped', null, { ...FAILED, error: { code: 'CANCELLED', message: 'x', hint: '' } }, ''],
  ['nothing of a run that ended well', null, { ...FAILED, ok: true }, ''],
];

for (const [what, running, last, expected] of HEADERS) {
  test(`a partial answer tells ${what}`, async () => {
    const { context } = client(running, last);
    const text = await textOf(
      tool(async () => {}, 2),
      context,
    );
    assert.equal(text, `HEAD @ aaaaaaaaa · partial: 2/5 files${expected}\nanswer`);
  });
}

test('a graph that is not there yet is told with what is missing, when to come again, and what answers meanwhile', async () => {
  const hint = 'Ask again in ten seconds. Searches, grep and reading answer meanwhile: they need no graph.';
  const own = new SocraticodeError('NOT_READY', 'the graph is not linked yet: linking HEAD', { hint });
  const bare = new SocraticodeError('NOT_READY', 'the graph that was linked is no longer there');
  const { context } = client(LINKING);
  const reply = (error: SocraticodeError) =>
    textOf(
      tool(() => Promise.reject(error)),
      context,
    );
  assert.equal(await reply(own), `NOT_READY: the graph is not linked yet: linking HEAD\n${hint}`);
  assert.match(await reply(bare), /^NOT_READY: .* no longer there\nAsk again in a few seconds: .*background\.$/);
});
