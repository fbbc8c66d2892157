/** The server of pages, asked by raw requests: what is refused, and what a page can ask. */
import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { loadQuestions } from '../../src/questions/table.js';
import { Projects } from '../../src/serve/projects.js';
import { OFFERED } from '../../src/web/answers.js';
import { Idle, Keys, listenForPages, openerOf, type PageServing, Reply } from '../../src/web/serve.js';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import '../support/in-process/kept-parsers.js';

const repo = createRepo();
repo.commit({
  'src/cart.ts': 'export function total(): number {\n  return 1;\n}\n',
  'src/a"><script>.ts': 'export const evil = 1;\n',
  'README.md': '# Shop\n',
});
repo.git('tag', 'v1');

let projects: Projects;
let serving: PageServing;
let port: number;
let token: string;

before(async () => {
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  projects = new Projects({ directory: repo.dir, allow: [] });
  serving = await listenForPages(projects, { port: 0, idleMinutes: 60 });
  const url = new URL(serving.url);
  port = Number(url.port);
  token = url.hash.slice('#key='.length);
});
after(async () => {
  await serving.close();
  await projects.close();
});

interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function send({ method = 'GET', path, headers = {}, body }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const withKey = () => ({ ...JSON_TYPE, Authorization: `Bearer ${token}` });

function ask(name: string, values: object = {}, headers: Asked['headers'] = withKey()): Promise<Answered> {
  return send({ method: 'POST', path: `/api/${name}`, headers, body: JSON.stringify(values) });
}

/** Address of the page's program, which the shell names. */
async function program(): Promise<string> {
  const { body } = await send({ path: '/' });
  return /src="(\/[0-9a-f]{16}\/web\/page\/main\.js)"/.exec(body)?.[1] ?? '';
}

const codeOf = ({ body }: Answered): string => JSON.parse(body).error.code;

test('an answer is the document that --json prints', async () => {
  const { status, body } = await ask('search', { query: 'total', mode: 'lexical' });
  assert.equal(status, 200, body);
  const printed = await cli(['search', 'total', '--mode', 'lexical', '--json'], { cwd: repo.dir });
  assert.deepEqual(JSON.parse(body), JSON.parse(printed.stdout));
});

test('nothing of the repository is answered without the token, nor for a part of it', async () => {
  for (const sent of ['', `Bearer `, `Bearer ${token.slice(0, -1)}`, `Bearer ${token}x`, `Basic ${token}`, token]) {
    const answered = await ask('search', { query: 'total' }, { ...JSON_TYPE, Authorization: sent });
    assert.deepEqual([answered.status, codeOf(answered)], [401, 'NO_KEY'], sent);
  }
  const own = ['about', 'refs', 'files', 'overview', 'blame', 'nothing-like-it'];
  for (const name of [...Object.keys(OFFERED).map((each) => each.replaceAll(' ', '-')), ...own])
    assert.equal((await ask(name, { query: 'total' }, JSON_TYPE)).status, 401, name);
  assert.equal((await ask('search', { query: 'x' }, { ...JSON_TYPE, Cookie: `key=${token}` })).status, 401);
});

test('a ticket is good once, and a wrong one voids nothing', async () => {
  const ticket = new URL(serving.ticketUrl()).hash.slice('#ticket='.length);
  assert.equal((await ask('ticket', { ticket: `${ticket}x` }, JSON_TYPE)).status, 401);
  const first = await ask('ticket', { ticket }, JSON_TYPE);
  assert.deepEqual([first.status, JSON.parse(first.body)], [200, { token }]);
  assert.equal((await ask('ticket', { ticket }, JSON_TYPE)).status, 401);
});

test('every address with a ticket has one of its own, so that a second page opens, too', async () => {
  const used: string[] = [];
  for (let page = 0; page < 3; page++) {
    const ticket = new URL(serving.ticketUrl()).hash.slice('#ticket='.length);
    const { status, body } = await ask('ticket', { ticket }, JSON_TYPE);
    assert.deepEqual([status, JSON.parse(body)], [200, { token }], `page ${page}`);
    used.push(ticket);
  }
  assert.equal(new Set(used).size, 3);
});

test('requests by another name of this server are refused, which DNS rebinding would use', async () => {
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
    assert.equal((await send({ path: '/', headers: { Host: host } })).status, 200, host);
  for (const host of ['evil.example', `evil.example:${port}`, 'localhost', `127.0.0.1:${port}@evil.example`]) {
    assert.equal((await send({ path: '/', headers: { Host: host } })).status, 403, host);
    assert.equal((await ask('status', {}, { ...withKey(), Host: host })).status, 403, host);
  }
});

test('pages of other origins get no answer, even with the token', async () => {
  for (const origin of [
    'http://evil.example',
    'null',
    `http://127.0.0.1:${port + 1}`,
    `https://127.0.0.1.evil.example:${port}`,
  ])
    assert.equal((await ask('status', {}, { ...withKey(), Origin: origin })).status, 403, origin);
  for (const site of ['cross-site', 'same-site'])
    assert.equal((await ask('status', {}, { ...withKey(), 'Sec-Fetch-Site': site })).status, 403, site);
  const own = { ...withKey(), Origin: `http://127.0.0.1:${port}`, 'Sec-Fetch-Site': 'same-origin' };
  assert.equal((await ask('refs', {}, own)).status, 200);
});

test('answers take POST with JSON alone, and files of the page are only read', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
    assert.equal((await send({ method, path: '/api/status', headers: withKey() })).status, 405, method);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx'])
    assert.equal((await ask('status', {}, { ...withKey(), 'Content-Type': type })).status, 415, type);
  const path = await program();
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    assert.equal((await send({ method, path })).status, 405, method);
  assert.equal((await send({ method: 'POST', path: '/api/status', headers: withKey(), body: '{' })).status, 400);
  const deep = `{"ref":${'['.repeat(99_999)}${']'.repeat(99_999)}}`;
  assert.equal((await send({ method: 'POST', path: '/api/status', headers: withKey(), body: deep })).status, 400);
  const long = await ask('search', { query: 'x'.repeat(1 << 20) });
  assert.deepEqual([long.status, long.headers.connection], [413, 'close']);
});

