/** Uses in the markup of a component: other components, and names of its script. */

import type { TemplateRules } from '../../languages/roles/relations.js';
import { type Draft, FUNCTION_KINDS } from '../draft.js';
import { MAX_REFERENCES } from './fact-sink.js';
import type { RawReference, RawRelations } from './raw.js';

const COMPONENT = /<([A-Za-z][\w.-]{0,100})(?=[\s/>])/g;
const NAME = /(?<![\w$.'"`-])([A-Za-z_$][\w$]*)((?:\.[\w$]+)*)\s*(\()?/g;
const TAG = /<(script|style|link)\b([^<>]{1,2000})>/gi;
const STYLE_IMPORT = /@(?:import|use|forward)\s[^;{}]{1,500};/g;

/** States on `raw` what the markup in [start, end) of a component uses and loads. Imports and drafts of its scripts are known. */
export function addMarkup(
  text: string,
  start: number,
  end: number,
  rules: TemplateRules,
  raw: RawRelations,
  drafts: readonly Draft[],
): void {
  const markup = text.slice(start, end);
  for (const match of markup.matchAll(TAG)) {
    const loaded = rules.loadedBy(match[1], match[2]);
    const at = start + match.index;
    if (loaded !== null)
      raw.imports.push({ at, end: at + match[0].length, kind: 'import', specifier: loaded, names: [] });
  }
  for (const match of markup.matchAll(STYLE_IMPORT))
    raw.imports.push(...rules.styleImports(match[0], start + match.index));
  const names = usable(raw, drafts);
  if (names.size === 0) return;
  for (const match of markup.matchAll(COMPONENT)) {
    const name = componentName(match[1], rules.dashed);
    const at = start + match.index + 1;
    if (names.has(rootOf(name))) state(raw, at, at + match[1].length, 'new', name, -1);
  }
  for (const match of markup.matchAll(rules.expressions)) {
    const expression = match[1] ?? match[2] ?? match[3] ?? '';
    const from = start + match.index + match[0].indexOf(expression);
    for (const use of expression.matchAll(NAME)) {
      if (!names.has(use[1])) continue;
      const at = from + use.index;
      state(raw, at, at + use[0].length, use[3] === '(' ? 'call' : 'value', use[1] + use[2], -1);
    }
  }
}

/** Names that markup can use: imports and functions of the scripts. */
function usable(raw: RawRelations, drafts: readonly Draft[]): Set<string> {
  const names = new Set<string>();
  for (const fact of raw.imports) for (const { alias } of fact.names) names.add(alias);
  for (const { name, kind } of drafts) if (FUNCTION_KINDS.has(kind)) names.add(name);
  names.delete('');
  return names;
}

/** `cart-list` is `CartList`. */
function componentName(tag: string, dashed: boolean): string {
  if (!dashed || !tag.includes('-')) return tag;
  return tag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function rootOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? name : name.slice(0, dot);
}

function state(
  raw: RawRelations,
  at: number,
  end: number,
  kind: RawReference['kind'],
  accessPath: string,
  args: number,
): void {
  if (raw.references.length >= MAX_REFERENCES) return;
  const dot = accessPath.lastIndexOf('.');
  const receiver = dot === -1 ? '' : accessPath.slice(0, dot);
  raw.references.push({ at, end, kind, name: accessPath.slice(dot + 1), receiver, args, literal: '', of: '' });
}
