/** `serve`: a server over a fleet. The command line runs it, since it answers agents, which is a layer above questions. */
import { choice, flag, text, type Values } from '../../params/param.js';
import { defineQuestion, NO_DOCUMENT } from '../question.js';

const params = {
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

export type ServeValues = Values<typeof params>;

export const question = defineQuestion({
  ...NO_DOCUMENT,
  name: 'serve',
  summary: 'answer questions about many repositories for everyone with a token, and take publications',
  effect: 'writes',
  params,
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
