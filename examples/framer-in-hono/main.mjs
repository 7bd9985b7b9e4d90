// Starts the service on a free port, and sends it valid lines, invalid lines, lines that are too long, and lines whose answers the client does not
// read.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '@hono/node-server';
import { createService } from './service.mjs';

const LIMITS = { maxLineBytes: 1000, maxBodyBytes: 256 * 1024 * 1024 };
const NDJSON = { 'content-type': 'application/x-ndjson' };

const server = serve({ fetch: createService(LIMITS).fetch, hostname: '127.0.0.1', port: 0 });
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;

const parse = (answer) =>
  answer
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

async function post(body, headers = NDJSON) {
  const response = await fetch(`${url}/lines`, { method: 'POST', body, headers, duplex: 'half' });
  return { status: response.status, answer: await response.text() };
}

/** Sends one byte at a time: no piece is a whole line, and some are part of a character. */
async function* bytewise(text) {
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
}

async function whole() {
  const { status, answer } = await post('{"type":"info","text":"one"}\r\n\n{"type":"error","text":"no line end"}');
  assert.equal(status, 200);
  assert.deepEqual(parse(answer), [
    { line: 1, record: { type: 'info', text: 'one' } },
    { line: 2, record: { type: 'error', text: 'no line end' } },
  ]);
}

async function inPieces() {
  const { answer } = await post(
    ReadableStream.from(bytewise('{"type":"info","text":"ü 😀"}\n{"type":"info","text":""}\n')),
  );
  assert.deepEqual(
    parse(answer).map(({ record }) => record.text),
    ['ü 😀', ''],
  );
}

async function badLines() {
  const long = `{"type":"info","text":"${'x'.repeat(5_000_000)}"}`;
  const { answer } = await post(
    [
      '{"type":"info","text":"a"}',
      'no JSON',
      '[]',
      '{"type":"debug"}',
      '{"type":"info"}',
      long,
      '{"type":"info","text":"b"}',
    ].join('\n'),
  );
  assert.deepEqual(parse(answer), [
    { line: 1, record: { type: 'info', text: 'a' } },
    { line: 2, error: 'not-json' },
    { line: 3, error: 'not-an-object' },
    { line: 4, error: 'unknown-type' },
    { line: 5, error: 'no-text' },
    { line: 6, error: 'line-too-large', bytes: long.length, limit: 1000 },
    { line: 7, record: { type: 'info', text: 'b' } },
  ]);
}

async function badRequests() {
  const json = await post('{}', { 'content-type': 'application/json' });
  assert.deepEqual([json.status, JSON.parse(json.answer).error], [415, 'unsupported-media-type']);
  // The announced size is enough: the service answers before it has received a byte of the body.
  const outgoing = request(`${url}/lines`, { method: 'POST', headers: { ...NDJSON, 'content-length': 2 ** 40 } });
  outgoing.on('error', () => {}).flushHeaders();
  const [response] = await once(outgoing, 'response');
  assert.deepEqual([response.statusCode, JSON.parse(await text(response)).error], [413, 'body-too-large']);
  outgoing.destroy();
}

/** A client sends 64 MiB and reads nothing, so the service must stop reading. When the client reads, the whole answer arrives. */
async function backPressure() {
  const count = 1024;
  const piece = `${JSON.stringify({ type: 'info', text: 'x'.repeat(484) })}\n`.repeat(128);
  const before = (await counts()).bytes;
  const outgoing = request(`${url}/lines`, { method: 'POST', headers: NDJSON });
  for (let sent = 0; sent < count; sent++) outgoing.write(piece);
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  let taken = -1;
  for (let same = 0; same < 100; ) {
    const now = (await counts()).bytes - before;
    same = now === taken ? same + 1 : 0;
    taken = now;
  }
  assert.ok(taken < (piece.length * count) / 2, `the service has read ${taken} bytes before its client`);
  const answer = await text(response);
  assert.equal(answer.split('\n').length - 1, 128 * count);
  assert.equal((await counts()).bytes - before, piece.length * count);
}

const counts = async () => (await fetch(`${url}/counts`)).json();

/** A body without a size is counted as it arrives. The status has already been sent by then, so the last line contains the error. */
async function endlessBody() {
  const small = serve({
    fetch: createService({ maxLineBytes: 1000, maxBodyBytes: 10_000 }).fetch,
    hostname: '127.0.0.1',
    port: 0,
  });
  await once(small, 'listening');
  const outgoing = request(`http://127.0.0.1:${small.address().port}/lines`, { method: 'POST', headers: NDJSON });
  outgoing.on('error', () => {});
  const responded = once(outgoing, 'response');
  // The client never ends the body: only the service can end the exchange.
  outgoing.write('{"type":"info","text":"one"}\n'.repeat(1000));
  const [response] = await responded;
  const lines = parse(await text(response));
  assert.deepEqual({ ...lines.at(-1), line: 0 }, { line: 0, error: 'body-too-large', limit: 10_000 });
  outgoing.destroy();
  small.closeAllConnections();
  small.close();
}

try {
  for (const story of [whole, inPieces, badLines, badRequests, backPressure, endlessBody]) await story();
} finally {
  server.closeAllConnections();
  server.close();
}
console.log(
  'framer-in-hono: lines in any pieces checked, bad and long lines refused in their place, limits kept, back pressure',
);
