/**
 * A small object store that speaks the protocol of S3, on loopback and in memory: objects, ranges, conditional writes, lists in
 * pages, copies, uploads in parts, and deletion of many. Every operation is atomic, and seen by the next request. Two public
 * servers for tests were tried first (s3rver 3.7.1, fauxqs 2.4.1): both ignore `If-None-Match` on PUT, which is what the fleet
 * depends on. Signatures must be there, and are not verified.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredObject {
  bytes: Buffer;
  etag: string;
  modified: Date;
}

/** What happens to one request: a status instead of an answer, a connection that breaks after the work is done, or nothing. */
export type S3Fault = 500 | 503 | 'cut' | null;

export interface S3Options {
  /** False ignores `If-None-Match` and `If-Match`, as some providers do. */
  isConditional?: boolean;
  /** Milliseconds before each answer. */
  delayMs?: number;
  /** Most keys of one page of a list. */
  page?: number;
  /** Asked for every request. */
  faultOf?: (request: { method: string; key: string; number: number }) => S3Fault;
}

export interface S3Server {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  objects: Map<string, StoredObject>;
  /** Requests by kind, such as `PUT` and `LIST`. */
  counts: Map<string, number>;
  options: S3Options;
  close(): Promise<void>;
}

/** Variables with which clients use the server. */
export const s3Environment = ({ url }: Pick<S3Server, 'url'>) => ({
  AWS_ENDPOINT_URL: url,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
});

export async function startS3(options: S3Options = {}): Promise<S3Server> {
  const store = new ObjectStore(options);
  const server = createServer((request, response) => void store.handle(request, response));
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, objects: store.objects, counts: store.counts, options, close };
}

/** A request that was read: `key` is `bucket/name`. */
interface Asked {
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

interface Answered {
  status: number;
  headers?: Record<string, string | number>;
  body?: Buffer | string;
}

class ObjectStore {
  readonly objects = new Map<string, StoredObject>();
  readonly counts = new Map<string, number>();
  private readonly uploads = new Map<string, Map<number, Buffer>>();
  private requests = 0;

