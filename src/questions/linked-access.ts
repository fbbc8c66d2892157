/** Opens the repositories that are linked to the one that is asked. A server keeps them open for other questions, too. */
import type { LinkAccess } from '../session/linked/other-repositories.js';
import type { Asker } from './asker.js';

export interface OpenedLinks {
  access: LinkAccess;
  close: () => Promise<void>;
}

export async function openLinks({ server }: Pick<Asker, 'server'>): Promise<OpenedLinks> {
  if (server !== undefined) {
    const { servedLinks } = await import('../serve/served-links.js');
    return { access: servedLinks(server.projects), close: async () => {} };
  }
  const { OpenLinks } = await import('../session/linked/open-links.js');
  const access = new OpenLinks();
  return { access, close: () => access.close() };
}
