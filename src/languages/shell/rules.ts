/**
 * Rules of Bash: definitions, relations and imports. A command is a call if it could be a function. `source` imports a path, without the
 * part that is known only at run time.
 */
import { addTo } from '../../base/lists.js';
import { type ParsingRules, wordSet } from '../language.js';
import type { DefinitionRules } from '../roles/definitions.js';
import {
  ancestors,
  type ImportRules,
  join,
  type Project,
  type Resolution,
  type Specified,
  UNRESOLVED,
} from '../roles/project.js';
import {
  type FactSink,
  type LexicalConventions,
  type NodeView,
  perFile,
  type RelationRules,
} from '../roles/relations.js';
import { repairedShell } from './zsh.js';

const LEXICAL: LexicalConventions = { joins: [], nameExtra: '-:.@+', quotes: '"\'', lineComments: ['#'] };

const FUNCTION_NAME = /^[A-Za-z_][\w:.@+-]*$/;
/** Words that run the command after them. */
const RUNNERS: ReadonlySet<string> = new Set(['time', 'exec', 'eval', 'nohup', 'builtin', 'command']);
const MAX_LINE_LENGTH = 600;

/** The name of a command: `source x` and functions that are called. */
function commandName({ start, end, text }: NodeView, sink: FactSink): void {
  if (text === 'source' || text === '.') {
    include(start, end, sink);
    return;
  }
  if (!FUNCTION_NAME.test(text) || RUNNERS.has(text)) return;
  // No arguments: `args` means nothing for commands that other programs run.
  sink.reference(start, end, 'call', text);
}

function include(start: number, end: number, sink: FactSink): void {
  const { source } = sink;
  const line = /^[ \t]+(?:"((?:\$\((?:[^()"\n]|"[^"\n]*")*\)|(?!\$\()[^"\n\\]|\\.)*)"|'([^'\n]*)'|([^\s;&|)"']+))/.exec(
    source.slice(end, end + MAX_LINE_LENGTH),
  );
  if (line === null) return;
  const path = line[1] ?? line[2] ?? line[3];
  sink.import(start, end + line[0].length, 'include', path);
}

/** Uses of variables in a file, and what is needed to tell those of the file from the locals of its functions. */
interface Variables {
  /** Variables that the file sets outside of functions. */
  names: Set<string>;
  functions: { start: number; end: number }[];
  uses: { at: number; name: string; kind: 'read' | 'write' }[];
}

const variablesOf = perFile((): Variables => ({ names: new Set(), functions: [], uses: [] }));

/** `$total`, `${total:-1}`, `${#total[@]}` */
function expansion({ start, text }: NodeView, sink: FactSink): void {
  const match = /^\$\{?[#!]?([A-Za-z_]\w*)/.exec(text);
  if (match === null) return;
  const at = start + match[0].length - match[1].length;
  variablesOf(sink).uses.push({ at, name: match[1], kind: 'read' });
}

/** `total=1`, `total+=(1)` */
function assignment({ start, text }: NodeView, sink: FactSink): void {
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
  if (name !== undefined) variablesOf(sink).uses.push({ at: start, name, kind: 'write' });
}

/** Names that a function declares as its own: `local total=1 count`. */
const DECLARED = /\b(?:local|declare|typeset)[ \t]+(?![^\n;]{0,300}[ \t]-\w{0,20}g)([^\n;&|]{1,300})/g;

/** States uses of the variables of the file. Inside of a function that declares a name, it is another variable. */
function stateVariables(sink: FactSink): void {
  const { names, functions, uses } = variablesOf(sink);
  if (names.size === 0) return;
  functions.sort((a, b) => a.start - b.start);
  uses.sort((a, b) => a.at - b.at);
  let next = 0;
  let own: ReadonlySet<string> = new Set();
  let end = 0;
  for (const { at, name, kind } of uses) {
    for (; next < functions.length && functions[next].start <= at; next++) {
      // A function inside of another sees the variables of that one.
      if (functions[next].start < end) continue;
      end = functions[next].end;
      own = declaredIn(sink.source.slice(functions[next].start, end));
    }
    const isInside = at < end;
    if (!names.has(name) || (isInside && own.has(name)) || (kind === 'write' && !isInside)) continue;
    sink.reference(at, at + name.length, kind, name);
  }
}

function declaredIn(body: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, list] of body.matchAll(DECLARED))
    for (const [, name] of list.matchAll(/(?:^|[ \t])([A-Za-z_]\w*)/g)) names.add(name);
  return names;
}

function text(sink: FactSink): void {
  handed(sink);
  stateVariables(sink);
}

