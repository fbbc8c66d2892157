/** Tools as `tools/list` shows them: JSON Schemas without what a model need not read. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AnyTool } from './tool.js';

export function listTool(tool: AnyTool): ListedTool {
  const { name, title, description, effect, openWorld = false } = tool;
  return {
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(tool.input, { io: 'input' }) as ListedTool['inputSchema'],
    outputSchema: z.toJSONSchema(tool.output) as ListedTool['outputSchema'],
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'deletes',
      idempotentHint: true,
      openWorldHint: openWorld,
    },
  };
}
