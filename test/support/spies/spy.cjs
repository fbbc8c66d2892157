// Loaded with --require, or by a test into its own process: notes every process that is started and every connection that
// is made, as lines of JSON in the file that SOCRATICODE_TEST_SPY names. Without that variable nothing is noted.
const { appendFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const child = require('node:child_process');
const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');

const note = (event) => {
  const log = process.env.SOCRATICODE_TEST_SPY;
  if (log) appendFileSync(log, `${JSON.stringify(event)}\n`);
};

// Everything asynchronous of child_process ends here: spawn, fork, exec, execFile.
const { spawn } = child.ChildProcess.prototype;
child.ChildProcess.prototype.spawn = function (options) {
  note({ kind: 'exec', file: options.file, args: options.args.slice(1) });
  return spawn.call(this, options);
};
for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
  const original = child[name];
  child[name] = (file, ...rest) => {
    note({ kind: 'exec', file, args: Array.isArray(rest[0]) ? rest[0] : [], sync: true });
    return original(file, ...rest);
  };
}

// http, https, tls and fetch all connect through this.
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const to =
    typeof first === 'object' && first !== null ? (first.path ?? `${first.host}:${first.port}`) : String(first);
  note({ kind: 'connect', to });
  return connect.apply(this, args);
};
const { send, connect: connectUdp } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...args) {
  note({ kind: 'connect', to: 'udp' });
  return send.apply(this, args);
};
dgram.Socket.prototype.connect = function (...args) {
  note({ kind: 'connect', to: 'udp' });
  return connectUdp.apply(this, args);
};
const watchNames = (owner) => {
  for (const name of Object.keys(owner)) {
    if (typeof owner[name] !== 'function' || !/^(lookup|resolve|reverse)/.test(name)) continue;
    const original = owner[name];
    owner[name] = (...args) => {
      note({ kind: 'lookup', to: String(args[0]) });
      return original(...args);
    };
  }
};
watchNames(dns);
watchNames(dns.promises);
syncBuiltinESMExports();
