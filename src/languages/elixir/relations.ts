/** Elixir: everything is a call, definitions and directives too. */

import type { ImportedName, ReferenceKind } from '../roles/relation-facts.js';
import type { NodeView, Reading, ReferenceExtra, RelationRules, Spelling } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';

const SPELLING: Spelling = {
  lines: true,
  joins: ['.'],
  nameExtra: '?!',
  quotes: '"\'',
  lineComments: ['#'],
  root: (name) => (name === '__MODULE__' ? 'this' : name),
};

const DEFINING = /\b(?:def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defn|defnp)\s+$/;
const DIRECTIVES: ReadonlySet<string> = new Set(['alias', 'import', 'use', 'require']);
/** Heads of definitions and blocks, which say what is called no more than keywords do. */
const FORMS: ReadonlySet<string> = new Set(
  (
    'def defp defmacro defmacrop defguard defguardp defdelegate defn defnp defmodule defprotocol defimpl defstruct defexception ' +
    'defoverridable if unless case cond with for fn quote unquote unquote_splicing receive try raise reraise throw super when and or not in'
  ).split(' '),
);
/** Attributes that hold no code. */
const TYPES_ONLY = /^@(?:spec|type|typep|opaque|callback|macrocallback|doc|moduledoc|typedoc|dialyzer|impl)\b/;
const MODULE = /^[A-Z][\w.]*$/;
const LONGEST_HEAD = 600;
const LONGEST_LIST = 4_000;

/** Facts that wait for the end of the file, since an attribute is visited after its content. */
interface FileState {
  skipped: { start: number; end: number }[];
  uses: { at: number; end: number; kind: ReferenceKind; chain: string; extra: ReferenceExtra }[];
}

const states = new WeakMap<Reading, FileState>();

function stateOf(reading: Reading): FileState {
  let state = states.get(reading);
  if (state === undefined) {
    state = { skipped: [], uses: [] };
    states.set(reading, state);
  }
  return state;
}

function use(
  at: number,
  end: number,
  kind: ReferenceKind,
  chain: string,
  reading: Reading,
  extra: ReferenceExtra = {},
): void {
  stateOf(reading).uses.push({ at, end, kind, chain, extra });
}

/** States the uses that stand in no attribute that only describes. */
function settle(reading: Reading): void {
  const { skipped, uses } = stateOf(reading);
  uses.sort((a, b) => a.at - b.at);
  skipped.sort((a, b) => a.start - b.start);
  let next = 0;
  for (const { at, end, kind, chain, extra } of uses) {
    while (next < skipped.length && skipped[next].end <= at) next++;
    if (next < skipped.length && skipped[next].start <= at) continue;
    reading.reference(at, end, kind, chain, extra);
  }
}

/** `f(x)`, `Mod.f x`, `def f(x)`, `alias A.B`. */
function argumentList({ start, end, text }: NodeView, reading: Reading): void {
  const { source } = reading;
  // `f.(x)` calls what a variable holds.
  if (source[start - 1] === '.') {
    reading.remember(end, start, '?');
    return;
  }
  const callee = reading.chainBefore(start);
  const { chain } = callee;
  // The left side of an arrow is written like arguments, but calls nothing.
  const isPattern =
    source[start] !== '(' && (chain === 'fn' || chain === 'do' || source.slice(callee.nameStart, start).includes('\n'));
  if (isPattern) {
    head(start, end, reading);
    return;
  }
  reading.remember(end, callee.start, chain === '' || chain === '?' ? '?' : `${chain}()`);
  if (chain === '' || chain === '?' || /[:@%&]/.test(source[callee.start - 1] ?? '')) return;
  if (DIRECTIVES.has(chain)) {
    directive(chain, callee.start, end, text, reading);
    return;
  }
  if (DEFINING.test(source.slice(Math.max(0, callee.start - 20), callee.start))) {
    head(start, end, reading);
    return;
  }
  if (chain === 'defdelegate') delegate(start, text, reading);
  if (FORMS.has(chain)) return;
  const args = countOf(start, end, reading) + pipedInto(callee.start, source);
  const isTold = reading.rules.literalCalls?.has(chain) === true;
  const literal = isTold ? (/^\(?\s*"([^"\\\n]{1,100})"/.exec(text)?.[1] ?? '') : '';
  use(callee.nameStart, end, 'call', chain, reading, { args: Math.max(-1, args), literal });
}

