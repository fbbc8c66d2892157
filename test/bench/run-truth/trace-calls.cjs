// Records what code that `instrument.mjs` prepared runs. Writes TRACE_OUT when the process ends; processes join their traces.
// TRACE_TEST is the test file that this process runs alone: all that runs, also while files are loaded, is then its doing.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

if (globalThis.__ran === undefined && process.env.TRACE_OUT) {
  const root = join(process.env.TRACE_ROOT, '/');
  const calls = new Map();
  const outside = new Map();
  const tests = new Map();
  const nothing = [];
  const callers = (_, sites) => sites;
  const FILE = /(?:^|\/)(?:tests?|__tests__|spec)\/|[._](?:test|spec)\.\w+$/;
  globalThis.__at = (path, line, name) => {
    outside.set(`${path}:${line}:${name}`, [path, line, name]);
    return nothing;
  };
  const own = process.env.TRACE_TEST;
  globalThis.__ran = (target) => {
    if (own) tests.set(`${own} ${target}`, [own, target]);
    const { prepareStackTrace, stackTraceLimit } = Error;
    Error.prepareStackTrace = callers;
    Error.stackTraceLimit = 6;
    const sites = new Error().stack;
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
    // A library between may pass a call on, as one that writes delegates does: the line of the repository before it counts.
    const fileOf = (site) => site.getFileName()?.replace(/^file:\/\//, '');
    const isOwn = (file) => file?.startsWith(root) && !file.includes('/node_modules/');
    const caller = Array.isArray(sites) ? sites.slice(2).find((site) => isOwn(fileOf(site))) : undefined;
    if (caller === undefined) return;
    const file = fileOf(caller);
    const path = file.slice(root.length);
    const line = caller.getLineNumber();
    calls.set(`${path}:${line}:${target}`, [path, line, ...target]);
    if (!own && FILE.test(path)) tests.set(`${path} ${target}`, [path, target]);
  };
  process.on('exit', () => {
    const out = process.env.TRACE_OUT;
    const before = existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : { calls: [], outside: [], tests: {} };
    for (const [path, target] of tests.values()) {
      before.tests[path] ??= [];
      before.tests[path].push(target);
    }
    writeFileSync(
      out,
      JSON.stringify({
        ...before,
        calls: [...before.calls, ...calls.values()],
        outside: [...before.outside, ...outside.values()],
      }),
    );
  });
}
