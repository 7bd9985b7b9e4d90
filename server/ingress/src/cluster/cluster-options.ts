/** How a server shares the sessions of a store with other servers. */
export interface ClusterOptions {
  /** The address under which the other nodes reach this node, such as `http://10.0.0.7:8080`. Clients do not need to reach this address. */
  readonly url: string;
  /**
   * How long a claim is valid after each renewal, in milliseconds. If a node dies, the other nodes cannot take over its sessions before this time has
   * passed. A node that could not renew its claims during this time stops serving their sessions. All nodes must have the same value. Default 10 s.
   */
  readonly ttlMs?: number | undefined;
  /**
   * Sends a request to the node that owns its session, at the address in the request, and rejects if that node cannot be reached. The function must
   * keep the `Host` header, so Node's `fetch` cannot be used. Required for `createIngress`. Not needed for `listen`, which forwards requests itself.
   */
  readonly forward?: ((request: Request) => Promise<Response>) | undefined;
  /** The name of this run of the node. No two runs may have the same name. Default: a random name. */
  readonly run?: string | undefined;
  /** A clock that never goes back, in milliseconds. Default: the clock of this process. */
  readonly monotonic?: (() => number) | undefined;
}

/** The defaults of `ClusterOptions`, in milliseconds. */
export const clusterDefaults = { ttlMs: 10_000 } as const;

/** The name of this run of a node. Another run of the same node has another name, because late writes of the earlier run must be fenced. */
export function nodeName({ url, run = crypto.randomUUID() }: ClusterOptions): string {
  return `${run}@${originOf(url)}`;
}

/** Returns the address contained in the name of a node. */
export function urlOfNode(name: string): string {
  return name.slice(name.indexOf('@') + 1);
}

/**
 * The address of a node, without a path.
 * @throws {TypeError} for an address that is not of the form `http://HOST:PORT`.
 */
export function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = parsed !== undefined && parsed.href === `${parsed.origin}/`;
  if (!isPlain || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new TypeError('cluster: the address of a node must be http://HOST:PORT or https://HOST:PORT, without a path');
  }
  return parsed.origin;
}
