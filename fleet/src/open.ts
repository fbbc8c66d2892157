/** Opens the store of a fleet by its address: `file:///dir`, or a bucket such as `s3://name/folder`. */
import { fileURLToPath } from 'node:url';
import type { FleetEngine, FleetProfile } from './contract.js';
import { Agreement } from './engines/lance/agreement.js';
import { LanceEngine } from './engines/lance/engine.js';
import { storeFault } from './engines/lance/faults.js';
import { type Connection, loadPackages } from './engines/lance/packages.js';
import { checkStore } from './engines/lance/probe.js';
import { type Rebuild, startRebuild } from './engines/lance/rebuild.js';
import { type LanceStore, openTable, openTables, schemasOf } from './engines/lance/tables.js';
import { SocraticodeError } from './internal.js';

/** Schemes of stores; any other address is a server that takes publications over HTTP. */
const STORES = /^(?:file|s3|gs|az):\/\//;

/**
 * Bytes of LanceDB's caches. Its defaults are 6 GB and 1 GB, and every publication makes new versions of tables whose parts
 * fill them: a server would grow for days.
 */
const CACHE = { index: 128 << 20, metadata: 32 << 20 } as const;

export const isStore = (address: string): boolean => STORES.test(address);

/** Name of the fact that simultaneous commits were preserved at a place, in the agreement of a store. */
const KEEPS_COMMITS = 'keeps commits';

interface OpenOptions {
  /** True to test simultaneous commits first; default: in buckets, until a test has passed. */
  probe?: boolean;
  env?: NodeJS.ProcessEnv;
}

/**
 * Opens a fleet's tables of one profile, and makes the missing ones. Throws FLEET_PACKAGES without LanceDB, FLEET_UNSAFE_STORE
 * for a bucket that loses commits, FLEET_STORE, and BAD_ARGUMENT for another address.
 */
export async function openEngine(
  address: string,
  profile: FleetProfile,
  options: OpenOptions = {},
): Promise<FleetEngine> {
  return (await initEngine(address, profile, options)).engine;
}

/** As `openEngine`; also says whether there were tables before. */
export function initEngine(
  address: string,
  profile: FleetProfile,
  options: OpenOptions = {},
): Promise<{ engine: FleetEngine; isNew: boolean }> {
  return withStore(address, { profile, ...options }, async (base, known) => {
    const { agreement, facts } = known ?? (await openAgreement(base));
    const generation = facts.get('current') || (await firstGeneration(agreement));
    const tables = await openTables(base, generation);
    return { engine: new LanceEngine(profile, { ...base, agreement, tables }), isNew: known === null };
  });
}

/** New tables beside those of a store, which may be damaged. Throws as `openEngine` does. */
export function rebuildEngine(address: string, profile: FleetProfile, options: OpenOptions = {}): Promise<Rebuild> {
  return withStore(address, { profile, ...options }, (base) => startRebuild(base, profile));
}

async function withStore<T>(
  address: string,
  { profile, probe, env = process.env }: OpenOptions & { profile: FleetProfile },
  work: (base: LanceStore, known: Agreed | null) => Promise<T>,
): Promise<T> {
  // With LanceDB's default of 64 simultaneous requests, some questions wait for a second round trip.
  if (!address.startsWith('file:')) process.env.LANCE_IO_THREADS ??= '256';
  const { lance, arrow } = loadPackages();
  const base = `${placeOf(address)}/${profile.id}`;
  const session = new lance.Session(BigInt(CACHE.index), BigInt(CACHE.metadata));
  const options = storageOptions(env);
  const connect = (consistency: object = { readConsistencyInterval: 0 }): Promise<Connection> =>
    lance.connect(base, { ...consistency, storageOptions: options }, session);
  const check = () => checkStore(connect, { lance, arrow });
  try {
    if (probe) await check();
    const [db, reads] = await Promise.all([connect(), connect({})]);
    const store = { lance, db, reads, schemas: schemasOf(arrow, profile) };
    const isThere = (await db.tableNames()).includes('fleet');
    // A damaged table does not stop a rebuild, which repairs it; everything else reports it when it opens the table.
    const known = isThere ? await openAgreement(store).catch(() => null) : null;
    if (probe === undefined && !address.startsWith('file:'))
      await checkOnce(store, { known, place: `${base} ${options.endpoint ?? ''}`, check });
    return await work(store, known);
  } catch (error) {
    throw storeFault(error);
  }
}

/** The agreement of a store's processes when the store was opened. */
interface Agreed {
  agreement: Agreement;
  facts: ReadonlyMap<string, string>;
}

async function openAgreement({ lance, db, schemas }: LanceStore): Promise<Agreed> {
  const agreement = new Agreement({
    ...{ lance, schema: schemas.fleet },
    table: await openTable(db, 'fleet', schemas.fleet),
  });
  return { agreement, facts: await agreement.facts() };
}

/** A test takes 310 requests, so a store remembers the place where it has passed. */
async function checkOnce(
  store: LanceStore,
  { known, place, check }: { known: Agreed | null; place: string; check: () => Promise<void> },
): Promise<void> {
  const before = known?.facts.get(KEEPS_COMMITS) ?? '';
  if (before === place) return;
  await check();
  const { agreement } = known ?? (await openAgreement(store).catch(() => ({ agreement: null })));
  await agreement?.swap(KEEPS_COMMITS, place, before);
}

async function firstGeneration(agreement: Agreement): Promise<string> {
  await agreement.swap('current', '1', '');
  return agreement.read('current');
}

function placeOf(address: string): string {
  if (!isStore(address))
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      `a fleet lies in file:///dir or in a bucket (s3://, gs://, az://), not in ${address}`,
    );
  const clean = address.replace(/\/+$/, '');
  return clean.startsWith('file:') ? fileURLToPath(clean) : clean;
}

/** LanceDB reads credentials from the environment by itself, but neither the address of another provider nor permission for plain HTTP. */
function storageOptions(env: NodeJS.ProcessEnv): Record<string, string> {
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL ?? env.AWS_ENDPOINT;
  if (endpoint === undefined) return {};
  return { endpoint, ...(endpoint.startsWith('http:') && { allow_http: 'true' }) };
}
