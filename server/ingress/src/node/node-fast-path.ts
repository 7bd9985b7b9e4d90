import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerPost, PostRequest } from '../posts/answer-post.ts';
import type { ForwardRequest } from '../forwarding/forward-request.ts';
import { chunksOf, drainBody } from './incoming-body.ts';

const USUAL_ADDRESS = /^\/v1\/code\/sessions\/(cse_[A-Za-z0-9_-]{1,128})\/(worker\/)?events$/;
const USUAL_HOST = /^[a-z0-9._-]+(?::\d{1,4})?$|^[a-z0-9._-]+:[1-5]\d{4}$/;

/** The functions that answer a POST here or forward it to another node. */
export interface NodeFastPath {
  readonly answerPost: AnswerPost;
  readonly forward: ForwardRequest;
}

/**
 * Reads a POST of messages and writes its answer without the web classes `Request` and `Response`, which cost several times as much as all other work
 * for one message. Nothing else differs: `answerPost` also answers the POSTs that the app receives. Returns false for any other request, and for an
 * address or a host in an unusual form. The app handles such requests.
 */
export function takeFastPath(
  { answerPost, forward }: NodeFastPath,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): boolean {
  if (incoming.method !== 'POST') return false;
  const [, session, worker] = USUAL_ADDRESS.exec(incoming.url ?? '') ?? [];
  const headers = { get: (name: string) => headerOf(incoming.rawHeaders, name) };
  const host = headers.get('host') ?? '';
  if (session === undefined || !USUAL_HOST.test(host)) return false;
  const from = worker === undefined ? 'client' : 'worker';
  const request: PostRequest = {
    from,
    session,
    path: incoming.url ?? '',
    headers,
    url: `http://${host}${incoming.url}`,
    body: chunksOf(incoming),
    forward: (to) => forward(incoming, outgoing, to),
  };
  void answerPost(request).then((answer) => {
    const { status, headers: said, body } = answer;
    if (body === undefined) return;
    outgoing.writeHead(status, { ...said, 'content-length': Buffer.byteLength(body) });
    if (incoming.readableEnded) return void outgoing.end(body);
    outgoing.write(body);
    drainBody(incoming, () => outgoing.end());
  });
  return true;
}

/**
 * Returns the value of a header, joined if it occurs several times, as a `Headers` object would return it; null if the header is missing. Names are
 * in lower case.
 */
function headerOf(raw: readonly string[], name: string): string | null {
  let found: string | null = null;
  for (let at = 0; at < raw.length; at += 2) {
    const said = raw[at] as string;
    if (said.length !== name.length || said.toLowerCase() !== name) continue;
    const value = (raw[at + 1] as string).trim();
    found = found === null ? value : `${found}, ${value}`;
  }
  return found;
}
