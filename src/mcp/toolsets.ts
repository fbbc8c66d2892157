/** Which tools there are, by toolset (data); a toolset is loaded when it is asked for. */
import type { AnyTool, Toolset } from './tool.js';

const LOADERS: Readonly<Record<Toolset, () => Promise<AnyTool[]>>> = {
  core: async () => [(await import('./tools/search.js')).search],
  graph: async () => [],
  history: async () => [],
  context: async () => [],
  admin: async () => [],
};

/** `readOnly` leaves out tools that write. */
export async function loadTools(toolsets: readonly Toolset[], readOnly: boolean): Promise<Map<string, AnyTool>> {
  const tools = (await Promise.all(toolsets.map((toolset) => LOADERS[toolset]()))).flat();
  return new Map(tools.filter(({ effect }) => !readOnly || effect === 'reads').map((tool) => [tool.name, tool]));
}
