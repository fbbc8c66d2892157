/** `lsp`, `web`, `serve`: servers, which the command line runs since they need layers above questions. */
import { choice, flag, integer, text, type Values } from '../../params/param.js';
import { defineQuestion, NO_DOCUMENT } from '../question.js';

const lspParams = {
  stdio: flag({
    summary: 'use stdin and stdout, which is the only way; accepted because some editors add this option',
  }),
} as const;

export const lsp = defineQuestion({
  ...NO_DOCUMENT,
  name: 'lsp',
  summary: 'answer an editor over the Language Server Protocol: definitions, references, callers, tests',
  effect: 'writes',
  params: lspParams,
  command: {
    group: 'Follow code',
    json: false,
    examples: [
      ['lsp', 'serve an editor over stdin and stdout; docs/editors.md has the settings of editors'],
      ['lsp --stdio', 'the same, for editors that add this option'],
    ],
    isRunByFrontEnd: true,
  },
});

const webParams = {
  port: integer({
    summary: 'port of 127.0.0.1 to serve on; 0 takes a free one',
    min: 0,
    max: 65_535,
    defaultText: '7434, or a free one if that is in use',
    cli: { value: 'port' },
  }),
  noOpen: flag({ summary: 'print the address, and open no browser' }),
  idle: integer({
    summary: 'minutes without a request after which the server ends',
    min: 1,
    max: 10_080,
    default: 60,
    cli: { value: 'minutes' },
  }),
} as const;

export type WebValues = Values<typeof webParams>;

export const web = defineQuestion({
  ...NO_DOCUMENT,
  name: 'web',
  summary: 'browse and search the repository in a web page of this machine',
  effect: 'reads',
  params: webParams,
  command: {
    group: 'Find code',
    json: false,
    examples: [
      ['web', 'open the page in your browser; Ctrl-C ends the server'],
      ['web --no-open --port 8080', 'print its address, for another browser or a tunnel'],
    ],
    isRunByFrontEnd: true,
  },
});

const serveParams = {
  fleet: text({
    summary: 'where the fleet lies: file:///srv/fleet, or a bucket such as s3://bucket/fleet',
    defaultText: 'the setting fleet.url',
    minLength: 1,
    maxLength: 1_024,
    cli: { value: 'uri' },
  }),
  listen: text({
    summary: 'address and port to listen on; port 0 takes a free one',
    default: '127.0.0.1:7435',
    minLength: 1,
    maxLength: 300,
    cli: { value: 'host:port' },
  }),
  tokens: text({
    summary: 'file of token hashes with the repositories that each may read and publish',
    minLength: 1,
    completes: 'directory',
    cli: { value: 'file' },
  }),
  authorize: text({
    summary: 'URL that is asked with a token for the repositories that it may read and publish',
    minLength: 1,
    maxLength: 1_024,
    cli: { value: 'url' },
  }),
  maintain: choice(['auto', 'off', 'only'], {
    summary: 'look after the store besides answering, not at all, or instead',
    default: 'auto',
    cli: { value: 'when' },
  }),
  noText: flag({ summary: 'keep no text of published files: results then have places without lines' }),
} as const;

export type ServeValues = Values<typeof serveParams>;

export const serve = defineQuestion({
  ...NO_DOCUMENT,
  name: 'serve',
  summary: 'answer questions about many repositories for everyone with a token, and take publications',
  effect: 'writes',
  params: serveParams,
  command: {
    group: 'Share',
    json: false,
    examples: [
      ['serve --fleet file:///srv/fleet', 'for this machine alone'],
      ['serve --fleet s3://bucket/fleet --listen 0.0.0.0:7435 --tokens /etc/fleet/tokens.json', 'for a company'],
    ],
    isRunByFrontEnd: true,
  },
});

export const questions = [lsp, web, serve];
