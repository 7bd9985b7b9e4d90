import { connect } from 'node:net';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';

/** How long events take to reach the viewers that read, in milliseconds. */
export interface Latency {
  readonly p99: number;
}

const TOKEN = 'driver-token-0123456789';
const VIEWERS = 10;
const WARM_UP = 100;
// In total, the events are larger than the buffers of the sockets and of the server for a viewer that does not read.
const EVENTS = 1500;
const FILLER = 'x'.repeat(16_000);

/** Sends events one by one to viewers that read, with one additional viewer that `reads` or is `stalled`. */
export async function run([extra = '']: readonly string[]): Promise<Latency> {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const server = await listen({ log: createMemoryEventLog(), accounts });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const post = (path: string, body: object) =>
    fetch(`${server.url}/v1/code/sessions${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { session } = (await (await post('', {})).json()) as { session: { id: string } };

  let arrivals: number[] = [];
  let allArrived = () => {};
  const onFrame = () => {
    arrivals.push(performance.now());
    if (arrivals.length === VIEWERS) allArrived();
  };
  const open = (onEvent: () => void) =>
    new Promise<ReturnType<typeof connect>>((resolve, reject) => {
      const path = `/v1/code/sessions/${session.id}/events/stream`;
      const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(request));
      let rest = '';
      socket.once('error', reject).on('data', (data) => {
        rest += data.toString('latin1');
        if (rest.includes('"verdict":"ok"')) resolve(socket);
        for (let end = rest.indexOf('}\n\n'); end >= 0; end = rest.indexOf('}\n\n')) {
          if (rest.lastIndexOf('client_event', end) >= 0) onEvent();
          rest = rest.slice(end + 3);
        }
      });
    });
  const sockets = await Promise.all(Array.from({ length: VIEWERS }, () => open(onFrame)));
  const other = await open(() => {});
  if (extra === 'stalled') other.pause();

  const took: number[] = [];
  for (let n = 0; n < EVENTS; n++) {
    arrivals = [];
    const arrived = new Promise<void>((resolve) => (allArrived = resolve));
    const start = performance.now();
    const payload = { type: 'user', uuid: String(n), filler: FILLER };
    const answer = await post(`/${session.id}/events`, { events: [{ payload }] });
    await Promise.all([answer.arrayBuffer(), arrived]);
    if (n >= WARM_UP) took.push(...arrivals.map((at) => at - start));
  }
  for (const socket of [...sockets, other]) socket.destroy();
  await server.close();
  took.sort((a, b) => a - b);
  return { p99: took[Math.floor(took.length * 0.99)] as number };
}
