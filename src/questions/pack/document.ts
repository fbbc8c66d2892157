/** The document of a pack, made to hold its budget: items, and as much about the rest as there is room for. */
import { safeJson, visibleDocument } from '../../base/hygiene.js';
import { estimateTokens } from '../../base/tokens.js';
import type { Refused } from './fill/fill.js';
import { Pages } from './fill/packing.js';
import { type Selecting, type Selection, select } from './fill/select.js';
import type { PackResponse } from './output.js';

export type Head = Omit<PackResponse, 'tokens' | 'items' | 'dropped'>;

/** Tokens of the line about the snapshot that a reply adds to the document. */
const AROUND = 30;
/** Most places left out that are named, and their share of the budget. */
const MAX_DROPPED = 20;
const DROPPED_SHARE = 0.05;
const LEAST_FOR_DROPPED = 90;
/** Attempts to fit the budget: each takes the excess of the one before off the room, and SLACK more. */
const ATTEMPTS = 6;
const SLACK = 8;

/** Makes a pack whose JSON has at most `head.budget` tokens, as estimated. */
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
