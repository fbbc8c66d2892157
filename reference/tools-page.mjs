// docs/tools.md: every tool of the MCP server, by toolset.
import { code, HEADER, plain, table } from './markdown.mjs';

const EFFECTS = { reads: 'Reads only.', writes: 'Brings the index up to date.', deletes: 'Deletes.' };

export async function toolsPage({ modules, prose }) {
  const { TOOLSETS, loadTools, listTool } = modules;
  const sections = [];
  const overview = [];
  for (const toolset of TOOLSETS) {
    const tools = [...(await loadTools([toolset], false)).values()];
    overview.push([code(toolset), tools.map(({ name }) => `[${code(name)}](#${name})`).join(', ')]);
    const described = await Promise.all(tools.map(async (tool) => section(await listTool(tool), tool)));
    sections.push(`## Toolset ${toolset}\n\n${described.join('\n')}`);
  }
  const opening = prose.replace('{{tools}}', () => table(['toolset', 'tools'], overview).trimEnd());
  return `${HEADER}${opening}\n${sections.join('\n')}`;
}

function section({ name, title, description, inputSchema }, { effect, maxTokens }) {
  const { properties, required = [] } = inputSchema;
  const rows = Object.entries(properties).map(([key, schema]) => [
    code(key),
    typeOf(schema),
    `${plain(schema.description ?? '')}${required.includes(key) ? ' Required.' : ''}`.trim(),
  ]);
  return [
    `### ${code(name)}\n`,
    `${title}. ${plain(description)} ${EFFECTS[effect]} A reply takes at most ${maxTokens.toLocaleString('en')} tokens unless \`maxTokens\` says otherwise.\n`,
    table(['parameter', 'values', 'meaning'], rows),
  ].join('\n');
}

function typeOf({ type, enum: choices, minimum, maximum, items, default: usual }) {
  const values =
    choices === undefined ? `${type}${type === 'array' ? ` of ${items?.type}s` : ''}` : choices.map(code).join(', ');
  const bounds =
    maximum === undefined
      ? minimum === undefined
        ? ''
        : `, at least ${minimum}`
      : `, ${(minimum ?? 0).toLocaleString('en')} to ${maximum.toLocaleString('en')}`;
  return `${values}${bounds}${usual === undefined ? '' : `; default ${JSON.stringify(usual)}`}`;
}
