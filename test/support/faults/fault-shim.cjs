/**
 * Loaded with NODE_OPTIONS=--require before a program: counts its fault points (what it changes of files, the starts of git
 * and what it writes to git) and, at the n-th, kills the process or has the call fail. What to do is JSON in
 * SOCRATICODE_TEST_FAULT, a `FaultPlan` of `fault.ts`; without it, and in a process that is not meant, nothing changes.
 */
'use strict';
const fs = require('node:fs');
const childProcess = require('node:child_process');
const { syncBuiltinESMExports } = require('node:module');
const { constants } = require('node:os');

const VARIABLE = 'SOCRATICODE_TEST_FAULT';
const text = process.env[VARIABLE];
// Variables of that prefix are settings, which the program must not see changed; its children are told again.
delete process.env[VARIABLE];

const real = { ...fs };
const REMOVALS = ['unlink', 'rmdir', 'rm'];
const NEEDS_NO_SPACE = new Set([...REMOVALS, 'utimes', 'chmod', 'close', 'read']);
/** What each kind of broken disk still does. */
const STILL_DONE = {
  ENOSPC: NEEDS_NO_SPACE,
  EDQUOT: NEEDS_NO_SPACE,
  EFBIG: new Set([...NEEDS_NO_SPACE, 'open', 'mkdir', 'rename', 'fsync']),
  EMFILE: new Set([...NEEDS_NO_SPACE, 'write', 'fsync', 'rename', 'mkdir']),
  // Nothing is open for writing there.
  EROFS: new Set(['write', 'fsync', 'close', 'read']),
  EACCES: new Set(['write', 'fsync', 'close']),
  EIO: new Set(),
};
const NOT_FILES = new Set(['spawn', 'pipe']);

class Faults {
  constructor(plan) {
    this.plan = plan;
    this.seen = 0;
    this.failing = false;
    this.log = plan.log === undefined ? -1 : real.openSync(plan.log, 'a');
    /** What is open that counts: fd to path and whether for writing. */
    this.open = new Map();
  }

  /** Is this path one whose changes count? Reads count where the plan says so. */
  counts(path) {
    const { under } = this.plan;
    return under === undefined || under.some((part) => String(path).includes(part));
  }

  /** Reaches a fault point. True if it is to fail; `half` does half of it. */
  reach(op, path, half) {
    const { error, at, kill, torn, persistent, reads } = this.plan;
    if ((op === 'read') !== Boolean(reads)) return false;
    if (error !== undefined && (NOT_FILES.has(op) || STILL_DONE[error].has(op))) return false;
    this.seen++;
    if (this.log >= 0) real.writeSync(this.log, `${JSON.stringify({ n: this.seen, op, path: String(path) })}\n`);
    if (at === undefined || (this.seen !== at && !this.failing)) return false;
    if (kill !== undefined) {
      if (torn) half?.();
      process.kill(kill === 'group' ? 0 : process.pid, 'SIGKILL');
      // The signal comes before this has waited for long.
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    }
    if (error === undefined) return false;
    this.failing = Boolean(persistent);
    half?.();
    return true;
  }

  failure(syscall, path) {
    const code = this.plan.error;
    const about = path === undefined ? '' : ` '${path}'`;
    const error = new Error(`${code}: injected, ${syscall}${about}`);
    return Object.assign(error, { code, errno: -constants.errno[code], syscall, ...(about && { path }) });
  }
}

/** Node's own functions call each other: what one does inside another is one point. */
let depth = 0;

/**
 * Has `name`, with a callback or a promise too, ask `before` first, which returns the error that it fails with; `after`
 * sees what the call gave.
 */
function wrap(name, before, after) {
  const sync = real[`${name}Sync`];
  if (sync !== undefined) {
    fs[`${name}Sync`] = (...args) => {
      const error = depth > 0 ? null : before(args);
      if (error) throw error;
      depth++;
      try {
        const result = sync(...args);
        if (depth === 1) after?.(result, args);
        return result;
      } finally {
        depth--;
      }
    };
  }
  if (real[name] !== undefined) {
    fs[name] = (...args) => {
      const error = before(args);
      if (error) process.nextTick(args.at(-1), error);
      else real[name](...args);
    };
  }
  const promised = real.promises[name];
  if (promised !== undefined) {
    fs.promises[name] = async (...args) => {
      const error = before(args);
      if (error) throw error;
      return promised(...args);
    };
  }
}

function firstHalf(data) {
  const bytes = Buffer.from(data);
  return bytes.subarray(0, bytes.length >> 1);
}