/** Keywords at the end are one argument, and blocks another: what can't be counted for sure is -1 and much less. */
function countOf(start: number, end: number, reading: Reading): number {
  const { source } = reading;
  const isBare = source[start] !== '(';
  if (
    end - start > LONGEST_LIST ||
    /(?:^|[(,\s])\w+[?!]?:\s|^\s*do\b|\bfn\b/.test(source.slice(start, end) + source.slice(end, end + 4))
  )
    return -9;
  return isBare ? reading.arguments(start - 1, end + 1).count : reading.arguments(start, end).count;
}

function pipedInto(start: number, source: string): number {
  return /\|>\s*$/.test(source.slice(Math.max(0, start - 80), start)) ? 1 : 0;
}

/** `alias A.B`, `alias A.{B, C}`, `alias A.B, as: C`, `import A.B, only: …`. */
function directive(word: string, at: number, end: number, text: string, reading: Reading): void {
  const match = /^\(?\s*([A-Z_][\w.]*?)\.?(?:\{([^}]*)\})?\s*(?:,\s*([\s\S]*))?\)?$/.exec(
    text.slice(0, LONGEST_LIST).trim(),
  );
  if (match === null) return;
  const [, path, group, options = ''] = match;
  const base = path.replace(/^__MODULE__/, () => moduleAt(at, reading));
  const as = /\bas:\s*([A-Z][\w.]*)/.exec(options)?.[1];
  const targets = group === undefined ? [base] : group.split(',').map((name) => `${base}.${name.trim()}`);
  for (const target of targets) {
    if (!MODULE.test(target) || target.endsWith('.')) continue;
    const last = target.slice(target.lastIndexOf('.') + 1);
    reading.import(at, end, 'import', target, namesFor(word, target, as ?? last));
  }
}

function namesFor(word: string, target: string, alias: string): ImportedName[] {
  if (word === 'import') return [{ name: '*', alias: '' }];
  // `use` and `require` give no short name; the full one is known anyway.
  return word === 'alias' || alias !== target.slice(target.lastIndexOf('.') + 1) ? [{ name: target, alias }] : [];
}

/** The module that a line stands in, as far as the text before it tells. */
function moduleAt(at: number, { source }: Reading): string {
  const from = source.lastIndexOf('defmodule ', at);
  return from === -1
    ? '__MODULE__'
    : (/^defmodule\s+([A-Z][\w.]*)/.exec(source.slice(from, from + LONGEST_HEAD))?.[1] ?? '__MODULE__');
}

