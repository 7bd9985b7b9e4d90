import type { Random } from '../../schedules/random.ts';

/** The address of an odd request, and the session that it tries to reach. */
export interface OddTarget {
  /** The path of a session that the attacker may read. */
  readonly session: string;
  /** The path of a session of somebody else. */
  readonly target: string;
  readonly token: string | undefined;
  /** Marks the visible request. It stands in its request line and in a header. */
  readonly mark: string;
  /** Marks the request that is hidden in a body. */
  readonly hidden: string;
}

/** One of several values. */
export function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

const NAMES = [
  'content-length',
  'content-length',
  'content-length',
  'transfer-encoding',
  'transfer-encoding',
  'transfer-encoding',
  'authorization',
  'host',
  'origin',
  'keep-alive',
  'close',
  'upgrade',
  'te',
  'trailer',
  'x-sjp-forwarded-by',
  'x-other',
  'connection',
  '',
  ' content-length',
  'content_length',
  'content-length;q=1',
  '"content-length"',
] as const;

const CODINGS = [
  'chunked',
  'Chunked',
  ' chunked ',
  'chunked\t',
  'identity',
  'gzip, chunked',
  'chunked, identity',
  'chunked, chunked',
  'xchunked',
  '"chunked"',
  'chunked;q=1',
  '',
] as const;

/** Returns a name in another spelling. Only some spellings are still the same name. */
function respelled(random: Random, name: string): string {
  return random() < 0.5
    ? name
    : Array.from(name, (letter) => (random() < 0.5 ? letter.toUpperCase() : letter)).join('');
}

/** Chooses between the usual form of a part and its odd forms. */
type Choose = <Value>(usual: Value, odd: readonly Value[]) => Value;

/** A request that programs may read differently, with a request hidden in its body. Some are odd in one place, and some in most of their places. */
export function oddRequest(random: Random, { session, target, token, mark, hidden }: OddTarget): string {
  const oddness = oneOf(random, [0.05, 0.15, 0.4]);
  const choose: Choose = (usual, odd) => (random() < oddness ? oneOf(random, odd) : usual);
  const inner = hiddenRequest(random, target, hidden);
  const method = oneOf(random, ['GET', 'GET', 'GET', 'POST', 'HEAD', choose('DELETE', ['PUT', 'OPTIONS', 'PATCH'])]);
  const path = `${session}${choose('/events', ['', '/archive', '/tickets', '/worker/events'])}?mark=${mark}`;
  const form = choose(path, [`http://127.0.0.1${path}`, `http://elsewhere.example${path}`, `/${path}`]);
  const isChunked = random() < 0.4;
  const body = isChunked ? inChunks(random, inner, choose) : `${choose('', ['{}', '0\r\n\r\n'])}${inner}`;
  const headers = [
    `Host: ${choose('127.0.0.1', ['localhost', 'elsewhere.example'])}`,
    `X-Mark: ${mark}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
  ];
  const add = (name: string, value: string) => {
    const written = headerOf(respelled(random, name), value, choose);
    headers.splice(Math.floor(random() * (headers.length + 1)), 0, written);
  };
  const maybe = (chance: number, name: string, value: () => string) => {
    if (random() < chance) add(name, value());
  };
  const length = () => choose(String(body.length), lengthsOf(random, body.length));
  const coding = () => choose<string>('chunked', CODINGS);
  if (isChunked) add('Transfer-Encoding', coding());
  else add('Content-Length', length());
  maybe(oddness / 2, 'Transfer-Encoding', coding);
  maybe(oddness / 2, 'Content-Length', length);
  for (let n = 0; n < 2; n++) {
    maybe(0.5, 'Connection', () => {
      const names = Array.from({ length: 1 + Math.floor(random() * 3) }, () => respelled(random, oneOf(random, NAMES)));
      return names.join(choose(', ', [',', ' , ', ',\t', ',,']));
    });
  }
  maybe(oddness / 2, 'Expect', () => oneOf(random, ['100-continue', '200-ok']));
  maybe(oddness / 2, 'TE', () => 'trailers');
  maybe(oddness / 2, 'Trailer', () => 'X-Trailer');
  maybe(oddness / 2, 'Upgrade', () => oneOf(random, ['websocket', 'h2c', 'TLS/1.0']));
  maybe(oddness / 4, 'X-Sjp-Forwarded-By', () => 'somebody');
  maybe(oddness / 4, 'X-Folded', () => `1\r\n Content-Length: ${body.length}`);
  maybe(oddness / 4, 'Proxy-Connection', () => 'keep-alive, authorization');
  const end = choose('\r\n', ['\n', '\r']);
  return `${method} ${form} HTTP/${choose('1.1', ['1.0'])}${end}${headers.join(end)}${end}${end}${body}`;
}

/** A request that swallows the first line of the request after it. */
function hiddenRequest(random: Random, target: string, hidden: string): string {
  const marked = `X-Mark: ${hidden}\r\n`;
  const rest = oneOf(random, ['X-Ignored: ', `${marked}X-Ignored: `, `${marked}Content-Length: 200\r\n\r\n`]);
  return `POST ${target}/archive?mark=${hidden} HTTP/1.1\r\n${rest}`;
}

function lengthsOf(random: Random, length: number): readonly string[] {
  const other = Math.floor(random() * (length + 20));
  const spelled = [`00${length}`, `+${length}`, `-${length}`, `${length}, ${length}`, `${length} `, `${length}.0`];
  return [...spelled, `0x${length.toString(16)}`, String(other), '0', '', '18446744073709551616'];
}

function headerOf(name: string, value: string, choose: Choose): string {
  const spelled = [`${name}:${value}`, `${name}:\t${value} `, `${name} : ${value}`, `${name}\t: ${value}`];
  return choose(`${name}: ${value}`, [
    ...spelled,
    ` ${name}: ${value}`,
    `${name}:\r\n ${value}`,
    `${name}\u000b: ${value}`,
  ]);
}

function inChunks(random: Random, text: string, choose: Choose): string {
  let written = '';
  for (let at = 0; at < text.length; ) {
    const chunk = text.slice(at, at + 1 + Math.floor(random() * text.length));
    const size = choose(chunk.length.toString(16), [`0${chunk.length.toString(16)}`]);
    written += `${size}${choose('', [';x=y', ';\n', ' '])}\r\n${chunk}${choose('\r\n', ['\n', ''])}`;
    at += chunk.length;
  }
  return `${written}0\r\n${choose('\r\n', ['X-Trailer: 1\r\n\r\n', 'Content-Length: 3\r\n\r\n'])}`;
}
