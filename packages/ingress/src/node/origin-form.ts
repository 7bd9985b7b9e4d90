/** An address as a client writes it to a proxy, and its path. */
const ABSOLUTE = /^https?:\/\/[^/?#]*(.*)$/is;

/**
 * The path and query of the target of a request. A target may be a whole address (`GET http://name/path HTTP/1.1`), whose host nobody has
 * checked: it is dropped, so that `Host` alone says what was asked for.
 */
export function originFormOf(target: string): string {
  const [, path] = ABSOLUTE.exec(target) ?? [];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}
