import type { RequestListener, ServerResponse } from 'node:http';
import { answerFrame, type REQUEST_FRAME } from '../rpc/permission.ts';

interface Posted {
  readonly events: readonly { readonly payload: typeof REQUEST_FRAME }[];
}

/** A minimal server of sessions that is also its own worker: each posted request becomes an event on the stream. */
export function answerViewers(): RequestListener {
  let stream: ServerResponse | undefined;
  let sequence = 0;
  const eventOf = (requestId: string) => {
    const envelope = {
      event_id: `00000000-0000-4000-8000-${String(++sequence).padStart(12, '0')}`,
      sequence_num: sequence,
      event_type: 'control_response',
      source: 'worker',
      payload: answerFrame(requestId),
      created_at: '2026-01-01T00:00:00.000Z',
    };
    return `id: ${sequence}\nevent: client_event\ndata: ${JSON.stringify(envelope)}\n\n`;
  };
  return (request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      stream.write(': hello\n\n');
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { events } = JSON.parse(body) as Posted;
      response.setHeader('content-type', 'application/json').end('{}');
      stream?.write(events.map(({ payload }) => eventOf(payload.request_id)).join(''));
    });
  };
}

/** Returns the body of a POST with one message. */
export function postOf(message: object): string {
  return `{"events":[{"payload":${JSON.stringify(message)}}]}`;
}
