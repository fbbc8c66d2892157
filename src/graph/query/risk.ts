/** How much attention a change deserves, in points with their reasons. */
import { groupDigits } from '../../base/digits.js';
import type { Graph } from '../graph.js';
import { topFolder } from './place.js';
import { countTestsImporting } from './tests-reaching.js';
import type { User } from './users.js';

const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const;

interface Risk {
  level: (typeof RISK_LEVELS)[number];
  reasons: string[];
}

/** Points from which on a change is medium, high, critical. */
const LEVELS: readonly number[] = [2, 4, 6];

/** Thresholds with their points: what one person can oversee, what a review can, and more than that. */
const DIRECT_POINTS: readonly [above: number, points: number][] = [
  [20, 2],
  [5, 1],
];
const FILE_POINTS: readonly [above: number, points: number][] = [
  [50, 3],
  [15, 2],
  [3, 1],
];
/** A change that affects this many folders concerns several people. */
const MANY_FOLDERS = 4;

/** `users` without tests. */
export function riskOf(
  graph: Graph,
  nodes: readonly number[],
  { users, tests }: { users: readonly User[]; tests: number },
): Risk {
  const direct = users.filter(({ hop }) => hop === 1).length;
  const files = new Set(users.map(({ node }) => graph.fileOf(node)));
  const own = new Set(nodes.map((node) => graph.fileOf(node)));
  const outside = [...files].filter((file) => !own.has(file));
  const folders = new Set(outside.map((file) => topFolder(graph.tables.files[file].path)));
  const reasons: string[] = [];
  let points = pointsFor(direct, DIRECT_POINTS) + pointsFor(outside.length, FILE_POINTS);
  if (direct > 0) reasons.push(`${plural(direct, 'direct user')}`);
  if (outside.length > 0) reasons.push(`${plural(outside.length, 'other file')} in ${plural(folders.size, 'folder')}`);
  if (folders.size >= MANY_FOLDERS) points++;
  const exported = nodes.some((node) => !graph.isFile(node) && graph.isExported(node));
  if (exported && outside.length > 0) points++;
  if (exported) reasons.push('exported');
  if (tests === 0 && users.length > 0) points++;
  reasons.push(tests === 0 ? untested(graph, own) : `${plural(tests, 'test file')} reach${tests === 1 ? 'es' : ''} it`);
  const level = RISK_LEVELS[LEVELS.filter((least) => points >= least).length];
  return { level, reasons };
}

function untested(graph: Graph, files: ReadonlySet<number>): string {
  const importing = countTestsImporting(graph, files);
  if (importing === 0) return 'no test is known to reach it';
  const who = `${plural(importing, 'test file')} import${importing === 1 ? 's' : ''} its file`;
  return `no test is known to reach it by calls, but ${who}, directly or through others`;
}

function pointsFor(count: number, table: readonly [above: number, points: number][]): number {
  return table.find(([above]) => count > above)?.[1] ?? 0;
}

const plural = (count: number, one: string): string => `${groupDigits(count)} ${one}${count === 1 ? '' : 's'}`;
