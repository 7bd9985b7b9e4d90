export { DEFAULT_MAX_FRAME_BYTES, openSocket } from './open-socket.ts';
