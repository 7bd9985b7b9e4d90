/** Where `sjp serve` listens unless it is told otherwise. */
export const DEFAULT_LISTEN = '127.0.0.1:4983';

/** Where a server listens. */
export interface ListenAddress {
  readonly hostname: string;
  /** 0 is a free one. */
  readonly port: number;
}

/** `HOST:PORT`, `[::1]:PORT`, or a port of this machine alone; undefined for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, bracketed, plain, digits] = /^(?:(?:\[([\da-fA-F:.]+)\]|([^:[\]\s/]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits ?? NaN);
  return port <= 65_535 ? { hostname: bracketed ?? plain ?? '127.0.0.1', port } : undefined;
}
