import type { OpenSocket } from '../socket/socket.ts';

/** How a socket is opened where the platform has a `WebSocket`: with that one. On Node, `#open-socket` is `node/open-socket.ts` instead. */
export const openSocket: OpenSocket | undefined = undefined;