test('no path leads to a file that is not of the page', async () => {
  const main = await program();
  const folder = main.slice(0, -'main.js'.length);
  const paths = [
    ...['', '../serve.js', '%2e%2e/serve.js', '..%2fserve.js', 'main.d.ts'].map((name) => folder + name),
    ...[`/${main}`, `${main}/`, `${main}%00.css`, '/page/main.js', '/package.json', '/.git/config'],
    ...['/api', '/src/cart.ts', '/toString'],
  ];
  for (const path of paths) assert.equal((await send({ path })).status, 404, path);
  const raw = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET /page/../../package.json HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    });
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('close', () => resolve(text));
  });
  assert.match(raw, /^HTTP\/1\.1 404 /);
});

test('a page asks only what reads: no other question, no parameter that writes', async () => {
  const refused = [
    'index',
    'push',
    'remove',
    'graph-remove',
    'mcp',
    'constructor',
    '__proto__',
    'nowhere',
    'fsck',
    'export',
  ];
  for (const name of refused) {
    const answered = await ask(name);
    assert.deepEqual([answered.status, codeOf(answered)], [400, 'BAD_ARGUMENT'], name);
  }
  for (const values of [{ output: 'x.html' }, { format: 'html' }, { stdin: true }, { linked: true }])
    for (const name of ['graph-visualize', 'search'])
      assert.equal((await ask(name, { query: 'x', ...values })).status, 400, JSON.stringify(values));
  for (const question of await loadQuestions())
    if (Object.hasOwn(OFFERED, question.name)) assert.equal(question.effect, 'reads', question.name);
});

test('the overview counts files by language and by folder at the top, in which files at the top are not', async () => {
  const { files, languages, folders, endings } = JSON.parse((await ask('overview')).body);
  assert.deepEqual([files, folders], [3, [{ name: 'src', files: 2 }]]);
  assert.deepEqual(languages, [
    { name: 'typescript', files: 2 },
    { name: 'markdown', files: 1 },
  ]);
  assert.deepEqual(endings, { md: 'markdown', ts: 'typescript' });
});

test('a page without a fleet says so, and asks none', async () => {
  assert.equal(JSON.parse((await ask('about')).body).hasFleet, false);
  for (const name of ['fleet-search', 'fleet-repos', 'fleet-file'])
    assert.equal((await ask(name, { query: 'x', repo: 'a', path: 'b' })).status, 400, name);
});

test('every parameter that a page may give exists', async () => {
  for (const [name, keys] of Object.entries(OFFERED)) {
    const [question] = await loadQuestions([name]);
    assert.deepEqual(
      keys.filter((key) => !Object.hasOwn(question.params, key)),
      [],
      name,
    );
  }
});

