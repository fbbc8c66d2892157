/** Structural search: finds the nodes of a syntax tree that look like a pattern, by ast-grep. Runs in a parser child. */
import { languageOf } from '../languages/registry.js';
import { expandoOf, installCommand, type PatternNode, parseForPatterns } from './pattern-parser.js';
import { VARIABLE, variablesOf } from './variables.js';

/** Place of a match or of what a variable captured, in UTF-16 units of the file's text. */
export interface TreeSpan {
  start: number;
  end: number;
}

export interface TreeMatch extends TreeSpan {
  captures: (TreeSpan & { name: string })[];
}

/** The matches in the order of their starts, outer ones before inner ones; or why the language cannot read the pattern. */
export type TreeSearch = { matches: TreeMatch[] } | { fault: string };

type Rule = { pattern: string | { context: string; selector: string } };

/** Rules of the last pattern: one child searches many files for the same one. */
const PREPARED = new Map<string, Rule | { fault: string }>();

/** `bytes`: a file's, read as UTF-8. `loadPatternParsers` has to be awaited before. */
export function searchTree(bytes: Uint8Array, language: string, pattern: string): TreeSearch {
  const grammar = languageOf(language)?.grammar;
  if (grammar === undefined) return { fault: 'it has no grammar' };
  const key = `${language} ${pattern}`;
  if (!PREPARED.has(key)) {
    if (PREPARED.size > 100) PREPARED.clear();
    PREPARED.set(key, ruleOf(grammar.name, pattern.trim(), grammar.around ?? [['', '']]));
  }
  const rule = PREPARED.get(key) as Rule | { fault: string };
  if ('fault' in rule) return rule;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const root = parseForPatterns(grammar.name, text);
  if (root === null) return { fault: notInstalled(grammar.name) };
  const variables = variablesOf(pattern);
  const matches = root.findAll({ rule }).map((node) => matchOf(node, variables));
  return { matches: matches.sort((a, b) => a.start - b.start || b.end - a.end) };
}

function matchOf(node: PatternNode, variables: ReturnType<typeof variablesOf>): TreeMatch {
  const captures: TreeMatch['captures'] = [];
  for (const { name, isList } of variables) {
    const one = isList ? null : node.getMatch(name);
    const nodes = isList ? node.getMultipleMatches(name) : one === null ? [] : [one];
    if (nodes.length === 0) continue;
    const [start, end] = [spanOf(nodes[0]).start, spanOf(nodes[nodes.length - 1]).end];
    captures.push({ name, start, end });
  }
  return { ...spanOf(node), captures };
}

function spanOf(node: PatternNode): TreeSpan {
  const { start, end } = node.range();
  return { start: start.index, end: end.index };
}

function ruleOf(
  grammar: string,
  pattern: string,
  around: readonly (readonly [string, string])[],
): Rule | { fault: string } {
  if (parseForPatterns(grammar, '') === null) return { fault: notInstalled(grammar) };
  let fault: string | null = null;
  for (const [before, behind] of around) {
    const isAlone = before === '' && behind === '';
    const rule = isAlone ? aloneRule(grammar, pattern) : ruleAround(grammar, pattern, [before, behind]);
    fault = rule === null ? null : faultOf(grammar, rule);
    if (rule !== null && fault === null) return rule;
  }
  if (fault !== null) return { fault };
  return { fault: 'it does not parse' };
}

const aloneRule = (grammar: string, pattern: string): Rule | null =>
  parsed(grammar, pattern) === null ? null : { pattern };

function ruleAround(grammar: string, pattern: string, [before, behind]: readonly [string, string]): Rule | null {
  const selector = kindInside(grammar, pattern, [before, behind]);
  return selector === null ? null : { pattern: { context: before + pattern + behind, selector } };
}

/** Kind of the innermost node that is the whole pattern; null where there is none, or where its kind comes up before it. */
function kindInside(grammar: string, pattern: string, [before, behind]: readonly [string, string]): string | null {
  const root = parsed(grammar, pattern, [before, behind]);
  const start = before.length;
  const end = start + expanded(grammar, pattern).length;
  let found: PatternNode | null = null;
  for (let node: PatternNode | undefined = root ?? undefined; node !== undefined; ) {
    const { start: from, end: to } = node.range();
    if (from.index === start && to.index === end && node.isNamed()) found = node;
    node = node.children().find((child) => child.range().start.index <= start && child.range().end.index >= end);
  }
  if (root === null || found === null) return null;
  const kind = String(found.kind());
  return root.find({ rule: { kind } })?.id() === found.id() ? kind : null;
}

/** The tree of a pattern; null where it has an error other than a variable in a place that wants more than a name. */
function parsed(grammar: string, pattern: string, [before, behind] = ['', '']): PatternNode | null {
  const root = parseForPatterns(grammar, before + expanded(grammar, pattern) + behind);
  const variables = new Set([...pattern.matchAll(VARIABLE)].map(([variable]) => expanded(grammar, variable)));
  const errors = root?.findAll({ rule: { kind: 'ERROR' } }) ?? [];
  return root !== null && errors.every((node) => variables.has(node.text())) && !lacksBracket(root) ? root : null;
}

/** Brackets that the parser has made up, where none is written. */
function lacksBracket(node: PatternNode): boolean {
  const { start, end } = node.range();
  if (start.index === end.index && /^[)\]}>"'`]$/.test(String(node.kind()))) return true;
  return node.children().some(lacksBracket);
}

const notInstalled = (grammar: string): string =>
  `its grammar for patterns is not installed: ${installCommand([grammar])}`;

const expanded = (grammar: string, pattern: string): string =>
  pattern.replace(VARIABLE, (variable) => variable.replaceAll('$', () => expandoOf(grammar)));

function faultOf(grammar: string, rule: Rule): string | null {
  try {
    parseForPatterns(grammar, '')?.find({ rule });
    return null;
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    if (lines.some((line) => line.includes('Multiple AST nodes'))) return 'it is more than one piece of syntax';
    return (lines.at(-1) ?? '').replace(/^[\s|\->]*/, '').slice(0, 200);
  }
}
