/** A request that has arrived at a listener, byte for byte. */
export interface ParsedRequest {
  readonly line: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The parsed bytes of a connection: complete requests, and why the bytes after them are not the start of a request. */
export interface ParsedRequests {
  readonly requests: readonly ParsedRequest[];
  readonly fault: string | undefined;
}

const LINE = /^[A-Z]+ \/\S* HTTP\/1\.1$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([^\r\n]*)$/;

/**
 * Parses the bytes of a connection as strictly as RFC 9112 allows: one framing for each request, chunks without extensions and trailers. It shares no code
 * with Node, so it can disagree with the parser of the server.
 */
export function parseRequests(bytes: string): ParsedRequests {
  const requests: ParsedRequest[] = [];
  for (let rest = bytes; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { requests, fault: undefined };
    const [line = '', ...written] = rest.slice(0, end).split('\r\n');
    if (!LINE.test(line)) return { requests, fault: `not a request line: ${JSON.stringify(line.slice(0, 80))}` };
    const headers: [string, string][] = [];
    for (const header of written) {
      const [, name, value] = HEADER.exec(header) ?? [];
      if (name === undefined || value === undefined)
        return { requests, fault: `not a header: ${JSON.stringify(header)}` };
      headers.push([name.toLowerCase(), value]);
    }
    const body = bodyOf(headers, rest.slice(end + 4));
    if (typeof body === 'string') return { requests, fault: body };
    if (body === undefined) return { requests, fault: undefined };
    requests.push({ line, headers, body: body.text });
    rest = rest.slice(end + 4 + body.length);
  }
  return { requests, fault: undefined };
}

/** The body at the start of a text, and its length with its framing; undefined while it is incomplete; a fault as text. */
function bodyOf(headers: readonly [string, string][], text: string) {
  const [lengths, codings] = ['content-length', 'transfer-encoding'].map((wanted) =>
    headers.flatMap(([name, value]) => (name === wanted ? [value] : [])),
  ) as [string[], string[]];
  if (lengths.length + codings.length > 1) return `${lengths.length + codings.length} headers of framing`;
  const [length = '0'] = lengths;
  if (!/^(?:0|[1-9]\d*)$/.test(length)) return `a length of ${JSON.stringify(length)}`;
  if (codings.length === 0) {
    const size = Number(length);
    return text.length < size ? undefined : { text: text.slice(0, size), length: size };
  }
  return codings[0] === 'chunked' ? chunksOf(text) : `a coding of ${JSON.stringify(codings[0])}`;
}

function chunksOf(text: string) {
  let body = '';
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const written = text.slice(at, end);
    if (!/^[0-9a-f]+$/i.test(written)) return `a chunk of size ${JSON.stringify(written.slice(0, 40))}`;
    const size = Number.parseInt(written, 16);
    const after = end + 2 + size;
    if (text.length < after + 2) return undefined;
    if (text.slice(after, after + 2) !== '\r\n') return size === 0 ? 'a trailer' : 'a chunk without a line end';
    if (size === 0) return { text: body, length: after + 2 };
    body += text.slice(end + 2, after);
    at = after + 2;
  }
}
