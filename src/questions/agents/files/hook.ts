/**
 * Our hook in a host's settings, an entry of an array in JSON: adds it and takes it out again, and leaves every other byte as it
 * was. The entry is one line, and has another form where an empty list or object was there before, so that `withoutHook`
 * can tell: it gives back the text of which `withHook` makes the present one.
 */
import jsonc, { type Edit, type Node } from 'jsonc-parser';
import { endingOf, refusal } from '../../mcp/install/files/format.js';
import { endOf, indentAt, inline, insertion, memberOf, parse, removal, styleOf } from '../../mcp/install/files/json.js';

export interface Hook {
  /** Event of the host, a member of `hooks`. */
  event: string;
  /** Entry of the event's list. */
  entry: object;
  /** Part of the command by which an entry is known as ours. */
  mark: string;
}

const SECTION = 'hooks';

/** The text with the hook; one of another version is renewed. Throws BAD_CONFIG for what is no JSON object of this shape. */
export function withHook(text: string | null, hook: Hook): string {
  if (text === null) return created(hook);
  const { root, section, list, own } = locate(text, hook);
  const entry = inline(hook.entry);
  if (own !== undefined) return replaced(text, own, entry);
  if (section === undefined && root.children?.length === 0) return inserted(text, root.offset + 1, sectionText(hook));
  if (section === undefined)
    return apply(text, insertion(text, root, SECTION, { [hook.event]: [hook.entry] }, styleOf(text, root)));
  if (list === undefined) {
    const isEmpty = section.children?.length === 0;
    return isEmpty
      ? inserted(text, section.offset + 1, ` ${memberText(hook)} `)
      : apply(text, insertion(text, section, hook.event, [hook.entry], styleOf(text, root)));
  }
  const last = list.children?.at(-1);
  return last === undefined
    ? inserted(text, list.offset + 1, ` ${entry} `)
    : inserted(text, endOf(last), `,${gap(text, list)}${entry}`);
}

/** The text as it was before `withHook`; null if that made the file. Throws BAD_CONFIG. */
export function withoutHook(text: string, hook: Hook): string | null {
  const { own } = locate(text, hook);
  if (own === undefined) return text;
  const current = replaced(text, own, inline(hook.entry));
  if (current === created(hook)) return null;
  const ways = waysOut(current, hook);
  // The last way is right for a file that somebody has laid out anew.
  const isBefore = (way: string) => isReadable(way) && !hasHook(way, hook) && withHook(way, hook) === current;
  return ways.find(isBefore) ?? (ways.at(-1) as string);
}

export const hasHook = (text: string, hook: Hook): boolean => locate(text, hook).own !== undefined;

/** Texts without the hook: the whole section gone, then the event's list, then the entry alone. */
function waysOut(text: string, hook: Hook): string[] {
  const { root, section, list, own } = locate(text, hook) as Record<'root' | 'section' | 'list' | 'own', Node>;
  const isOnly = list.children?.length === 1;
  const entry = inline(hook.entry);
  const before = text.slice(0, own.offset);
  const after = text.slice(endOf(own));
  const entryAlone = isOnly
    ? [`${before.replace(/ $/, '')}${after.replace(/^ /, '')}`]
    : [`,${gap(text, list)}`, ', '].flatMap((lead) =>
        before.endsWith(lead) ? [before.slice(0, -lead.length) + after] : [],
      );
  if (!isOnly) return [...entryAlone, removedFrom(text, list, own)];
  const inside = ` ${memberText(hook)} `;
  return [
    text.replace(sectionText(hook), () => ''),
    ...(section.children?.length === 1 ? [apply(text, removal(text, root, section.parent as Node))] : []),
    text.replace(inside, () => ''),
    apply(text, removal(text, section, list.parent as Node)),
    ...entryAlone,
    text.replace(entry, () => ''),
  ];
}

/** Takes an entry out with the comma beside it. */
function removedFrom(text: string, list: Node, own: Node): string {
  const entries = list.children ?? [];
  const i = entries.indexOf(own);
  const [from, to] = i === 0 ? [own.offset, entries[1].offset] : [endOf(entries[i - 1]), endOf(own)];
  return text.slice(0, from) + text.slice(to);
}

function isReadable(text: string): boolean {
  const errors: jsonc.ParseError[] = [];
  return jsonc.parseTree(text, errors, { allowTrailingComma: true })?.type === 'object' && errors.length === 0;
}

function locate(text: string, { event, mark }: Hook) {
  const root = parse(text);
  const section = memberOf(root, SECTION)?.children?.[1];
  if (section !== undefined && section.type !== 'object') throw refusal(`"${SECTION}" is not an object`);
  const list = section && memberOf(section, event)?.children?.[1];
  if (list !== undefined && list.type !== 'array') throw refusal(`"${SECTION}.${event}" is not a list`);
  const own = list?.children?.find((entry) => text.slice(entry.offset, endOf(entry)).includes(mark));
  return { root, section, list, own };
}

const created = (hook: Hook): string =>
  ['{', `  "${SECTION}": {`, `    ${memberText(hook)}`, '  }', '}', ''].join('\n');
const memberText = ({ event, entry }: Hook): string => `${JSON.stringify(event)}: ${inline([entry])}`;

const sectionText = (hook: Hook): string => ` "${SECTION}": { ${memberText(hook)} } `;

/** Between two entries of a list: a line break where its first entry begins a line. */
function gap(text: string, list: Node): string {
  const first = list.children?.[0];
  if (first === undefined || !text.slice(list.offset, first.offset).includes('\n')) return ' ';
  return endingOf(text) + indentAt(text, first.offset);
}

const apply = (text: string, edits: Edit[]): string => jsonc.applyEdits(text, edits);
const inserted = (text: string, at: number, content: string): string => text.slice(0, at) + content + text.slice(at);
const replaced = (text: string, node: Node, content: string): string =>
  text.slice(0, node.offset) + content + text.slice(endOf(node));
