import type { OpenSocket } from '../socket/socket.ts';

/** Undefined, so that sockets are opened with the platform's `WebSocket`. On Node, `#open-socket` resolves to `node/open-socket.ts` instead. */
export const openSocket: OpenSocket | undefined = undefined;
