/** The document of a pack, made to hold its budget: items, and as much about the rest as there is room for. */
import { safeJson, visibleDocument } from '../../base/hygiene.js';
import { estimateTokens } from '../../base/tokens.js';
import type { PackResponse } from '../contract.js';
import type { Refused } from './fill.js';
import { Pages } from './packing.js';
import { type Selecting, type Selection, select } from './select.js';

export type Head = Omit<PackResponse, 'tokens' | 'items' | 'dropped'>;

/** What stands around the document in a reply: a line about the snapshot. */
const AROUND = 30;
/** Of what did not fit, so many are named, in so much of the budget. */
const MAX_DROPPED = 20;
const DROPPED_SHARE = 0.05;
const LEAST_FOR_DROPPED = 90;
/** What is found to be too much, once all is written, is taken off the room, and a little more. */
const ATTEMPTS = 6;
const SLACK = 8;

/** Never more than `head.budget` tokens, as estimated, of its JSON. */
export function packDocument(material: Selecting, head: Head): PackResponse {
  const selecting = { ...material, pages: new Pages(material.lines) };
  const budget = head.budget - AROUND;
  const base = tokensOf({ ...head, tokens: head.budget, items: [], dropped: { list: [], leftOut: 99_999 } });
  const forDropped = Math.max(LEAST_FOR_DROPPED, head.budget * DROPPED_SHARE);
  let room = Math.max(0, budget - base - forDropped);
  for (let attempt = 1; ; attempt++) {
    const document = written(head, select(selecting, room), forDropped);
    const over = document.tokens - budget;
    if (over <= 0) return document;
    if (attempt >= ATTEMPTS) return written(head, { items: [], refused: [] }, 0);
    room = Math.max(0, room - over - SLACK);
  }
}

function written(head: Head, { items, refused }: Selection, forDropped: number): PackResponse {
  const list: PackResponse['dropped']['list'] = [];
  let used = 0;
  for (const each of refused.slice(0, MAX_DROPPED)) {
    const entry = droppedOf(each);
    used += estimateTokens(JSON.stringify(entry)) + 1;
    if (used > forDropped) break;
    list.push(entry);
  }
  const document = { ...head, tokens: head.budget, items, dropped: { list, leftOut: refused.length - list.length } };
  return { ...document, tokens: tokensOf(document) };
}

function droppedOf({ candidate, tokens, why }: Refused): PackResponse['dropped']['list'][number] {
  const { path, startLine, endLine, symbol } = candidate;
  return { path, startLine, endLine, symbol, tokens, why };
}

/** A reply shows what is invisible as text, JSON for programs escapes it. */
function tokensOf(document: PackResponse): number {
  return Math.max(estimateTokens(safeJson(document)), estimateTokens(JSON.stringify(visibleDocument(document))));
}
