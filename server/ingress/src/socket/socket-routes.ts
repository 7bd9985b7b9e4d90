import type { Clock } from '@proto/core/reconnect';
import { createServerConnection, GREETING_PARAMETER, type SocketLike } from '@proto/transport-websocket';
import type { Account } from '../auth/accounts.ts';
import { accountByToken, readerOf, sessionOf, workerOf } from '../http/authenticate.ts';
import { NotOwner } from '../forwarding/not-owner.ts';
import type { IngressContext } from '../http/ingress-context.ts';
import { cursorOf } from '../http/parameters.ts';
import { isFenced, Refusal } from '../http/refusal.ts';
import { MAX_BYTES_OF_NOBODY, type ServedSocket, type SocketContext } from './serve-link.ts';
import { serveViewer } from './viewer-socket.ts';
import { serveWorker } from './worker-socket.ts';

/** Accepts the socket of an upgraded connection. */
export type AcceptSocket = (socket: SocketLike) => AcceptedSocket;

/** The limits of a socket that was accepted. */
export type AcceptedSocket = ServedSocket;

/** Finds the route for an upgrade; returns undefined for an address that has no WebSocket. The route may reject with a `Refusal`. */
export type SocketRoutes = (request: Request) => (() => Promise<AcceptSocket>) | undefined;

const VIEWER = /^\/v1\/sessions\/ws\/([^/]+)\/subscribe$/;
const WORKER = /^\/v1\/session_ingress\/ws\/([^/]+)$/;
const [UNKNOWN_SESSION, REFUSED] = [4001, 4003];
const [FAILED, MOVED, BUSY] = [1011, 1012, 1013];
const [TOO_MANY, UNAVAILABLE] = [429, 503];

/**
 * Creates the WebSocket routes. A client that is refused permanently gets a close code, because published workers try again after any other refusal,
 * and pages cannot read the status of a refused upgrade.
 */
export function socketRoutes(context: IngressContext, sockets: SocketContext): SocketRoutes {
  const { sessions } = context;
  const viewing = async (id: string, finding: Promise<Account>) => {
    const account = await finding;
    return { account, session: await sessionOf(context, id, account) };
  };

  const viewer = async (id: string, request: Request): Promise<AcceptSocket> => {
    const isKnown =
      context.accounts.anonymous !== undefined ||
      request.headers.has('authorization') ||
      new URL(request.url).searchParams.has('ticket');
    // The token in the first frame must not be forwarded, so the connection is forwarded before its first frame.
    if (!isKnown && context.forwarding !== undefined && (await sessions.exists(id))) await sessions.find(id);
    const found = isKnown ? await closeCodeOr(viewing(id, readerOf(context, request, id))) : undefined;
    if (typeof found === 'number') return turnAway(found, sockets.clock);
    const authenticate = (token: string) =>
      closeCodeOr(viewing(id, accountByToken(context, token))).catch((error: unknown) => {
        // The upgrade is over, so the refusal becomes a close code.
        if (error instanceof Refusal) return BUSY;
        if (error instanceof NotOwner || isFenced(error)) return MOVED;
        sockets.onError(error);
        return FAILED;
      });
    const about = { authenticate, cursor: cursorOf(request, 'from_sequence_num'), greeting: greetingOf(request) };
    return (socket) => serveViewer(socket, sockets, { viewing: found, ...about });
  };

  const worker = async (id: string, request: Request): Promise<AcceptSocket> => {
    const working = async () => ({
      claims: await workerOf(context, request, id),
      session: await sessionOf(context, id),
    });
    const found = await closeCodeOr(working());
    if (typeof found === 'number') return turnAway(found, sockets.clock);
    const { claims, session } = found;
    const continues = request.headers.has('x-last-request-id');
    const greeting = greetingOf(request);
    return (socket) => serveWorker(socket, sockets, { session, token: claims.id, continues, greeting });
  };

  return (request) => {
    const { pathname } = new URL(request.url);
    const [, viewed] = VIEWER.exec(pathname) ?? [];
    if (viewed !== undefined) return () => viewer(viewed, request);
    const [, worked] = WORKER.exec(pathname) ?? [];
    return worked === undefined ? undefined : () => worker(worked, request);
  };
}

function greetingOf(request: Request): string | undefined {
  return new URL(request.url).searchParams.get(GREETING_PARAMETER) ?? undefined;
}

/** Converts a permanent refusal to a close code. A temporary refusal is still a refusal of the upgrade. */
async function closeCodeOr<Found>(finding: Promise<Found>): Promise<Found | number> {
  try {
    return await finding;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === TOO_MANY || error.status === UNAVAILABLE) throw error;
    return error.status === 404 ? UNKNOWN_SESSION : REFUSED;
  }
}

function turnAway(code: number, clock: Clock | undefined): AcceptSocket {
  const ignore = () => {};
  const nobody = { onBegin: ignore, onLines: ignore, onDelivered: ignore, place: () => 0, onEnd: ignore };
  return (socket) => {
    const link = createServerConnection(socket, { ...nobody, authenticate: async () => code }, { clock });
    link.close(code);
    return { maxMessageBytes: MAX_BYTES_OF_NOBODY, received: ignore };
  };
}
