/** Answers the protocol's requests. Each connection has a server object; all share the open repositories. */

import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { log } from '../base/log.js';
import { packageVersion } from '../base/version.js';
import { optionText } from '../params/command-line.js';
import type { Lease, Projects } from '../serve/projects.js';
import { instructions } from './instructions.js';
import { registerPrompts } from './prompts/prompts.js';
import { throttled } from './reply/progress.js';
import { samplingOf } from './reply/sampling.js';
import { registerResources } from './resources/resources.js';
import { rootsOf } from './roots.js';
import type { Toolset } from './tool.js';
import { loadToolNames, loadTools } from './toolsets.js';

export interface ServerOptions {
  projects: Projects;
  toolsets: readonly Toolset[];
  readOnly: boolean;
  /** Send documents beside their texts, and list their schemas. */
  structured: boolean;
}

/** Cache hint of lists, which change only with the program; clients of the 2026 protocol need not ask again. */
const LISTED_ONCE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const CACHE_HINTS = {
  'tools/list': LISTED_ONCE,
  'prompts/list': LISTED_ONCE,
  'resources/templates/list': LISTED_ONCE,
};

/** Creates a server that loads tools, schemas and repositories on the first request, so that the handshake is fast. */
export function createServer(options: ServerOptions): Server {
  const { projects, toolsets, readOnly, structured } = options;
  const server = new Server(
    { name: 'git-socraticode', title: 'Code search in git', version: packageVersion() },
    { capabilities: { tools: {} }, instructions: instructions(toolsets), cacheHints: CACHE_HINTS },
  );
  const tools = () => loadTools(toolsets, readOnly);
  registerResources(server, options);
  registerPrompts(server, options);
  const roots = rootsOf(server);
  server.oninitialized = () => {
    // Opens the repository and starts its index before the first question, which will report any failure.
    const warming = projects.open(undefined, roots).then((project) => project.background.warm());
    Promise.all([warming, tools()]).catch((error: Error) => log.debug(`mcp: ${error.message}`));
  };
  server.setRequestHandler('tools/list', async () => {
    const { listTool } = await import('./listing/listing.js');
    return { tools: await Promise.all([...(await tools()).values()].map((tool) => listTool(tool, structured))) };
  });
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
    const tool = (await tools()).get(params.name) ?? (await unknown(params.name, toolsets));
    const { callTool } = await import('./reply/call.js');
    const leases: Lease[] = [];
    const project = async (projectPath?: string) => {
      const lease = await projects.lease(projectPath, roots);
      leases.push(lease);
      return lease.project;
    };
    const { signal } = context.mcpReq;
    try {
      const model = samplingOf(server, context);
      const shared = { project, projects, structured, signal, progress: progressOf(context) };
      const asked = model === null ? shared : { ...shared, model };
      const result = await callTool(tool, params.arguments, asked);
      return (result.isError ? null : model?.next()) ?? result;
    } finally {
      for (const { release } of leases) release();
    }
  });
  return server;
}

function progressOf({ mcpReq }: ServerContext) {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => {};
  return throttled((params) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, ...params } }),
  );
}

/** Longest name that an error quotes, in characters. */
const MAX_NAME = 64;

/** Throws the protocol's error for an unknown tool, with the toolset that has it or a similar name. */
async function unknown(name: string, toolsets: readonly Toolset[]): Promise<never> {
  const [{ nearestName }, { visibleLine }] = await Promise.all([
    import('../params/read.js'),
    import('../base/hygiene.js'),
  ]);
  const refuse = (text: string): never => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  };
  const names = await loadToolNames();
  const toolset = names.get(name);
  if (toolset === undefined) {
    const near = nearestName(name, [...names.keys()]);
    const guess = near === null ? 'see tools/list' : `did you mean ${near}?`;
    return refuse(`unknown tool: ${visibleLine(name.slice(0, MAX_NAME))}; ${guess}`);
  }
  if (toolsets.includes(toolset))
    return refuse(`${name} writes, and the server was started with ${optionText('readOnly')}`);
  const wanted = [...toolsets, toolset].join(',');
  return refuse(
    `${name} is in a toolset that was not asked for: start the server with ${optionText('toolsets')} ${wanted}`,
  );
}
