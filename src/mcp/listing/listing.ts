/** Tools as `tools/list` shows them. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { parameterNames } from '../reply/arguments.js';
import type { AnyTool } from '../tool.js';
import { inputSchema, outputSchema } from './json-schema.js';

/** What paging adds to an answer that was cut. */
const MORE = { more: { type: 'object', properties: { leftOut: {}, cursor: {} } } };

export function listTool(tool: AnyTool): ListedTool {
  const { name, title, description, effect, openWorld = false } = tool;
  const pages = parameterNames(tool).includes('cursor');
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool.input) as ListedTool['inputSchema'],
    outputSchema: outputSchema(tool.output, pages ? MORE : {}) as ListedTool['outputSchema'],
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'deletes',
      idempotentHint: true,
      openWorldHint: openWorld,
    },
  };
}