test('lines that match come with the places of all matches, found by the server', async () => {
  const lines = async (values: object) => JSON.parse((await ask('grep', values)).body);
  const { hits, marks, total } = await lines({ pattern: '[a-z]+ =|1', path: ['src/a*'] });
  assert.deepEqual([total, hits.length], [{ hits: 1, files: 1 }, 1]);
  assert.deepEqual(
    marks[0].map(([start, end]: number[]) => hits[0].text.slice(start, end)),
    ['evil =', '1'],
  );
  assert.deepEqual((await lines({ pattern: 'NUMBER', fixed: true, ignoreCase: true })).marks, [[[25, 31]]]);
  assert.equal((await ask('grep', { pattern: '(' })).status, 400);
  assert.equal((await ask('grep', { pattern: 'f($A)', ast: true, rewrite: 'g($A)' })).status, 400);
});

test('hostile names are answered as they are, and read by their exact path', async () => {
  const { body } = await ask('files');
  assert.ok(JSON.parse(body).paths.includes('src/a"><script>.ts'));
  const shown = JSON.parse((await ask('show', { targets: ['src/a"><script>.ts'] })).body);
  assert.equal(shown.parts[0].content, 'export const evil = 1;');
  for (const target of ['../../etc/passwd', '/etc/passwd', '.git/config']) {
    const { parts = [] } = JSON.parse((await ask('show', { targets: [target] })).body);
    assert.deepEqual(parts, [], target);
  }
  assert.equal((await ask('blame', { path: '--output=x' })).status, 400);
  assert.equal((await ask('files', { ref: '--all' })).status, 400);
});

test('every response forbids foreign code, frames and guessed types', async () => {
  for (const answered of [await send({ path: '/' }), await ask('refs'), await send({ path: '/nowhere' })]) {
    const { headers } = answered;
    const policy = String(headers['content-security-policy']);
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(part), part);
    assert.ok(!policy.includes('unsafe'));
    assert.deepEqual([headers['x-content-type-options'], headers['referrer-policy']], ['nosniff', 'no-referrer']);
  }
  const { body } = await send({ path: '/' });
  assert.ok(!body.includes(token) && !/<script>|style=|\son\w+=/.test(body), 'no key and nothing inline');
});

test('choices and authors: refs, files and blame of this repository', async () => {
  const refs = JSON.parse((await ask('refs')).body);
  const head = repo.git('rev-parse', 'HEAD').trim();
  assert.deepEqual(refs.tags, [{ name: 'v1', commit: head }]);
  assert.equal(refs.commits[0].commit, head);
  const blame = JSON.parse((await ask('blame', { path: 'src/cart.ts', ref: 'v1' })).body);
  assert.deepEqual(blame.runs, [{ line: 1, count: 3, commit: head }]);
  assert.equal(blame.commits[head].author, 'A U Thor');
});

test('files of the page are asked for once, and the page itself says when they have changed', async () => {
  const path = await program();
  assert.match(String((await send({ path })).headers['cache-control']), /max-age=\d{7,}, immutable/);
  const { headers } = await send({ path: '/' });
  assert.equal(headers['cache-control'], 'no-cache');
  for (const known of [path, '/']) {
    const { etag } = (await send({ path: known })).headers;
    const again = await send({ path: known, headers: { 'If-None-Match': String(etag) } });
    assert.deepEqual([again.status, again.body], [304, ''], known);
    const older = await send({ path: known, headers: { 'If-None-Match': '"of an earlier version"' } });
    assert.deepEqual([older.status, older.headers.etag], [200, etag], known);
  }
});

