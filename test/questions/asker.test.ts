/** Values by their declared names, questions on lines of stdin, and text that is piped in. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { flag, integer, list, text } from '../../src/params/param.js';
import {
  answerEachLine,
  fromHere,
  loadDocuments,
  parseLine,
  questionNamed,
  readNamed,
  readPiped,
} from '../../src/questions/asker.js';
import { Session } from '../../src/session/session.js';
import { askerOf } from '../support/in-process/asker.js';
import { createRepo } from '../support/repositories/repo.js';

const params = {
  query: text({ summary: 'q', required: true }),
  limit: integer({ summary: 'l', min: 1, max: 9, default: 3 }),
  path: list({ summary: 'p', globs: true }),
  all: flag({ summary: 'a' }),
};
const form = { params, main: 'query' };
const values = { query: '', limit: 5, path: undefined, all: undefined };

test('a line is the main parameter, or an object of parameters over the defaults of the command line', () => {
  assert.deepEqual(parseLine(' two words ', values, form), { ...values, query: ' two words ' });
  assert.deepEqual(parseLine(' {"query": "x", "all": true}', values, form), { ...values, query: 'x', all: true });
  assert.deepEqual(parseLine('{"query": "x", "limit": 2}', values, form), { ...values, query: 'x', limit: 2 });
  assert.throws(() => parseLine('{"limit": 2}', values, form), { code: 'BAD_ARGUMENT', message: /query/ });
  assert.throws(() => parseLine('{"query": "x", "limit": 10}', values, form), {
    code: 'BAD_ARGUMENT',
    hint: 'Keys: query, limit, path, all.',
  });
  assert.throws(() => parseLine('{"query"', values, form), {
    message: 'the line begins like a JSON object, but is not valid JSON',
  });
});

test('values of some parameters are read under their declared names', () => {
  const read = (given: unknown, ...keys: string[]) => readNamed(params, keys, { name: 'find', given });
  assert.deepEqual(read({ query: 'x' }, 'query', 'limit'), { query: 'x', limit: 3 });
  assert.throws(() => read({ query: 'x', limit: 2 }, 'query'), { hint: 'Parameters of find: query.' });
});

test('questions and documents are found by name', async () => {
  assert.equal((await questionNamed('graph impact'))?.name, 'graph impact');
  assert.equal((await questionNamed('tag list'))?.name, 'tag list');
  assert.equal(await questionNamed('graph'), undefined);
  const documents = await loadDocuments();
  assert.equal(documents.get('diff')?.title, 'git socraticode diff --json');
  assert.ok(documents.has('graph-candidates'));
});

test('piped text is read to its end, or to a bound', async () => {
  const { signal } = new AbortController();
  assert.equal(await readPiped(Readable.from([Buffer.from('a'), Buffer.from('é')]), signal), 'aé');
  const long = await readPiped(Readable.from([Buffer.alloc(1 << 20, 97), Buffer.from('b')]), signal);
  assert.equal(long, 'a'.repeat(1 << 20));
});

test('globs begin at the current directory, and each line is answered in order, a failed one with its error', async () => {
  const repo = createRepo();
  repo.commit({ 'src/a.ts': '1\n', 'b.ts': '1\n' });
  mkdirSync(join(repo.dir, 'src'), { recursive: true });
  const session = await Session.open({ directory: repo.dir });
  after(() => session.close());
  let written = '';
  const io = { stdin: Readable.from(['one\n{"query": "two", "path": ["*.ts", ":/b.ts"]}\n{"limit": 0}\n']) };
  const command = {
    io,
    json: false,
    write: async (part: string) => {
      written += part;
    },
  };
  const at = askerOf(session, { directory: join(repo.dir, 'src'), command: command as never });
  assert.deepEqual(await fromHere(at, params, { query: 'x', path: ['a.ts'] }), { query: 'x', path: [':/src/a.ts'] });
  assert.deepEqual(await fromHere(at, params, { query: 'x' }), { query: 'x' });
  const answer = async (given: object) => {
    if ((given as { query: string }).query === 'one') throw new TypeError('odd');
    return given;
  };
  await answerEachLine(at, { values, form, answer });
  const [first, second, third] = written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(first.error.code, 'INTERNAL');
  assert.deepEqual(second, { query: 'two', limit: 5, path: [':/src/**/*.ts', ':/b.ts'] });
  assert.deepEqual([third.schemaVersion, third.error.code], [1, 'BAD_ARGUMENT']);
});
