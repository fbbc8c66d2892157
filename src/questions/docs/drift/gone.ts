/** Mentions that meant something at the older side of a change and mean nothing now, and documents that mention what changed. */
import { isRecordOfChanges } from '../../../documents/kinds.js';
import { partsOf } from '../../../documents/names.js';
import type { Documented, Link, Resolver } from '../../../documents/resolve.js';
import { placeOf } from '../../../graph/query/place.js';
import type { Sides } from '../../../graph/sides/sides.js';
import type { ChangedSymbol } from '../../graph/impact/impact-of-changes.js';
import { mentionOf, placeNamed } from '../mention.js';
import { linksTo } from '../mentioned.js';
import { familyOf } from './absent.js';
import type { ChangedMention, Drift } from './output.js';

interface Change {
  sides: Sides;
  /** Of both graphs, for the documents of the newer side. */
  before: Resolver;
  after: Resolver;
  documents: readonly Documented[];
}

/** Mentions that are less certain are not worth a claim. */
const MIN_CONFIDENCE = 0.9;

/** Changelogs and guides to a new version may name what is gone. */
export function goneMentions({ sides, before, after, documents }: Change): Drift[] {
  const guides = documents.filter(({ path }) => !isRecordOfChanges(path));
  const displaced = new Set(sides.displaced().filter((node) => isDisplaced(sides, node)));
  const stillMeant = new Map<Documented, Set<unknown>>();
  return linksTo(before, guides, displaced).flatMap(({ document, link }) => {
    const still = stillMeant.get(document) ?? new Set(after.links(document).map(({ mention }) => mention));
    stillMeant.set(document, still);
    if (link.confidence < MIN_CONFIDENCE || still.has(link.mention) || isStillNamed(after, link)) return [];
    if (mayInherit(sides, link.node)) return [];
    return [driftOf(sides, document, link)];
  });
}

/** Is it gone, or called otherwise? A symbol that moved to another file has its name still. */
function isDisplaced(sides: Sides, node: number): boolean {
  const { old, now } = sides;
  const newer = sides.node(node);
  if (newer < 0) return true;
  return old.isFile(node) ? old.path(node) !== now.path(newer) : old.qualifiedName(node) !== now.qualifiedName(newer);
}

/** May a type that is still there have the member from outside of the repository? */
function mayInherit(sides: Sides, node: number): boolean {
  const { old, now } = sides;
  const container = old.isFile(node) ? -1 : old.container(node);
  const owner = container < 0 || old.isFile(container) ? -1 : sides.node(container);
  return owner >= 0 && !now.isFile(owner) && familyOf(now, owner) === null;
}

/** Has something that name, although it is not certain that it is meant? Of a qualified name its last two words count. */
function isStillNamed({ graph }: Resolver, { mention: { kind, text } }: Link): boolean {
  if (kind === 'path' || kind === 'link') return false;
  const words = partsOf(text).slice(-2);
  const all = graph.nodesNamed(words[words.length - 1]);
  return words.length === 1
    ? all.length > 0
    : all.some((node) => `.${graph.qualifiedName(node)}`.endsWith(`.${words.join('.')}`));
}

function driftOf(sides: Sides, document: Documented, { mention, node }: Link): Drift {
  const { old, now } = sides;
  const newer = sides.node(node);
  const was = placeNamed(old, node);
  const shown = mentionOf(document, mention);
  if (newer < 0) return { ...shown, problem: 'gone', detail: `${was.symbol ?? was.path} does not exist any more`, was };
  const place = placeNamed(now, newer);
  const detail = `it is ${place.symbol ?? place.path} now`;
  return { ...shown, problem: 'renamed', detail, was, now: place };
}

/** `documents`: of those that did not change themselves. Declarations that changed come first; one entry for each symbol of a document. */
export function mentionsOfChanged(
  resolver: Resolver,
  documents: readonly Documented[],
  symbols: readonly ChangedSymbol[],
): ChangedMention[] {
  const { graph } = resolver;
  const changed = new Map(symbols.filter(({ change }) => change !== 'added').map((one) => [one.node, one]));
  const found = new Map<string, ChangedMention>();
  for (const { document, link } of linksTo(resolver, documents, new Set(changed.keys()))) {
    if (link.confidence < MIN_CONFIDENCE || isRecordOfChanges(document.path)) continue;
    const key = `${link.node} ${document.path}`;
    const known = found.get(key);
    if (known !== undefined) known.mentions++;
    else
      found.set(key, {
        ...mentionOf(document, link.mention),
        target: placeOf(graph, link.node),
        confidence: link.confidence,
        signature: changed.get(link.node)?.signature ?? false,
        mentions: 1,
      });
  }
  return [...found.values()].sort((a, b) => Number(b.signature) - Number(a.signature) || b.mentions - a.mentions);
}
