import { Hono } from 'hono';
import { checkLines } from './check-lines.mjs';

const NDJSON = 'application/x-ndjson';

/** Creates the service. The limits are in bytes: 64 KiB for a line and 64 MiB for a body by default. */
export function createService({ maxLineBytes = 64 * 1024, maxBodyBytes = 64 * 1024 * 1024, check } = {}) {
  const counts = { bytes: 0, accepted: 0, refused: 0 };
  return new Hono()
    .get('/counts', (c) => c.json(counts))
    .post('/lines', ({ req }) => {
      const type = req.header('content-type')?.split(';')[0].trim().toLowerCase();
      if (type !== NDJSON) return refusal(415, 'unsupported-media-type', `send ${NDJSON}`);
      // A body that announces its size is refused before any of it is read. Any other body is counted as it arrives.
      const length = Number(req.header('content-length') ?? 0);
      if (length > maxBodyBytes) {
        return refusal(413, 'body-too-large', `the body has ${length} bytes, and the limit is ${maxBodyBytes}`);
      }
      const { body } = req.raw;
      const lines = body?.pipeThrough(checkLines({ maxLineBytes, maxBodyBytes, counts, check })) ?? null;
      return new Response(lines, { headers: { 'content-type': NDJSON } });
    })
    .notFound(() => refusal(404, 'not-found', 'there are POST /lines and GET /counts'));
}

function refusal(status, error, message) {
  return Response.json({ error, message }, { status });
}
