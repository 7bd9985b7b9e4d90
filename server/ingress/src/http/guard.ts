import { Refusal } from './refusal.ts';

/** The host names of a server, and the web pages that may use it. */
export interface GuardOptions {
  /** Host names of the server, each with or without a port. Default: `127.0.0.1`, `localhost` and `[::1]`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Origins of pages that may use the server, such as `https://app.example`. Pages of the server's own origin may always use the server. Default:
   * none.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** The headers of every answer. These headers keep the answer out of caches, and stop browsers from guessing its type. */
export const SAFE_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;

/** The result of the guard for a request that may be answered. */
export interface Guarded {
  /** The host of the request, with its port if there is one. Use only this value, because this value was checked. */
  readonly host: string;
  /** The headers of the answer that let a page of an allowed origin read it. */
  readonly cors: Readonly<Record<string, string>>;
}

/** The parts of a request that the guard checks. A `Request` has all of these members. */
export interface GuardedRequest {
  readonly headers: Pick<Headers, 'get'>;
  readonly url: string;
}

/** Checks the host and the origin of a request. @throws {Refusal} for a request that must not be answered. */
export type Guard = (request: GuardedRequest) => Guarded;

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** A name or an address, with or without a port. A user, a path, a second host and a dot at the end are not allowed. */
const HOST = /^((?:[a-z0-9_-]+\.)*[a-z0-9_-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * Creates the guard, which refuses requests that a foreign page makes a browser send. Such a request has a foreign `Origin`, or a foreign `Host`:
 * a name that an attacker has rebound to this address (DNS rebinding). `X-Forwarded-*` and `Forwarded` are ignored, because any client can send them.
 */
export function createGuard({ allowedHosts = LOOPBACK, allowedOrigins = [] }: GuardOptions): Guard {
  const allowed = allowedHosts.map((name) => name.toLowerCase());
  return (request) => {
    const host = hostOf(request);
    const [, name] = HOST.exec(host) ?? [];
    if (name === undefined || !(allowed.includes(host) || allowed.includes(name))) {
      throw new Refusal(403, 'permission_error', 'the server does not accept the host name in the request', {
        details: { resource: 'host' },
      });
    }
    const origin = request.headers.get('origin');
    // Requests for embedded content have no `Origin`, but `Sec-Fetch-Site` shows their origin.
    const isEmbedded = ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '');
    if (origin === null && isEmbedded) throw foreignPage();
    if (origin === null || isOwn(origin, host)) return { host, cors: {} };
    if (!allowedOrigins.includes(origin)) throw foreignPage();
    const cors = {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'authorization, content-type, last-event-id, anthropic-client-platform',
      'access-control-allow-methods': 'GET, POST, PUT',
      'access-control-expose-headers': 'retry-after, x-ccr-conflict-reason',
      vary: 'origin',
    };
    return { host, cors };
  };
}

/** Whether an origin is the server's own origin. A browser omits the default port of a scheme, but a proxy may include this port. */
function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host.replace(/:80$/, '')}` || origin === `https://${host.replace(/:443$/, '')}`;
}

/** Returns the host of a request. If the `Host` header is missing, as in Bun and Deno, the URL contains the host. */
function hostOf(request: GuardedRequest): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
}

function foreignPage(): Refusal {
  return new Refusal(403, 'permission_error', 'web pages of this origin are not allowed to use this server', {
    details: { resource: 'origin' },
  });
}
