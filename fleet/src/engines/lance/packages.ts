/** Loads LanceDB and Apache Arrow when a store is opened: clients over HTTP do not need their 180 MB. */
import { createRequire } from 'node:module';
import { SocraticodeError } from '../../internal.js';

export type Lance = typeof import('@lancedb/lancedb');
export type Arrow = typeof import('apache-arrow');
export type Table = import('@lancedb/lancedb').Table;
export type Connection = import('@lancedb/lancedb').Connection;
export type Index = import('@lancedb/lancedb').Index;
export type FtsOptions = import('@lancedb/lancedb').FtsOptions;
export type RecordBatch = import('apache-arrow').RecordBatch;
export type Schema = import('apache-arrow').Schema;

/** LanceDB requires Arrow, so an `import` of it would load and compile a second Arrow: 400 ms of processor time. */
const require = createRequire(import.meta.url);

/** Throws FLEET_PACKAGES if they are not installed. */
export function loadPackages(): { lance: Lance; arrow: Arrow } {
  // Without this, every request that a busy bucket refuses, and that is repeated, is a line on stderr.
  process.env.LANCEDB_LOG ??= 'error';
  try {
    return { lance: require('@lancedb/lancedb'), arrow: require('apache-arrow') };
  } catch (cause) {
    throw new SocraticodeError('FLEET_PACKAGES', 'a store needs LanceDB, which cannot be loaded', {
      hint: 'Install git-socraticode-fleet again, with its optional dependencies.',
      cause,
    });
  }
}
