// A Worker that checks NDJSON while it arrives: `POST /lines` answers each line with one line. It uses web standards and the framer, and no Node
// modules.
import { createLineDecoder, encodeLine, parseLine } from '@proto/core/framing';

const NDJSON = 'application/x-ndjson';

export default {
  /** `env` may have `MAX_LINE_BYTES` (64 KiB by default) and `MAX_BODY_BYTES` (16 MiB by default). */
  async fetch(request, env = {}) {
    const { pathname } = new URL(request.url);
    if (pathname !== '/lines') return refusal(404, 'not-found', 'there is POST /lines');
    if (request.method !== 'POST') return refusal(405, 'method-not-allowed', 'send a POST', { allow: 'POST' });
    const type = request.headers.get('content-type')?.split(';')[0].trim().toLowerCase();
    if (type !== NDJSON) return refusal(415, 'unsupported-media-type', `send ${NDJSON}`);
    const limits = {
      maxLineBytes: Number(env.MAX_LINE_BYTES ?? 64 * 1024),
      maxBodyBytes: Number(env.MAX_BODY_BYTES ?? 16 * 1024 * 1024),
    };
    const length = Number(request.headers.get('content-length') ?? 0);
    if (length > limits.maxBodyBytes) {
      return refusal(413, 'body-too-large', `the body has ${length} bytes, and the limit is ${limits.maxBodyBytes}`);
    }
    const lines = request.body?.pipeThrough(checkLines(limits)) ?? null;
    return new Response(lines, { headers: { 'content-type': NDJSON } });
  },
};

function refusal(status, error, message, headers = {}) {
  return Response.json({ error, message }, { status, headers });
}

/** Creates a stream from NDJSON bytes to one line for each line. While nobody reads its output, it accepts no more input. */
function checkLines({ maxLineBytes, maxBodyBytes }) {
  const decoder = createLineDecoder({ maxLineBytes });
  const encoder = new TextEncoder();
  let line = 0;
  let bytes = 0;

  function answer(item) {
    line++;
    if (typeof item !== 'string') {
      return encodeLine({ line, error: 'line-too-large', bytes: item.bytes, limit: item.limit });
    }
    const { message, malformed } = parseLine(item);
    return encodeLine(message === undefined ? { line, error: malformed } : { line, type: message.type });
  }
  const put = (controller, items) => {
    if (items.length > 0) controller.enqueue(encoder.encode(items.map(answer).join('')));
  };

  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) return put(controller, decoder.push(chunk));
      controller.enqueue(encoder.encode(encodeLine({ line: line + 1, error: 'body-too-large', limit: maxBodyBytes })));
      return controller.terminate();
    },
    flush: (controller) => put(controller, decoder.end()),
  });
}
