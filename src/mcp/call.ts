/** One call of a tool: arguments checked, answered, cut to its budget, written as text. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { AnyTool, ToolCall } from './tool.js';

export async function callTool(tool: AnyTool, args: unknown, call: ToolCall): Promise<CallToolResult> {
  const input = tool.input.parse(args ?? {});
  const document = await tool.run(input, call);
  return { content: [{ type: 'text', text: tool.render(document, input) }], structuredContent: document };
}
