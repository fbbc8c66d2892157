/**
 * Settings of a fleet (data). They say to whom code is sent, and under which name, so only the user sets them.
 */
import { flag, text } from '../params/param.js';
import { isFleet } from './addresses.js';

export const FLEET_SETTINGS = {
  'fleet.url': {
    ...text({
      summary: 'Fleet that is published to: the address of a server, or of a store.',
      ...{ maxLength: 1_024, fits: isFleet },
      form: 'an https URL, or file:///dir, s3://bucket/folder, gs://… or az://…, without user and password',
    }),
    details: 'See [fleet](fleet.md).',
    userOnly: true as const,
  },
  'fleet.repo': {
    ...text({
      summary: 'Name of the repository in a fleet; the default is made of the address of its remote.',
      ...{ maxLength: 200, pattern: /^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u, form: 'letters, digits and "._/-"' },
    }),
    userOnly: true as const,
  },
  'fleet.family': {
    ...text({
      summary: 'Name of the repository that this one is a fork of: units are stored once for both.',
      ...{ maxLength: 200, pattern: /^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u, form: 'letters, digits and "._/-"' },
    }),
    details: 'Whoever may publish to one repository of a family can change what searches of the others propose.',
    userOnly: true as const,
  },
  'fleet.content': {
    ...flag({ summary: 'Whether a store that is published to directly keeps the text of files.', default: true }),
    details: 'Without text, answers have no excerpts. A server decides by itself.',
    userOnly: true as const,
  },
} as const;
