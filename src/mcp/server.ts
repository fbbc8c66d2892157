/** The protocol's requests, answered: one server object a connection, all of them about the same open repositories. */
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { packageVersion } from '../base/version.js';
import type { Projects } from '../engine/serve/projects.js';
import { callTool } from './call.js';
import { listTool } from './listing.js';
import type { Toolset } from './tool.js';
import { loadTools } from './toolsets.js';

export interface ServerOptions {
  projects: Projects;
  toolsets: readonly Toolset[];
  readOnly: boolean;
}

export function createServer({ projects, toolsets, readOnly }: ServerOptions): Server {
  const server = new Server({ name: 'git-socraticode', version: packageVersion() }, { capabilities: { tools: {} } });
  const loading = loadTools(toolsets, readOnly);
  server.setRequestHandler('tools/list', async () => ({ tools: [...(await loading).values()].map(listTool) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = (await loading).get(params.name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool: ${params.name}`);
    const { projectPath } = (params.arguments ?? {}) as { projectPath?: string };
    return callTool(tool, params.arguments, {
      project: () => projects.open(projectPath),
      projects,
      signal: mcpReq.signal,
      progress: () => {},
      skip: 0,
    });
  });
  return server;
}
