/** Answers `coupling`: what the commits of the past changed together. */
import { SocraticodeError } from '../../base/errors.js';
import { diffTrees } from '../../git/diff.js';
import { cut } from '../../graph/query/place.js';
import { tellingCommits } from '../../history/change-log.js';
import { countChanges, coupledFiles } from '../../history/coupling.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import { isRange, mergeBase, parseRange } from '../../session/snapshot/range.js';
import type { Asker } from '../asker.js';
import { openPast, pathsNamed, presentPaths, windowOf } from '../past/places.js';
import { findSymbol } from '../past/symbols.js';
import { coupledSymbols } from './coupled-symbols.js';
import type { CouplingDocument } from './output.js';
import type { CouplingValues } from './question.js';

/** Throws BAD_ARGUMENT for a name that nothing has, and UNKNOWN_REF. */
export async function answerCoupling(at: Asker, values: CouplingValues): Promise<CouplingDocument> {
  return retried(at.session, values.ref, () => answerOnce(at, values));
}

async function answerOnce(at: Asker, values: CouplingValues): Promise<CouplingDocument> {
  const { target = '', limit, minShare: share, minCommits: least } = values;
  const { paths, ref } = await changedPaths(at, values);
  const past = await openPast(at, ref);
  const log = tellingCommits(past.log);
  const files = paths ?? (await pathsNamed(past, target));
  const symbol = files === null ? await findSymbol(at, target, values.ref) : null;
  const named = files ?? new Set([symbol?.path ?? '']);
  const name = symbol?.symbol ?? null;
  const symbols =
    symbol === null || name === null
      ? null
      : await coupledSymbols(at, { symbol: { ...symbol, symbol: name }, tip: past.commit, log, share, least });
  const coupled = await presentPaths(past, coupledFiles(log, named, { share, least }));
  return {
    ...{ schemaVersion: 1, ref: values.ref ?? 'HEAD', commit: past.commit, window: windowOf(past) },
    ...{ target, files: named.size, changes: countChanges(log, named), coupled: cut(coupled, limit) },
    ...(symbols === null ? {} : { symbols: cut(symbols, limit) }),
  };
}

interface ChangedPaths {
  /** Null where the target is no change. */
  paths: ReadonlySet<string> | null;
  /** Ref whose log is counted from: the older side of a change. */
  ref: string | undefined;
}

async function changedPaths({ session, signal }: Asker, { target, ref }: CouplingValues): Promise<ChangedPaths> {
  if (target === undefined) return { paths: await uncommittedPaths(session, ref), ref };
  if (!isRange(target)) return { paths: null, ref };
  if (ref !== undefined) throw new SocraticodeError('BAD_ARGUMENT', 'a ref and a range exclude each other');
  const range = parseRange(target);
  const to = range.to ?? 'HEAD';
  const from = range.symmetric ? await mergeBase(session, range.from, to) : range.from;
  const [old, now] = await Promise.all([session.objects.resolve(from), session.objects.resolve(to)]);
  const changes = await diffTrees(session.repository.git, old.tree, now.tree, { renames: true, signal });
  return { paths: new Set(changes.flatMap(({ path, oldPath }) => [oldPath ?? path, path])), ref: from };
}

async function uncommittedPaths({ readChanges }: Session, ref: string | undefined): Promise<ReadonlySet<string>> {
  if (ref !== undefined || readChanges === null) {
    throw new SocraticodeError('BAD_ARGUMENT', 'without a target, coupling is about uncommitted changes', {
      hint: 'Name a file, a symbol, or a range like main..feature.',
    });
  }
  return new Set((await readChanges()).list.map(({ path }) => path));
}
