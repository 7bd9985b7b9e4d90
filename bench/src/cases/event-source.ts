import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFixtures } from '../fixtures.ts';

const EVENTS_PER_WRITE = 64;

/** Writes this many megabytes of messages to each event stream, as fast as the stream accepts them. Reports its port to its parent. */
export async function run([megabytes = '']: readonly string[]): Promise<void> {
  const payload = createFixtures().assistant1k();
  const count = Math.round((Number(megabytes) * 1e6) / payload.length);
  const server = createServer((_, response) => void writeEvents(response, count, payload));
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
}

async function writeEvents(response: ServerResponse, count: number, payload: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
  for (let sequence = 1; sequence <= count && !response.destroyed; ) {
    let text = '';
    for (let n = 0; n < EVENTS_PER_WRITE && sequence <= count; n++) text += eventOf(sequence++, payload);
    if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
}

function eventOf(sequence: number, payload: string): string {
  const id = `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
  const envelope = `{"event_id":"${id}","sequence_num":${sequence},"event_type":"assistant","source":"worker","payload":${payload}}`;
  return `id: ${sequence}\nevent: client_event\ndata: ${envelope}\n\n`;
}
