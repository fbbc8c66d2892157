/** Which tools there are, by toolset (data); a toolset is loaded when it is asked for. */
import { SocraticodeError } from '../base/errors.js';
import type { AnyQuestion } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import { TOOL_NAMES } from '../questions/tool-names.js';
import { type AnyTool, TOOLSETS, type Toolset } from './tool.js';

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