test('a request that does not come to its end is dropped soon after its time, not with the next look of Node', async (t) => {
  const slow = await listenForPages(projects, { port: 0, idleMinutes: 60, limits: { headers: 200, body: 400 } });
  t.after(slow.close);
  const { port: at, hash } = new URL(slow.url);
  const begun = [
    `POST /api/status HTTP/1.1\r\nHost: localhost:${at}\r\nX-`,
    `POST /api/status HTTP/1.1\r\nHost: localhost:${at}\r\nAuthorization: Bearer ${hash.slice('#key='.length)}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  ];
  for (const text of begun) assert.match(await untilClosed(Number(at), text), /^HTTP\/1\.1 408 /);
});

/** What a server says before it closes the connection, which it must do within 10 seconds. */
function untilClosed(to: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(to, '127.0.0.1', () => socket.write(text));
    socket.setTimeout(10_000, () => socket.destroy(new Error('it was kept for 10 s')));
    let said = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
    socket.on('close', () => resolve(said)).on('error', reject);
  });
}

test('every server has a key of its own, of 256 bits', () => {
  const tokens = Array.from({ length: 20 }, () => new Keys().token);
  assert.equal(new Set(tokens).size, 20);
  for (const token of tokens) assert.match(token, /^[\w-]{43}$/);
});

test('a ticket ends with the next one, with its use and with time', () => {
  let now = 0;
  const keys = new Keys(() => now);
  const [old, next] = [keys.issueTicket(), keys.issueTicket()];
  assert.equal(keys.redeem(old), null);
  assert.equal(keys.redeem(next), keys.token);
  assert.equal(keys.redeem(next), null);
  const late = keys.issueTicket();
  now = 120_001;
  assert.equal(keys.redeem(late), null);
});

test('a server in use does not end, one that nobody uses does', async () => {
  const idle = new Idle(1);
  idle.busy();
  let hasEnded = false;
  void idle.ended.then(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(hasEnded, false);
  idle.free();
  await idle.ended;
});

test('a question that fails, or one that is refused, is over: the server is idle again', async (t) => {
  const quick = await listenForPages(projects, { port: 0, idleMinutes: 0.2 / 60 });
  t.after(quick.close);
  const url = new URL(quick.url);
  const headers = { ...JSON_TYPE, Authorization: `Bearer ${url.hash.slice('#key='.length)}` };
  const fetched = async (body: string) =>
    (await fetch(new URL('/api/search', url), { method: 'POST', headers, body })).status;
  assert.deepEqual([await fetched('{"query":"x","ref":"no-such-ref"}'), await fetched('{')], [400, 400]);
  const ended = await Promise.race([quick.idle.then(() => true), later(10_000, false, { ref: false })]);
  assert.equal(ended, true);
});

test('a browser is opened where one can be shown', () => {
  const url = 'http://127.0.0.1:1/#ticket=a&b';
  assert.deepEqual(openerOf(url, 'darwin', {}), { command: 'open', args: [url] });
  assert.deepEqual(openerOf(url, 'win32', {}), { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] });
  assert.deepEqual(openerOf(url, 'linux', { DISPLAY: ':0' }), { command: 'xdg-open', args: [url] });
  assert.equal(openerOf(url, 'linux', { SSH_TTY: '/dev/pts/1' }), null);
});

/** What a reply sends to a request that accepts `accept`. */
function sent(
  accept: string | undefined,
  tell: (reply: Reply) => void,
): { status: number; type: string; text: string } {
  const out = { status: 0, type: '', text: '' };
  const response = {
    ...{ headersSent: false, destroyed: false, writableEnded: false },
    writeHead(status: number, headers: Record<string, string>) {
      Object.assign(out, { status, type: headers['Content-Type'] });
      this.headersSent = true;
    },
    write: (text: string) => {
      out.text += text;
    },
    end: (text: string) => {
      out.text += text;
    },
  };
  tell(new Reply({ headers: { accept } } as IncomingMessage, response as unknown as ServerResponse));
  return out;
}

const long = (reply: Reply) => {
  reply.progress(1, 10, 'reading\u202e');
  reply.progress(2, 10, 'reading');
  reply.document(400, { error: { code: 'GIT_FAILED' } });
};

test('a page that accepts lines is told of progress, not too often, and then gets the document', () => {
  const { status, type, text } = sent('application/x-ndjson', long);
  const [progress, document, ...rest] = text.split('\n').map((line) => JSON.parse(line));
  assert.deepEqual([status, type, rest], [200, 'application/x-ndjson; charset=utf-8', []]);
  assert.deepEqual(progress, { progress: { done: 1, total: 10, message: 'reading\\u202e' } });
  assert.deepEqual(document, { error: { code: 'GIT_FAILED' } });
});

test('others get one document, with the status of a failure', () => {
  const answer = { status: 400, type: 'application/json; charset=utf-8', text: '{"error":{"code":"GIT_FAILED"}}' };
  assert.deepEqual(sent('*/*', long), answer);
  assert.deepEqual(sent(undefined, long), answer);
});

test('pages that name no port get any that is free where theirs is taken; a named port is that one or none', async (t) => {
  const pages: PageServing[] = [];
  t.after(() => Promise.all(pages.map((page) => page.close())));
  const open = async (options: { port?: number }) => {
    pages.push(await listenForPages(projects, { ...options, idleMinutes: 60 } as never));
    return Number(new URL(pages.at(-1)?.url ?? '').port);
  };
  const ports = [await open({}), await open({}), await open({})];
  assert.equal(new Set(ports).size, 3);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (const taken of ports)
    await assert.rejects(open({ port: taken }), {
      code: 'BAD_ARGUMENT',
      message: `port ${taken} of 127.0.0.1 is in use`,
    });
  await assert.rejects(open({ port: 65_536 }), { code: 'BAD_ARGUMENT' });
  assert.equal(timers(), before, 'no server that did not start waits to be idle');
});
