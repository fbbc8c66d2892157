/** Tools as the server runs them, without a server: arguments checked, documents validated, answers cut and written as text. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { callTool, loadTools, TOOLSETS } from '../../../src/mcp/tool-call.js';
import { Project } from '../../../src/serve/project.js';
import { faultOf } from '../check.js';
import type { Reply } from '../servers/mcp.js';
import './kept-parsers.js';

export interface Tools {
  project: Project;
  /** What comes of a call, good or bad. */
  call: (name: string, args?: Record<string, unknown>) => Promise<Reply>;
  /** The same for a call that must be answered. */
  ask: (name: string, args?: Record<string, unknown>) => Promise<Reply>;
  /** What is wrong with a call that must fail: code, message, hint. */
  fail: (name: string, args?: Record<string, unknown>) => Promise<string>;
}

/** Opens a repository. What questions lack is indexed and linked by this process, so that no test waits for another one. */
export async function openTools(t: TestContext, directory: string): Promise<Tools> {
  const tools = await loadTools(TOOLSETS, false);
  const project = await Project.open(directory);
  project.session.backgroundIndexer = null;
  t.after(() => project.close());
  const call: Tools['call'] = async (name, args = {}) => {
    const tool = tools.get(name);
    assert.ok(tool, `there is no tool ${name}`);
    const { signal } = new AbortController();
    const context = {
      project: async () => project,
      projects: null as never,
      structured: true,
      signal,
      progress: () => {},
    };
    const { content, structuredContent, isError } = await callTool(tool, args, context);
    const [block] = content;
    const text = block.type === 'text' ? block.text : '';
    if (!isError) {
      const { more: _, ...document } = structuredContent as { more?: unknown };
      const { jsonSchema } = await tool.output();
      assert.equal(faultOf(jsonSchema, document), undefined, `${name} answers what its schema says`);
      // A patch begins with "diff --git" and keeps the line ends of its file.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what no text may hold
      const foreign = /--(?!git )[a-z]|git socraticode|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n|$)/;
      assert.doesNotMatch(text, foreign, `${name} speaks to agents`);
    }
    return { text, structured: structuredContent, isError: isError === true };
  };
  return {
    project,
    call,
    async ask(name, args) {
      const reply = await call(name, args);
      assert.equal(reply.isError, false, reply.text);
      return reply;
    },
    async fail(name, args) {
      const reply = await call(name, args);
      assert.equal(reply.isError, true, reply.text);
      return reply.text;
    },
  };
}
