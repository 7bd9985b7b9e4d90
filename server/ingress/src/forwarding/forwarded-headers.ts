/** The headers that determine where a message ends. A node writes these headers itself on each of its connections. */
const FRAMING = ['content-length', 'transfer-encoding', 'trailer'];
const HEADERS_OF_ONE_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'expect'];
/**
 * Other headers that a node checks. If `Connection` named such a header, the header would be removed between the check and the node that owns the
 * session.
 */
const CHECKED = /^(?:host|authorization|origin|cookie|last-event-id|accept|content-.*|sec-.*|x-sjp-.*|anthropic-.*)$/;

type WrittenHeader = readonly [name: string, value: string];

/**
 * Whether a `Connection` header names a header that the checks depend on. According to RFC 9110, section 7.6.1, the named headers are dropped before
 * the request is forwarded, so the next node would read a request that differs from the checked request.
 */
export function namesChecked(connection: string): boolean {
  return namesIn(connection).some((name) => FRAMING.includes(name) || CHECKED.test(name));
}

/** The headers of a request for another node, without the framing headers, which the sending node writes itself. */
export function requestHeaders(raw: readonly string[]): string[] {
  return kept(pairsOf(raw), FRAMING).flat();
}

/** The headers of an answer for the client. `Content-Length` stays, because the client may need it before the body. */
export function answerHeaders(raw: readonly string[]): string[] {
  return kept(pairsOf(raw), ['transfer-encoding', 'trailer']).flat();
}

/** Like `requestHeaders`, but for the headers of a `Request`. */
export function requestHeadersOf(headers: Headers): Headers {
  return new Headers(kept([...headers], FRAMING).map(([name, value]) => [name, value]));
}

/** The head of an answer as text, with the headers exactly as they arrived. */
export function headText(line: string, raw: readonly string[]): string {
  return [line, ...pairsOf(raw).map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}

function kept(pairs: readonly WrittenHeader[], dropped: readonly string[]): readonly WrittenHeader[] {
  const named = pairs.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? namesIn(value) : []));
  const left = new Set([...HEADERS_OF_ONE_CONNECTION, ...named, ...dropped]);
  return pairs.filter(([name]) => !left.has(name.toLowerCase()));
}

function pairsOf(raw: readonly string[]): readonly WrittenHeader[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);
}

function namesIn(value: string): readonly string[] {
  return value.split(',').map((name) => name.trim().toLowerCase());
}
