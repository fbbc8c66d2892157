// docs/cli.md: every command by purpose.
import { code, HEADER, plain, sentence, table } from './markdown.mjs';

export function cliPage({ program, notes, prose }) {
  const contents = table(
    ['purpose', 'commands'],
    program.groups.map(({ title, commands }) => [
      `[${title}](#${anchor(title)})`,
      commands
        .filter(({ isGroup }) => !isGroup)
        .map(({ name }) => `[${name}](#${anchor(name)})`)
        .join(', '),
    ]),
  );
  const globals = program.options.map(({ term, text }) => [code(term), plain(text)]);
  const groups = program.groups.map(
    ({ title, commands }) => `## ${title}\n\n${commands.map((each) => section(each, notes)).join('\n')}`,
  );
  const opening = prose
    .replace('{{commands}}', () => contents.trimEnd())
    .replace('{{options}}', () => table(['option', 'meaning'], globals).trimEnd());
  return `${HEADER}${opening}\n${groups.join('\n')}`;
}

const anchor = (text) => text.toLowerCase().replaceAll(' ', '-');

function section(command, notes) {
  const { name, summary, usage, isGroup, members, tool, documents } = command;
  const parts = [`### ${code(name)}\n`, `${plain(sentence(summary))}\n`];
  const note = notes.get(name);
  if (note !== undefined) parts.push(`${note}\n`);
  if (isGroup) parts.push(`Commands: ${members.map((each) => `[${each}](#${anchor(each)})`).join(', ')}.\n`);
  else parts.push(`\`\`\`text\ngit socraticode ${name} ${usage}\n\`\`\`\n`);
  const rows = [...command.arguments, ...command.options].map(({ term, text }) => [code(term), plain(text)]);
  if (rows.length > 0) parts.push(table(['parameter', 'meaning'], rows));
  if (command.examples.length > 0) parts.push(`\`\`\`sh\n${exampleLines(command.examples)}\`\`\`\n`);
  const closing = [
    ...(command.canBeNegative ? ['Exit status 1 for a negative answer, such as nothing found.'] : []),
    ...(documents.length > 0 ? [`JSON: ${documents.map(schemaLink).join(', ')}.`] : []),
    ...(tool === undefined ? [] : [`Agents ask [${code(tool.name)}](tools.md#${tool.name}).`]),
  ];
  if (closing.length > 0) parts.push(`${closing.join(' ')}\n`);
  return parts.join('\n');
}

const schemaLink = (file) => `[${file}](../schemas/${file}.schema.json)`;

function exampleLines(examples) {
  const lines = examples.map(({ line, purpose }) => ({ line: `git socraticode ${line}`, purpose }));
  const width = Math.max(...lines.map(({ line }) => line.length));
  return lines.map(({ line, purpose }) => `${line.padEnd(width)}  # ${purpose}\n`).join('');
}
