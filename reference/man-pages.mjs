// The manual: git-socraticode(1), and one page for each command.
import { environment, files } from './facts.mjs';
import { sentence } from './markdown.mjs';
import { bold, escapeRoff, heading, item, lines, prose, quote, subheading } from './roff.mjs';

/** Pages by the names of their files: `git-socraticode-graph-impact.1`. */
export function manPages({ program, notes, version, settings }) {
  const commands = program.groups.flatMap((group) => group.commands);
  return new Map([
    [fileOf(''), overview({ program, version, settings })],
    ...commands.map((command) => [fileOf(command.name), commandPage({ command, commands, notes, version })]),
  ]);
}

const pageOf = (name) => ['git-socraticode', ...name.split(' ')].filter((word) => word !== '').join('-');
const fileOf = (name) => `${pageOf(name)}.1`;

const title = (name, version) =>
  `.\\" Generated from the declarations of the program.\n.TH ${quote(pageOf(name).toUpperCase())} 1 "" ${quote(`git-socraticode ${version}`)} "Git Manual"\n`;

const nameSection = (name, summary) =>
  `${heading('NAME')}${escapeRoff(pageOf(name))} \\- ${escapeRoff(summary.replace(/\.$/, ''))}\n`;

function overview({ program, version, settings }) {
  const parts = [
    title('', version),
    nameSection('', 'search a git repository by words, names and structure, at any ref'),
    `${heading('SYNOPSIS')}${bold('git socraticode')} [\\fIoptions\\fR] \\fIcommand\\fR [\\fIargument\\fR ...]\n`,
    `${heading('DESCRIPTION')}${prose(program.summary)}\n.PP\n`,
    `${prose('Each command has a page of its own, such as `git-socraticode-search`(1), and prints its help with `git socraticode help COMMAND`.')}\n`,
    heading('COMMANDS'),
  ];
  for (const { title: purpose, commands } of program.groups) {
    parts.push(subheading(purpose));
    for (const { name, summary, isGroup } of commands)
      if (!isGroup) parts.push(item(name, escapeRoff(sentence(summary))));
  }
  parts.push(heading('OPTIONS'), ...program.options.map(({ term, text }) => item(term, escapeRoff(sentence(text)))));
  parts.push(exitStatus());
  parts.push(heading('ENVIRONMENT'));
  parts.push(...environment.map(({ names, text }) => item(names.join(', '), prose(text))));
  parts.push('.PP\nEach setting has a variable, and a name for \\fBgit config\\fR:\n');
  parts.push(
    ...settings.map(({ variable, key, summary }) => item(`${variable}, socraticode.${key}`, escapeRoff(summary))),
  );
  parts.push(heading('FILES'), ...files.map(({ name, text }) => item(name, prose(text))));
  const [{ commands: first }] = program.groups;
  parts.push(seeAlso([...first.map(({ name }) => pageOf(name)), 'git-notes', 'git-config']));
  return parts.join('');
}

function commandPage({ command, commands, notes, version }) {
  const { name, summary, usage, isGroup, members, examples, tool } = command;
  const note = notes.get(name);
  const parts = [
    title(name, version),
    nameSection(name, summary),
    `${heading('SYNOPSIS')}${bold(`git socraticode ${name}`)} ${escapeRoff(usage)}\n`,
    `${heading('DESCRIPTION')}${escapeRoff(sentence(summary))}\n`,
    ...(note === undefined || prose(note) === '' ? [] : [`.PP\n${prose(note)}\n`]),
    ...(tool === undefined ? [] : [`.PP\n${prose(`Coding agents ask the tool \`${tool.name}\`.`)}\n`]),
  ];
  const section = (heading_, entries) => {
    if (entries.length > 0)
      parts.push(heading(heading_), ...entries.map(({ term, text }) => item(term, escapeRoff(sentence(text)))));
  };
  section(
    'COMMANDS',
    commands.filter((each) => members.includes(each.name)).map((each) => ({ term: each.name, text: each.summary })),
  );
  section('ARGUMENTS', command.arguments);
  section('OPTIONS', command.options);
  if (examples.length > 0) parts.push(heading('EXAMPLES'), examples.map(example).join('.PP\n'));
  if (!isGroup) parts.push(exitStatus());
  const group = name.split(' ').slice(0, -1).join(' ');
  parts.push(seeAlso([pageOf(''), ...(group === '' ? members.map(pageOf) : [pageOf(group)])]));
  return parts.join('');
}

const example = ({ line, purpose }) =>
  `${escapeRoff(sentence(purpose).replace(/\.$/, ':'))}\n${lines(`$ git socraticode ${line}`)}`;

const exitStatus = () =>
  heading('EXIT STATUS') +
  item('0', 'The command did its work.') +
  item('1', 'A negative answer, such as nothing found.') +
  item('2', 'A failure. The message says what happened, and what to type next.');

const seeAlso = (pages) => `${heading('SEE ALSO')}${pages.map((page) => `${bold(page)}(1)`).join(',\n')}\n`;
