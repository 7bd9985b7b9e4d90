import { Refusal } from './refusal.ts';

/** Whom a server takes itself to be, and whose pages may talk to it. */
export interface GuardOptions {
  /** Names by which the server is reached, each with or without a port. Default: the names of this machine alone. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of pages that may use it, such as `https://app.example`. Pages of the server's own origin always may. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** Gives the headers that let a page of an allowed origin read the answer; throws a `Refusal` of what must not be answered. */
export type Guard = (request: Request) => Readonly<Record<string, string>>;

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Refuses what a page of somebody else makes a browser send: a foreign `Host` is a name that was rebound to this address, a foreign
 * `Origin` a page without our leave.
 */
export function createGuard({ allowedHosts = LOOPBACK, allowedOrigins = [] }: GuardOptions): Guard {
  return (request) => {
    const host = request.headers.get('host') ?? new URL(request.url).host;
    if (!allowedHosts.includes(host) && !allowedHosts.includes(host.replace(/:\d+$/, ''))) {
      throw new Refusal(403, 'permission_error', 'this server has another name', { details: { resource: 'host' } });
    }
    const origin = request.headers.get('origin');
    // What a page embeds comes without its origin, but not without word that it is a page's.
    const isEmbedded = ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '');
    if (origin === null && isEmbedded) throw foreignPage();
    // A browser leaves out the port that a scheme has by itself; a proxy may not.
    const own = [`http://${host.replace(/:80$/, '')}`, `https://${host.replace(/:443$/, '')}`];
    if (origin === null || own.includes(origin)) return {};
    if (!allowedOrigins.includes(origin)) throw foreignPage();
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'authorization, content-type, last-event-id, anthropic-client-platform',
      'access-control-allow-methods': 'GET, POST',
      'access-control-expose-headers': 'retry-after',
      vary: 'origin',
    };
  };
}

function foreignPage(): Refusal {
  return new Refusal(403, 'permission_error', 'pages of this origin may not', { details: { resource: 'origin' } });
}
