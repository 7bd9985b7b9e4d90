// Loaded first by the host and by the agent: makes every connection to another machine fail.
import { Socket } from 'node:net';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);
const connect = Reflect.get(Socket.prototype, 'connect');

Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const host = options?.host ?? 'localhost';
  if (options?.path === undefined && !LOOPBACK.has(host)) throw new Error(`the program tried to connect to ${host}`);
  return connect.apply(this, args);
};
