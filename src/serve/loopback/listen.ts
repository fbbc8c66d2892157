/** Listening on 127.0.0.1, where only programs of this machine connect. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';

export const HOST = '127.0.0.1';
export const MAX_PORT = 65_535;

/** Checks for slow requests during the time that headers may take; Node's own are 30 seconds apart. */
const LOOKS = 4;

/** Options of a server that cuts slow clients off: after so many milliseconds for the headers, and for a whole request. */
export const cutOff = ({ headers, body }: { headers: number; body: number }) => ({
  headersTimeout: headers,
  requestTimeout: body,
  connectionsCheckingInterval: headers / LOOKS,
});

/** Starts listening; resolves to the port, for 0 a free one. Rejects with BAD_ARGUMENT, which says `hint`. */
export function listen(server: Server, port: number, hint: string): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT)
    throw new SocraticodeError('BAD_ARGUMENT', `${port} is no port; it takes a number from 0 to ${MAX_PORT}`);
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `can't be had (${error.code})`;
      reject(new SocraticodeError('BAD_ARGUMENT', `port ${port} of ${HOST} ${why}`, { hint, cause: error }));
    };
    server.once('error', fail);
    server.listen(port, HOST, () => {
      server.off('error', fail);
      // Later errors concern single connections (too many open files), so the server goes on.
      server.on('error', ({ message }) => log.warn(`server: ${message}`));
      resolve((server.address() as AddressInfo).port);
    });
  });
}
