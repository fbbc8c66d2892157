/** Which tools there are, by toolset (data); a toolset is loaded when it is asked for. */
import type { AnyQuestion } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import { TOOL_NAMES } from '../questions/tool-names.js';
import type { AnyTool, Toolset } from './tool.js';

/** Tools that no question declares yet. */
const UNDECLARED: Readonly<Record<Toolset, () => Promise<AnyTool[]>>> = {
  core: async () => [],
  graph: async () => [],
  history: async () => [],
  context: async () => (await import('./tools/context.js')).CONTEXT_TOOLS,
  admin: async () => [],
};

async function loadDeclared(toolsets: readonly Toolset[]): Promise<AnyTool[]> {
  const [questions, { toolOf }] = await Promise.all([loadQuestions(), import('./question-tool.js')]);
  const isWanted = ({ tool }: AnyQuestion) => tool !== undefined && toolsets.includes(tool.toolset);
  return questions.filter(isWanted).map(toolOf);
}

/** `readOnly` leaves out tools that write. */
export async function loadTools(toolsets: readonly Toolset[], readOnly: boolean): Promise<Map<string, AnyTool>> {
  const [declared, others] = await Promise.all([
    loadDeclared(toolsets),
    Promise.all(toolsets.map((toolset) => UNDECLARED[toolset]())),
  ]);
  const order = Object.values(TOOL_NAMES).flat();
  const tools = [...declared, ...others.flat()].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return new Map(tools.filter(({ effect }) => !readOnly || effect === 'reads').map((tool) => [tool.name, tool]));
}
