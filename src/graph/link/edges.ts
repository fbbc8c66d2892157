/** Edge of one file, before it becomes part of the columns of the graph. */
import type { EdgeKind, EvidenceTier } from '../types.js';

export interface LinkedEdge {
  /** Index of the symbol that the edge leaves, -1 for the file. */
  from: number;
  /** Target file, -1 for an edge without target. */
  toFile: number;
  /** Target symbol, -1 for the whole file. */
  toSymbol: number;
  kind: EdgeKind;
  tier: EvidenceTier;
  startLine: number;
  endLine: number;
  name: string;
  receiver: string;
  literal: string;
}