function wrapFiles(faults) {
  const { open } = faults;
  const isWriting = (flags) =>
    typeof flags === 'string'
      ? /[wa+]/.test(flags)
      : ((flags ?? 0) & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) !== 0;
  const pathOf = (target) => {
    if (typeof target === 'number') return open.get(target)?.path;
    return faults.counts(target) ? target : undefined;
  };
  /** The whole call is one point. */
  const one = (name, op, { target = 0, is = () => true } = {}) =>
    wrap(name, (args) => {
      const path = pathOf(args[target]);
      if (path === undefined || !is(args)) return null;
      return faults.reach(op, path) ? faults.failure(name.toLowerCase(), path) : null;
    });
  wrap(
    'open',
    ([path, flags]) => {
      if (!faults.counts(path)) return null;
      return faults.reach(isWriting(flags) ? 'open' : 'read', path) ? faults.failure('open', path) : null;
    },
    (fd, [path, flags]) => {
      if (faults.counts(path)) open.set(fd, { path, writing: isWriting(flags) });
    },
  );
  wrap('close', ([fd]) => {
    const file = open.get(fd);
    open.delete(fd);
    if (!file?.writing || !faults.reach('close', file.path)) return null;
    real.closeSync(fd);
    return faults.failure('close');
  });
  wrap('write', ([fd, data, offset, length]) => {
    const path = open.get(fd)?.path;
    if (path === undefined) return null;
    const from = typeof data === 'string' ? 0 : (offset ?? 0);
    const bytes =
      typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const end = typeof length === 'number' ? from + length : bytes.length;
    const half = () => real.writeSync(fd, firstHalf(bytes.subarray(from, end)));
    return faults.reach('write', path, half) ? faults.failure('write') : null;
  });
  for (const [name, flag] of [
    ['writeFile', 'w'],
    ['appendFile', 'a'],
  ]) {
    wrap(name, ([target, data, options]) => {
      const path = pathOf(target);
      if (path === undefined) return null;
      if (typeof target !== 'number' && faults.reach('open', path)) return faults.failure('open', path);
      const given = typeof options === 'object' ? options : {};
      const half = () => real.writeFileSync(target, firstHalf(data), { flag, ...given });
      return faults.reach('write', path, half) ? faults.failure('write') : null;
    });
  }
  for (const name of ['fsync', 'fdatasync']) one(name, 'fsync', { is: ([fd]) => open.get(fd)?.writing });
  for (const name of ['fchmod', 'ftruncate', 'truncate', 'chmod']) one(name, 'chmod');
  for (const name of ['utimes', 'futimes', 'lutimes']) one(name, 'utimes');
  const stands = ([path]) => real.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  for (const name of REMOVALS) one(name, name, { is: stands });
  // A directory that is there already is no change.
  one('mkdir', 'mkdir', { is: (args) => !stands(args) });
  one('mkdtemp', 'mkdir');
  for (const name of ['rename', 'copyFile', 'link', 'symlink']) one(name, 'rename', { target: 1 });
  for (const name of ['readFile', 'read', 'readdir', 'opendir']) one(name, 'read');
}

function wrapGit(faults) {
  const { spawn } = childProcess;
  childProcess.spawn = (file, args, options) => {
    // Or a shell that bounds git's memory and becomes git.
    const isShell = file === '/bin/sh' && args[1]?.endsWith('exec git "$@"');
    if (file !== 'git' && !isShell) return spawn(file, args, options);
    const name = `git ${verb(isShell ? args.slice(3) : args)}`;
    faults.reach('spawn', name);
    const child = spawn(file, args, options);
    const { write } = child.stdin ?? {};
    if (write !== undefined) {
      child.stdin.write = (data, ...rest) => {
        faults.reach('pipe', name, () => real.writeSync(child.stdin._handle.fd, firstHalf(data)));
        return write.call(child.stdin, data, ...rest);
      };
    }
    return child;
  };
}

/** The git command behind its global options. */
function verb(args) {
  let at = 0;
  while (args[at]?.startsWith('-')) at += args[at] === '-c' ? 2 : 1;
  return args[at];
}

/** Processes that node starts are told what to do as well. */
function wrapFork() {
  const { fork } = childProcess;
  childProcess.fork = (module, args, options) =>
    fork(module, args, { ...options, env: { ...(options?.env ?? process.env), [VARIABLE]: text } });
}

if (text !== undefined) {
  const plan = JSON.parse(text);
  const isMeant = new RegExp(plan.process ?? '').test(process.argv.slice(1).join(' '));
  if (isMeant) {
    const faults = new Faults(plan);
    wrapFiles(faults);
    wrapGit(faults);
  }
  wrapFork();
  syncBuiltinESMExports();
}
