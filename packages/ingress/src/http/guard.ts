import { Refusal } from './refusal.ts';

/** Whom a server takes itself to be, and whose pages may talk to it. */
export interface GuardOptions {
  /** Names by which the server is reached, each with or without a port. Default: the names of this machine alone. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of pages that may use it, such as `https://app.example`. Pages of the server's own origin always may. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** What is known of a request that may be answered. */
export interface Guarded {
  /** The name by which the client reached the server, with the port if it named one: the value that was checked, and the only one to use. */
  readonly host: string;
  /** The headers that let a page of an allowed origin read the answer. */
  readonly cors: Readonly<Record<string, string>>;
}

/** Looks at the host and the origin of a request; throws a `Refusal` of what must not be answered. */
export type Guard = (request: Request) => Guarded;

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** A name or an address, and a port: no user, no path, no second host, no dot at the end. */
const HOST = /^((?:[a-z0-9_-]+\.)*[a-z0-9_-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * Refuses what a page of somebody else makes a browser send: a foreign `Host` is a name that was rebound to this address, a foreign
 * `Origin` a page without our leave. `X-Forwarded-*` and `Forwarded` count for nothing: anybody can send them.
 */
export function createGuard({ allowedHosts = LOOPBACK, allowedOrigins = [] }: GuardOptions): Guard {
  const allowed = allowedHosts.map((name) => name.toLowerCase());
  return (request) => {
    const host = hostOf(request);
    const [, name] = HOST.exec(host) ?? [];
    if (name === undefined || !(allowed.includes(host) || allowed.includes(name))) {
      throw new Refusal(403, 'permission_error', 'this server has another name', { details: { resource: 'host' } });
    }
    const origin = request.headers.get('origin');
    // What a page embeds comes without its origin, but not without word that it is a page's.
    const isEmbedded = ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '');
    if (origin === null && isEmbedded) throw foreignPage();
    // A browser leaves out the port that a scheme has by itself; a proxy may not.
    const own = [`http://${host.replace(/:80$/, '')}`, `https://${host.replace(/:443$/, '')}`];
    if (origin === null || own.includes(origin)) return { host, cors: {} };
    if (!allowedOrigins.includes(origin)) throw foreignPage();
    const cors = {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'authorization, content-type, last-event-id, anthropic-client-platform',
      'access-control-allow-methods': 'GET, POST',
      'access-control-expose-headers': 'retry-after',
      vary: 'origin',
    };
    return { host, cors };
  };
}

/** Which host was asked for. The address of a request that has no `Host` is what its server made of it, as in Bun and Deno. */
function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
}

function foreignPage(): Refusal {
  return new Refusal(403, 'permission_error', 'pages of this origin may not', { details: { resource: 'origin' } });
}
