import { createLogLink, type SocketLike } from '@proto/transport-websocket';
import type { Account } from '../auth/accounts.ts';
import { accountByToken, readerOf, sessionOf, workerOf } from '../http/authenticate.ts';
import type { IngressContext } from '../http/ingress-context.ts';
import { cursorOf } from '../http/parameters.ts';
import { Refusal } from '../http/refusal.ts';
import { MAX_BYTES_OF_NOBODY, type ServedSocket, type SocketContext } from './serve-link.ts';
import { serveViewer } from './viewer-socket.ts';
import { serveWorker } from './worker-socket.ts';

/** Takes the socket of an upgraded connection. */
export type AcceptSocket = (socket: SocketLike) => AcceptedSocket;

/** What is known of a socket that was taken. */
export type AcceptedSocket = ServedSocket;

/** Finds what takes the socket of an upgrade, and may reject with a `Refusal` of it; undefined where the address is none of these. */
export type SocketRoutes = (request: Request) => (() => Promise<AcceptSocket>) | undefined;

const VIEWER = /^\/v1\/sessions\/ws\/([^/]+)\/subscribe$/;
const WORKER = /^\/v1\/session_ingress\/ws\/([^/]+)$/;
const [UNKNOWN_SESSION, REFUSED] = [4001, 4003];
const [FAILED, BUSY] = [1011, 1013];
const [TOO_MANY, UNAVAILABLE] = [429, 503];

/**
 * The WebSockets of sessions. Whom the server does not want is told by a close code: published workers come back after any other
 * refusal, and pages do not learn the status of one.
 */
export function socketRoutes(context: IngressContext, sockets: SocketContext): SocketRoutes {
  const viewing = async (id: string, finding: Promise<Account>) => {
    const account = await finding;
    return { account, session: await sessionOf(context, id, account) };
  };

  const viewer = async (id: string, request: Request): Promise<AcceptSocket> => {
    const isKnown =
      context.accounts.anonymous !== undefined ||
      request.headers.has('authorization') ||
      new URL(request.url).searchParams.has('ticket');
    const found = isKnown ? await closeCodeOr(viewing(id, readerOf(context, request, id))) : undefined;
    if (typeof found === 'number') return turnAway(found);
    const authenticate = (token: string) =>
      closeCodeOr(viewing(id, accountByToken(context, token))).catch((error: unknown) => {
        // There is no status any more to say it with.
        if (error instanceof Refusal) return BUSY;
        sockets.onError(error);
        return FAILED;
      });
    return (socket) => serveViewer(socket, sockets, { viewing: found, authenticate, cursor: cursorOf(request) });
  };

  const worker = async (id: string, request: Request): Promise<AcceptSocket> => {
    const found = await closeCodeOr(
      workerOf(context, request, id).then(async (claims) => ({ claims, session: await sessionOf(context, id) })),
    );
    if (typeof found === 'number') return turnAway(found);
    const { claims, session } = found;
    const continues = request.headers.has('x-last-request-id');
    return (socket) => serveWorker(socket, sockets, { session, token: claims.id, continues });
  };

  return (request) => {
    const { pathname } = new URL(request.url);
    const [, viewed] = VIEWER.exec(pathname) ?? [];
    if (viewed !== undefined) return () => viewer(viewed, request);
    const [, worked] = WORKER.exec(pathname) ?? [];
    return worked === undefined ? undefined : () => worker(worked, request);
  };
}

/** The close code in place of what would be refused for good; what is in trouble for now is a refusal of the upgrade. */
async function closeCodeOr<Found>(finding: Promise<Found>): Promise<Found | number> {
  try {
    return await finding;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === TOO_MANY || error.status === UNAVAILABLE) throw error;
    return error.status === 404 ? UNKNOWN_SESSION : REFUSED;
  }
}

function turnAway(code: number): AcceptSocket {
  const ignore = () => {};
  const nobody = { onBegin: ignore, onLines: ignore, onProof: ignore, place: () => 0, onEnd: ignore };
  return (socket) => {
    const link = createLogLink(socket, { ...nobody, authenticate: async () => code });
    link.close(code);
    return { maxMessageBytes: MAX_BYTES_OF_NOBODY, received: ignore };
  };
}
