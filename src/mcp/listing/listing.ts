/** Tools as `tools/list` shows them. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { inputSchema } from '../../params/json-schema.js';
import { parameterNames } from '../reply/arguments.js';
import type { Tool } from '../tool.js';
import { outputSchema } from './json-schema.js';

/** Field that paging adds to an answer that was cut. Its own fields go without saying: the text of the reply repeats the cursor. */
const MORE = { more: { type: 'object' } };

/** `structured`: the schema of answers is listed, which obliges the server to send their documents. */
export async function listTool(tool: Tool, structured: boolean): Promise<ListedTool> {
  const { name, title, description, effect, openWorld = false } = tool;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool.fields) as ListedTool['inputSchema'],
    ...(structured && { outputSchema: await schemaOf(tool) }),
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'deletes',
      idempotentHint: true,
      openWorldHint: openWorld,
    },
  };
}

async function schemaOf(tool: Tool): Promise<ListedTool['outputSchema']> {
  const pages = parameterNames(tool).includes('cursor');
  return outputSchema(await tool.output(), tool.unoffered, pages ? MORE : {}) as ListedTool['outputSchema'];
}
