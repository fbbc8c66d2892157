/** The edges that leave one file, before they become columns of the whole graph. */
import type { EdgeKind, EvidenceTier } from '../types.js';

export interface LinkedEdge {
  /** Index of the symbol that it leaves, -1 for the file. */
  from: number;
  /** -1 where it leads nowhere. */
  toFile: number;
  /** -1 for the file as a whole. */
  toSymbol: number;
  kind: EdgeKind;
  tier: EvidenceTier;
  startLine: number;
  endLine: number;
  name: string;
  receiver: string;
  literal: string;
}
