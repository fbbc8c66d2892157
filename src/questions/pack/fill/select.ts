/** From candidates to a pack: the pieces in it, in the order of reading, and those left out, best first. */
import type { Graph } from '../../../graph/graph.js';
import { type Candidate, type Declaration, unite } from '../gather/candidate.js';
import { MAX_GAP } from '../gather/lines.js';
import type { Lines } from '../gather/texts.js';
import {
  CUT_BEST,
  declarationTokens,
  fillDeclarations,
  fillLines,
  ownTokens,
  POINTED_AT,
  type Refused,
  SHARES,
} from './fill.js';
import { orderItems } from './order.js';
import { type Item, Packing, Pages } from './packing.js';

export interface Selection {
  items: Item[];
  /** All of them, best first. */
  refused: Refused[];
}

export interface Selecting {
  graph: Graph | null;
  candidates: readonly Candidate[];
  declarations: readonly Declaration[];
  lines: Lines;
  pages?: Pages;
  weigh: (line: string) => number;
}

/** Selects what fits into `room` tokens of items, as JSON. */
export function select(
  { graph, lines, weigh, pages = new Pages(lines), ...given }: Selecting,
  room: number,
): Selection {
  // Parts of a file say nothing of the lines between them.
  const packing = new Packing(pages, graph === null ? 0 : MAX_GAP);
  const filling = { packing, lines, weigh };
  const all = unite(given.candidates);
  // The test that failed says what is wrong: it comes with the code, and the room of other tests is no limit for it.
  const isFirst = ({ kind, value }: Candidate) => kind === 'code' || value >= POINTED_AT;
  const code = all.filter(isFirst);
  const tests = all.filter((candidate) => !isFirst(candidate));
  const declarations = [...given.declarations].sort((a, b) => b.value - a.value);

  const first = fillLines(filling, code, room * SHARES.code, CUT_BEST);
  const second = fillLines(filling, tests, room * SHARES.test);
  let used = first.used + second.used;
  const third = fillDeclarations(filling, declarations, Math.min(room - used, room * SHARES.signature));
  used += third.used;
  const more = fillLines(filling, first.left, room - used);
  used += more.used;
  const moreTests = fillLines(filling, second.left, room - used);
  used += moreTests.used;
  const last = fillDeclarations(filling, third.left, room - used);
  forget(packing);

  const left = [...more.left, ...moreTests.left].map((candidate) => refusedLines(packing, candidate));
  const untold = last.left.filter((declaration) => !packing.declares(declaration)).map(refusedDeclaration);
  const refused = [...left, ...untold].sort((a, b) => b.candidate.value - a.candidate.value);
  return { items: orderItems(graph, packing), refused };
}

/** Declarations of what has come in as a whole since. */
function forget(packing: Packing): void {
  for (const [path, declared] of packing.declared) {
    const kept = declared.filter((declaration) => !packing.declares(declaration));
    if (kept.length === 0) packing.declared.delete(path);
    else packing.declared.set(path, kept);
  }
}

function refusedLines(packing: Packing, candidate: Candidate): Refused {
  const copy = packing.copyOf(candidate);
  const tokens = ownTokens({ packing }, candidate);
  return { candidate, tokens, why: copy === null ? candidate.why : `same as ${copy}` };
}

function refusedDeclaration(declaration: Declaration): Refused {
  return { candidate: declaration, tokens: declarationTokens(declaration), why: declaration.why };
}
