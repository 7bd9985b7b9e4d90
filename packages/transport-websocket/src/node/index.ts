export { type CorkableSocket, withConnection } from '../with-connection.ts';
export { DEFAULT_MAX_FRAME_BYTES, openSocket } from './open-socket.ts';