/** Parameters of a definition: names hide functions, and `%Cart{} = cart` says what one is. */
function head(start: number, end: number, reading: Reading): void {
  const text = reading.source.slice(start, Math.min(end, start + LONGEST_HEAD));
  for (const match of text.matchAll(
    /%([A-Z_][\w.]*)\{[^{}]*\}\s*=\s*([a-z_]\w*)|\b([a-z_]\w*)\s*=\s*%([A-Z_][\w.]*)\{/g,
  )) {
    const type = (match[1] ?? match[4]).replace('__MODULE__', 'Self');
    reading.local(start + match.index, match[2] ?? match[3], type, '');
  }
  for (const match of text.matchAll(/(?<![\w.:@%"])[a-z_]\w*(?![\w?!]|\s*[.(:]|\s*=\s*%)/g)) {
    if (!/\}\s*=\s*$/.test(text.slice(0, match.index))) reading.local(start + match.index, match[0], '', '');
  }
}

/** `defdelegate open(key), to: Cart, as: :restore` */
function delegate(start: number, text: string, reading: Reading): void {
  const match = /^\(?\s*([a-z_]\w*[?!]?)[\s\S]*?\bto:\s*([A-Z_][\w.]*)/.exec(text.slice(0, LONGEST_HEAD));
  if (match === null) return;
  const name = /\bas:\s*:([a-z_]\w*[?!]?)/.exec(text.slice(0, LONGEST_HEAD))?.[1] ?? match[1];
  const at = start + match[0].length - match[2].length;
  use(at, start + text.length, 'call', `${match[2].replace('__MODULE__', 'this')}.${name}`, reading);
}

/** `%Cart{…}` makes one, or says what something must be. */
function struct({ start, end, text }: NodeView, reading: Reading): void {
  if (!/^(?:[A-Z][\w.]*|__MODULE__)$/.test(text)) return;
  const { source } = reading;
  const chain = text === '__MODULE__' ? 'this' : text;
  const close = reading.closing(end, Math.min(source.length, end + LONGEST_LIST));
  const after = source.slice(close, close + 60);
  const lineStart = source.lastIndexOf('\n', start) + 1;
  const line = source.slice(Math.max(lineStart, start - LONGEST_HEAD), start);
  const isPattern =
    /^\s*(?:=(?![=~>])|<-|->|when\b)/.test(after) || /\b(?:def|defp|defmacro|fn)\b(?![\s\S]*(?:\bdo\b|->))/.test(line);
  use(start + text.lastIndexOf('.') + 1, close, isPattern ? 'type' : 'new', chain, reading);
  const bound = isPattern ? /^\s*=\s*([a-z_]\w*)\b/.exec(after)?.[1] : undefined;
  if (bound !== undefined) reading.local(start, bound, chain === 'this' ? 'Self' : text, '');
}

/** `x = value` */
function operator({ start, end }: NodeView, reading: Reading): void {
  const match = /^([a-z_]\w*)\s*(?:=(?![=~>])|<-)\s*/.exec(reading.source.slice(start, Math.min(end, start + 100)));
  if (match !== null) reading.local(start, match[1], '', reading.chain(start + match[0].length, end));
}

function attribute({ start, end, text }: NodeView, reading: Reading): void {
  if (TYPES_ONLY.test(text)) return void stateOf(reading).skipped.push({ start, end });
  const match = /^@behaviour\s+([A-Z][\w.]*)/.exec(text);
  if (match === null || /\bquote\b[^\n]*\bdo\s*$/.test(reading.source.slice(Math.max(0, start - 200), start).trimEnd()))
    return;
  const at = start + match[0].length;
  reading.reference(at - match[1].length + match[1].lastIndexOf('.') + 1, at, 'implements', match[1], {
    of: moduleAt(start, reading),
  });
}

/** Calls without brackets: `|> f`, `|> Mod.f`, `&Mod.f/1`. */
function text(reading: Reading): void {
  const { source } = reading;
  for (const match of source.matchAll(
    /\|>\s*((?:[A-Z]\w*\.)*[a-z_]\w*[?!]?)(?![\w.(?!])(?=\s*(?:$|\||[)\],}]|#|do\b))/gm,
  )) {
    if (FORMS.has(match[1])) continue;
    const end = match.index + match[0].length;
    use(end - match[1].length + match[1].lastIndexOf('.') + 1, end, 'call', match[1], reading, { args: 1 });
  }
  for (const match of source.matchAll(/&((?:(?:[A-Z]\w*|__MODULE__)\.)*[a-z_]\w*[?!]?)\/\d/g)) {
    const end = match.index + 1 + match[1].length;
    const written = match[1].replace('__MODULE__', 'this');
    use(end - match[1].length + match[1].lastIndexOf('.') + 1, end, 'value', written, reading);
  }
  settle(reading);
}

/** `defimpl Protocol, for: Type` */
function implementation(draftStart: number, nameStart: number, name: string, reading: Reading): void {
  if (!/\bdefimpl[\s(]*$/.test(reading.source.slice(draftStart, nameStart))) return;
  reading.reference(nameStart + name.lastIndexOf('.') + 1, nameStart + name.length, 'implements', name);
}

/** `Mod.f` of definitions without parameters gives nothing away; results come from the last line of short functions. */
function lastLine(signatureEnd: number, end: number, nameStart: number, reading: Reading): void {
  const { source, rules } = reading;
  if (end - signatureEnd > LONGEST_LIST) return;
  const body = source.slice(signatureEnd, end);
  const short = /,\s*do:\s*/.exec(source.slice(nameStart, Math.min(end, nameStart + LONGEST_HEAD)));
  if (short !== null) {
    const from = nameStart + short.index + short[0].length;
    reading.result(nameStart, '', reading.chain(from, findOutside(source, from, end, '\n', rules.spelling)));
    return;
  }
  const trimmed = body.replace(/\s*\bend\s*$/, '');
  const line = trimmed.slice(trimmed.lastIndexOf('\n') + 1);
  if (/^\s*(?:\||end\b|[)\]}])/.test(line)) return;
  const at = signatureEnd + trimmed.length - line.length;
  reading.result(nameStart, '', reading.chain(at, at + line.length));
}

export const elixir: RelationRules = {
  spelling: SPELLING,
  nodes: {
    unary_operator: attribute,
    arguments: argumentList,
    struct,
    binary_operator: operator,
  },
  definition: ({ kind, start, name, nameStart, signatureEnd, end }, reading) => {
    if (kind === 'impl') implementation(start, nameStart, name, reading);
    if (kind === 'function') lastLine(signatureEnd, end, nameStart, reading);
  },
  text,
  ignoredCalls: new Set(
    (
      'abs apply assert assert_raise assert_receive assert_received binding byte_size ceil div elem exit floor get_in hd inspect ' +
      'is_atom is_binary is_bitstring is_boolean is_exception is_float is_function is_integer is_list is_map is_map_key is_nil ' +
      'is_number is_pid is_struct is_tuple length make_ref map_size match? max min node put_elem put_in refute rem round self send ' +
      'sigil_r sigil_w spawn tap then tl to_charlist to_string trunc tuple_size update_in pop_in use import alias require ' +
      'function_exported? macro_exported? dbg test describe setup'
    ).split(' '),
  ),
  literalCalls: new Set(
    'get post put patch delete head options scope pipe_through live resources forward test describe'.split(' '),
  ),
};