  constructor(private readonly options: S3Options) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
    const key = decodeURIComponent(pathname.slice(1));
    const method = request.method ?? 'GET';
    const fault = this.options.faultOf?.({ method, key, number: this.requests++ }) ?? null;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (this.options.delayMs) await new Promise((resolve) => setTimeout(resolve, this.options.delayMs));
    const isFailing = typeof fault === 'number';
    const answer = isFailing
      ? failure(fault, 'InternalError')
      : this.answer(method, { key, query, headers: request.headers, body: Buffer.concat(parts) });
    if (fault === 'cut') return void response.destroy();
    const { status, headers, body = '' } = answer;
    response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers });
    response.end(method === 'HEAD' ? undefined : body);
  }

  private answer(method: string, asked: Asked): Answered {
    const { key, query, headers } = asked;
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return failure(403, 'AccessDenied');
    const isList = method === 'GET' && query.has('list-type');
    const kind = isList ? 'LIST' : method;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (isList) return this.list(asked);
    if (method === 'POST') return this.post(asked);
    if (method === 'PUT') return query.has('partNumber') ? this.putPart(asked) : this.put(key, asked);
    if (method === 'DELETE') {
      const upload = query.get('uploadId');
      if (upload === null) this.objects.delete(key);
      else this.uploads.delete(upload);
      return { status: 204 };
    }
    const object = this.objects.get(key);
    return object === undefined ? failure(404, 'NoSuchKey') : contentOf(object, headers.range);
  }

  private put(key: string, { headers, body }: Asked): Answered {
    const source = headers['x-amz-copy-source'];
    const copied =
      source === undefined ? body : this.objects.get(decodeURIComponent(`${source}`).replace(/^\//, ''))?.bytes;
    if (copied === undefined) return failure(404, 'NoSuchKey');
    if (this.options.isConditional !== false) {
      const held = this.objects.get(key);
      const [none, match] = [headers['if-none-match'], headers['if-match']];
      if ((none === '*' && held) || (match !== undefined && match !== held?.etag))
        return failure(412, 'PreconditionFailed');
    }
    const { etag } = this.keep(key, copied);
    if (source === undefined) return { status: 200, headers: { ETag: etag } };
    return { status: 200, body: xml('CopyObjectResult', `<ETag>${etag}</ETag>`) };
  }

  private keep(key: string, bytes: Buffer): StoredObject {
    const object = { bytes, etag: `"${createHash('md5').update(bytes).digest('hex')}"`, modified: new Date() };
    this.objects.set(key, object);
    return object;
  }

  private putPart({ query, body }: Asked): Answered {
    const parts = this.uploads.get(query.get('uploadId') ?? '');
    if (parts === undefined) return failure(404, 'NoSuchUpload');
    const number = Number(query.get('partNumber'));
    parts.set(number, body);
    return { status: 200, headers: { ETag: `"part${number}"` } };
  }

  private post({ key, query, body, headers }: Asked): Answered {
    if (query.has('uploads')) {
      const id = `upload${this.requests}`;
      this.uploads.set(id, new Map());
      return { status: 200, body: xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`) };
    }
    if (query.has('delete')) {
      const bucket = key.split('/')[0];
      const names = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name]) => fromXml(name));
      for (const name of names) this.objects.delete(`${bucket}/${name}`);
      const deleted = names.map((name) => `<Deleted><Key>${toXml(name)}</Key></Deleted>`);
      return { status: 200, body: xml('DeleteResult', deleted.join('')) };
    }
    const id = query.get('uploadId') ?? '';
    const parts = this.uploads.get(id);
    if (parts === undefined) return failure(404, 'NoSuchUpload');
    if (this.options.isConditional !== false && headers['if-none-match'] === '*' && this.objects.has(key))
      return failure(412, 'PreconditionFailed');
    const ordered = [...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
    const { etag } = this.keep(key, Buffer.concat(ordered));
    this.uploads.delete(id);
    return { status: 200, body: xml('CompleteMultipartUploadResult', `<ETag>${etag}</ETag>`) };
  }

  /** ListObjectsV2: names in order, those below a delimiter as one prefix, in pages. */
  private list({ key, query }: Asked): Answered {
    const bucket = key.replace(/\/$/, '');
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const most = Math.min(Number(query.get('max-keys') ?? 1_000), this.options.page ?? 1_000);
    const entries = new Map<string, string>();
    let last = '';
    let isTruncated = false;
    for (const [full, object] of [...this.objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const name = full.slice(bucket.length + 1);
      if (!full.startsWith(`${bucket}/`) || !name.startsWith(prefix) || name <= after) continue;
      const end = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length);
      const shown = end < 0 ? name : name.slice(0, end + delimiter.length);
      if (after.startsWith(shown) && end >= 0) continue;
      if (!entries.has(shown) && entries.size === most) {
        isTruncated = true;
        break;
      }
      entries.set(
        shown,
        end < 0 ? contentsXml(name, object) : `<CommonPrefixes><Prefix>${toXml(shown)}</Prefix></CommonPrefixes>`,
      );
      last = name;
    }
    const next = isTruncated ? `<NextContinuationToken>${toXml(last)}</NextContinuationToken>` : '';
    const head = `<Name>${bucket}</Name><KeyCount>${entries.size}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}`;
    return { status: 200, body: xml('ListBucketResult', head + [...entries.values()].join('')) };
  }
}

function contentOf({ bytes, etag, modified }: StoredObject, range: string | undefined): Answered {
  const headers = { ETag: etag, 'Last-Modified': modified.toUTCString(), 'Accept-Ranges': 'bytes' };
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined) return { status: 200, headers, body: bytes };
  const first = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1);
  if (first > last) return failure(416, 'InvalidRange');
  const part = { ...headers, 'Content-Range': `bytes ${first}-${last}/${bytes.length}` };
  return { status: 206, headers: part, body: bytes.subarray(first, last + 1) };
}

const contentsXml = (name: string, { bytes, etag, modified }: StoredObject) =>
  `<Contents><Key>${toXml(name)}</Key><LastModified>${modified.toISOString()}</LastModified><ETag>${toXml(etag)}</ETag><Size>${bytes.length}</Size></Contents>`;

const xml = (name: string, content: string) => `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`;

const failure = (status: number, code: string): Answered => ({
  status,
  body: xml('Error', `<Code>${code}</Code><Message>${code}</Message>`),
});

const toXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const fromXml = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