/** `trap cleanup EXIT` and the like pass a function on. */
function handed(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(
    /^[ \t]*(?:trap[ \t]+(?:--[ \t]+)?["']?|export[ \t]+-f[ \t]+|complete[ \t]+(?:-\w[ \t]+)*-F[ \t]+)([A-Za-z_][\w-]*)/gm,
  )) {
    const end = match.index + match[0].length;
    sink.reference(end - match[1].length, end, 'value', match[1]);
  }
}

const bashRelations: RelationRules = {
  lexical: LEXICAL,
  nodes: {
    command_name: commandName,
    simple_expansion: expansion,
    expansion,
    variable_assignment: assignment,
  },
  definition: ({ kind, name, start, end, container }, sink) => {
    if (kind === 'function') variablesOf(sink).functions.push({ start, end });
    else if (container === null) variablesOf(sink).names.add(name);
  },
  text,
  ignoredCalls: wordSet(
    `alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit export false fc
     fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt
     sleep source suspend test times trap true type typeset ulimit umask unalias unset wait ansible apt apt-get awk base64 basename bash
     brew bundle bunzip2 bzip2 cargo cat chgrp chmod chown clang cmake cmp column comm composer cp cpio crontab curl cut date dd df diff
     dig dirname dnf docker docker-compose dpkg du egrep emacs env expand expr fgrep file find flock fmt fold free fuser g++ gcc gem getent
     git gnupg go gpg gradle grep groupadd groups gsed gunzip gzip head helm hostname iconv id ifconfig install ip iptables java javac join
     journalctl jq kubectl ldd less ln logger ls lsof make man md5sum mkdir mkfifo mktemp more mount mv mvn mysql nano nc netstat nice nl
     node nohup npm npx od openssl openssl paste patch perl pgrep php ping pip pip3 pkill pnpm ps psql pushd python python2 python3
     readlink realpath rev rm rmdir rpm rsync ruby rustc rustup scp sed seq service sftp sh sha1sum sha256sum shasum shuf sort split ssh
     stat strings stty su sudo sync systemctl tac tail tar tee terraform time timeout top touch tput tr tty tsc uname unexpand uniq unzip
     uptime useradd vi vim vmstat w watch wc wget which who whoami xargs xxd xz yarn yes yum zcat zip zsh`,
  ),
};

/** The first line of a function with its opening bracket, which can be on the next line. */
const HEAD =
  /^([ \t]*)(?:function[ \t]+[^\s(){}<>|&;]+(?:[ \t]*\([ \t]*\))?|[^\s(){}<>|&;=#'"`$]+[ \t]*\([ \t]*\))(?:[ \t]*|[ \t]*(?:#.*)?\n[ \t]*)\{[ \t]*(?:#.*)?$/gm;
/** A line that begins with a closing bracket. */
const CLOSED = /^([ \t]*)\}/gm;

/** Bodies of functions: each ends at the next bracket that is indented like its head. */
function bodiesOf(text: string): [start: number, end: number, head: number][] {
  const bodies: [number, number, number][] = [];
  const closed = new Map<string, number[]>();
  for (const { index, 1: indentation } of text.matchAll(CLOSED)) addTo(closed, indentation, index);
  for (const places of closed.values()) places.reverse();
  let at = 0;
  for (const { index, 0: head, 1: indentation } of text.matchAll(HEAD)) {
    if (index < at) continue;
    const start = index + head.length;
    const places = closed.get(indentation) ?? [];
    while (places.length > 0 && (places.at(-1) as number) < start) places.pop();
    const end = places.at(-1);
    if (end === undefined) continue;
    bodies.push([start, end, index]);
    at = end;
  }
  return bodies;
}

const bashDefinitions: DefinitionRules = {
  repaired: repairedShell,
  bodies: bodiesOf,
  definitions: [
    { node: 'function_definition', kind: 'function' },
    {
      node: 'variable_assignment',
      kind: 'variable',
      found: 'walk',
      named: /^[A-Za-z_]\w*$/,
      head: [[/\b(?:readonly|declare\s+-\w*r\w*)\s/, 'constant']],
      lead: /\b(?:export|readonly|declare(?:\s+-\w+)*|typeset)\s+$/,
      outer: true,
    },
  ],
  wrappers: { declaration_command: { walk: true } },
  walk: ['declaration_command'],
  imports: [],
  importText: /^(?:source\s|\.\s|#!|set\s+-)/,
  comments: ['comment'],
  docs: { line: /^#(?!!)/ },
  exported: {},
};

/** A command, a variable or a quote at the beginning, up to the `/` behind it. */
const OPENINGS = ['$(', '`', '${', '$', '"', "'"];
const NAME = /^\$\w*/;

export const SHELL: ImportRules = {
  readsNames: false,
  create: (project) => ({ resolve: (file, specified) => resolve(project, file, specified) ?? UNRESOLVED }),
};

/** Resolves from the script's directory and those above it, from which people run scripts. */
function resolve(project: Project, file: number, { specifier }: Specified): Resolution | null {
  const known = withoutVariables(specifier);
  if (known === '' || known.includes('$') || known.includes('`')) return null;
  for (const directory of ancestors(project.directory(file))) {
    const path = join(directory, known);
    const found = path === null || path === '' ? null : (project.at(path) ?? project.at(`${path}.sh`));
    if (found !== null) return found;
  }
  return null;
}

/** `"$(cd "$(dirname "$0")" && pwd)"/lib/x.sh` to `lib/x.sh`. */
function withoutVariables(specifier: string): string {
  let rest = specifier;
  for (let opening = openingOf(rest); opening !== ''; opening = openingOf(rest)) {
    rest = rest.slice(endOf(rest, opening));
  }
  return rest.replaceAll('"', '').replaceAll("'", '').replace(/^\/+/, '');
}

function openingOf(text: string): string {
  return OPENINGS.find((opening) => text.startsWith(opening)) ?? '';
}

function endOf(text: string, opening: string): number {
  if (opening === '$(') return closing(text, '(', ')');
  if (opening === '${') return closing(text, '{', '}');
  if (opening === '`') return text.indexOf('`', 1) + 1 || text.length;
  return opening === '$' ? (NAME.exec(text)?.[0].length ?? 1) : 1;
}

/** Offset behind the bracket that closes the first one; the whole length if none does. */
function closing(text: string, open: string, close: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at + 1;
  }
  return text.length;
}

export const bash: ParsingRules = { definitions: bashDefinitions, relations: bashRelations };
