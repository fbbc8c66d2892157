/** Shows how far a first index is, and has the editor ask again when it is done. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { log } from '../base/log.js';
import type { Project } from '../serve/project.js';
import type { Workspace } from './workspace.js';

/** Time between two looks at a running index, in ms. */
const LOOK_EVERY = 500;
const TOKEN = 'git-socraticode/index';

/** Starts indexing each repository of the workspace; tells the editor what it is able to show. */
export async function reportIndexing(
  connection: MessageConnection,
  workspace: Workspace,
  wants: { progress: boolean; refresh: boolean },
): Promise<void> {
  try {
    const projects = await workspace.opened();
    await Promise.all(projects.map((project) => project.background.warm()));
    if (!projects.some(isBusy)) return;
    const token = wants.progress ? TOKEN : null;
    if (token !== null) {
      await connection.sendRequest('window/workDoneProgress/create', { token });
      await tell(connection, { kind: 'begin', title: 'Indexing', cancellable: false });
    }
    for (let busy = projects.filter(isBusy); busy.length > 0; busy = busy.filter(isBusy)) {
      if (token !== null) await tell(connection, { kind: 'report', message: stateOf(busy[0]) });
      await sleep(LOOK_EVERY, undefined, { ref: false });
    }
    if (token !== null) await tell(connection, { kind: 'end' });
    if (wants.refresh) await connection.sendRequest('workspace/codeLens/refresh');
  } catch (error) {
    log.debug(`lsp: progress: ${(error as Error).message}`);
  }
}

const isBusy = ({ background }: Project): boolean => background.isBusy;

const tell = (connection: MessageConnection, value: object): Promise<void> =>
  connection.sendNotification('$/progress', { token: TOKEN, value });

function stateOf({ indexing }: Project): string {
  if (indexing === null) return 'linking';
  const { done, total } = indexing;
  return total === null ? `${done} files` : `${done} of ${total} files`;
}
