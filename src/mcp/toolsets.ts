/** Which tools there are, by toolset (data); a toolset is loaded when it is asked for. */
import { SocraticodeError } from '../base/errors.js';
import { loadQuestions } from '../questions/table.js';
import { type AnyTool, TOOLSETS, type Toolset } from './tool.js';

/** A tool that a question declares. */
async function declared(name: string): Promise<AnyTool> {
  const [[question], { toolOf }] = await Promise.all([loadQuestions(name.split(' ')), import('./question-tool.js')]);
  return toolOf(question);
}

const LOADERS: Readonly<Record<Toolset, () => Promise<AnyTool[]>>> = {
  core: async () => [
    (await import('./tools/search.js')).search,
    (await import('./tools/symbol.js')).symbol,
    await declared('graph impact'),
    (await import('./tools/outline.js')).outline,
    (await import('./tools/pack.js')).pack,
    (await import('./tools/status.js')).status,
  ],
  graph: async () => (await import('./tools/graph.js')).GRAPH_TOOLS,
  history: async () => [(await import('./tools/history.js')).history, (await import('./tools/diff.js')).diff],
  context: async () => (await import('./tools/context.js')).CONTEXT_TOOLS,
  admin: async () => {
    const [jobs, around] = await Promise.all([import('./tools/admin.js'), import('./tools/surroundings.js')]);
    const { index, update, stop, remove, watch } = jobs;
    return [index, update, stop, remove, watch, around.health, around.listProjects, around.about];
  },
};

/** `readOnly` leaves out tools that write. */
export async function loadTools(toolsets: readonly Toolset[], readOnly: boolean): Promise<Map<string, AnyTool>> {
  const tools = (await Promise.all(toolsets.map((toolset) => LOADERS[toolset]()))).flat();
  return new Map(tools.filter(({ effect }) => !readOnly || effect === 'reads').map((tool) => [tool.name, tool]));
}

const ALL = 'all';
const DEFAULT: readonly Toolset[] = ['core'];

/** `core,graph` or `all`, in the order of the table. Throws BAD_ARGUMENT for a name that is none. */
export function parseToolsets(text: string | undefined): readonly Toolset[] {
  if (text === undefined) return DEFAULT;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== ALL && !(TOOLSETS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', `there is no toolset "${unknown}"`, {
      hint: `Toolsets: ${TOOLSETS.join(', ')}, or ${ALL}; with commas between.`,
    });
  return TOOLSETS.filter((toolset) => names.includes(ALL) || names.includes(toolset));
}
