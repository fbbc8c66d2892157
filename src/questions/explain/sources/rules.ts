/** The rules of one snapshot, ready to be asked why a file is left out. */
import { createRuleFinder } from '../../../config/select-rule.js';
import type { TreeEntry } from '../../../git/snapshot.js';
import { skipReason } from '../../../indexer/catalog.js';
import { type Session, selectorOptions } from '../../../session/session.js';
import { IGNORE_FILE } from '../../../session/setting-files.js';
import type { SnapshotOrigin } from '../../../session/snapshot/snapshot.js';
import type { UnitLookup } from '../../../shard/live.js';
import type { LeftOutRule } from '../output.js';
import { CONTENT_REASONS, type ReasonName } from '../reasons.js';

export interface LeftOut {
  reason: ReasonName;
  rule: LeftOutRule | null;
  /** Size of a file that is too large. */
  bytes?: number;
}

const BUILT_IN = 'built-in';

/** Throws BAD_CONFIG. */
export async function openRules(session: Session, origin: SnapshotOrigin) {
  const { selection, settings } = await session.selectionOf(origin);
  const { config, origins } = settings;
  const ruleOf = createRuleFinder(selectorOptions(origin, config));

  /** Why an entry of a tree, or a file of the work tree, is left out by its name or type; null if it is not. */
  function byName(entry: Omit<TreeEntry, 'oid'>): LeftOut | null {
    const reason = skipReason(entry, selection);
    if (reason === null) return null;
    if (reason === 'binary') {
      const pattern = `*${entry.path.slice(entry.path.lastIndexOf('.'))}`;
      return { reason, rule: { pattern, source: BUILT_IN, line: null } };
    }
    const rule = ruleOf(entry.path);
    // Types of entries and unsafe paths are no rules.
    if (rule === null || rule.reason !== reason) return { reason, rule: null };
    const source = { ignored: IGNORE_FILE.name, excluded: origins.exclude }[reason as string] ?? BUILT_IN;
    return { reason, rule: { pattern: rule.pattern, source, line: rule.line } };
  }

  /** Why a blob is left out by its size or content; null if it is not. */
  function byContent({ state, size }: Pick<UnitLookup, 'state' | 'size'>): LeftOut | null {
    const isTooLarge = size > config.maxFileBytes;
    const reason = Object.entries(CONTENT_REASONS).find(([name]) => name === state)?.[1];
    if (reason !== 'too-large' && !isTooLarge) return reason === undefined ? null : { reason, rule: null };
    const pattern = `maxFileBytes = ${config.maxFileBytes}`;
    return { reason: 'too-large', rule: { pattern, source: origins.maxFileBytes, line: null }, bytes: size };
  }

  return { selection, settings, byName, byContent };
}

export type SnapshotRules = Awaited<ReturnType<typeof openRules>>;
