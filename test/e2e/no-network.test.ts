/** The default settings open no socket: `net` and `dns` are replaced before the program is loaded, and record every use. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../support/cli.js';
import { makeDirectory } from '../support/repo.js';
import { PROJECT } from '../support/samples.js';
import { committed, startServer, vectorRefs } from '../support/vectors-repo.js';

/** Named pipes and child processes use sockets without `connect` to a host. */
const SPY = `
const { appendFileSync } = require('node:fs');
const net = require('node:net');
const dns = require('node:dns');
const note = (what) => appendFileSync(process.env.TEST_SOCKET_LOG, what + '\\n');
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) { note('connect'); return connect.apply(this, args); };
const lookup = dns.lookup;
dns.lookup = (...args) => { note('lookup'); return lookup(...args); };
`;

test('index and search with the built-in model open no socket and make no vectors ref', async (t) => {
  const repo = committed(PROJECT);
  const directory = makeDirectory();
  const [spy, log] = [join(directory, 'spy.cjs'), join(directory, 'log')];
  writeFileSync(spy, SPY);
  const env = { NODE_OPTIONS: `--require=${spy}`, TEST_SOCKET_LOG: log };
  for (const args of [['index'], ['search', 'where are tokens kept'], ['status'], ['index']]) {
    assert.equal((await cli(args, { cwd: repo.dir, env })).code, 0, args[0]);
  }
  assert.equal(existsSync(log) ? readFileSync(log, 'utf8') : '', '');
  assert.deepEqual(vectorRefs(repo), []);
  // The spy sees what there is to see.
  const { url } = await startServer(t);
  const provider = { ...env, SOCRATICODE_EMBEDDER_NAME: 'ollama', SOCRATICODE_EMBEDDER_ENDPOINT: url };
  repo.commit({ 'more.ts': 'export const more = 1;\n' });
  await cli(['index'], { cwd: repo.dir, env: provider });
  assert.match(readFileSync(log, 'utf8'), /connect/);
});
