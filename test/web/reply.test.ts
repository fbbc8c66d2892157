/** Answers over HTTP: JSON for everybody, and lines with progress for a page that accepts them. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { Reply } from '../../src/web/reply.js';

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
