/** Messages of the protocol, made from a seed, so that every run on every machine measures the same bytes. */
export interface Fixtures {
  delta100(): string;
  delta250(): string;
  assistant1k(): string;
  /** 100 KB of code. */
  toolResult(): string;
  /** Returns the text of a program with this many characters: one in 20 is escaped in JSON. */
  code(length: number): string;
  /** 1 KB of text in which nearly every character has 3 bytes. */
  cjk1k(): string;
  /** 100 KB of text in which nearly every character has 3 bytes. */
  cjk100k(): string;
  /** 1 KB of English with typographic punctuation and one emoji. */
  dash1k(): string;
  /** 1 KB of a European language: 1 letter in 8 has 2 bytes. */
  latin1k(): string;
  /** 2 KB of English with typographic punctuation. */
  prose2k(): string;
  /** 3 KB of code. */
  toolResult3k(): string;
  /** A control request of 300 bytes. */
  control(): string;
  /** The result of a turn, 600 bytes. */
  result(): string;
  /** Returns a line of exactly this many bytes (at least 40), without LF. */
  lineOf(bytes: number): string;
  /** The messages of a typical session: 78 % deltas, 8 % assistant, 6 % results of 3 KB, 6 % control, 2 % result. */
  mixed(): string;
}

const WORDS =
  'the agent reads a file and then writes another one while tests run in some other process quite slowly'.split(' ');

/** Makes the fixtures; the same seed gives the same bytes. */
export function createFixtures(seed = 1): Fixtures {
  let state = seed;
  // xorshift32
  const random = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  const pick = (from: readonly string[]): string => from[random(from.length)] as string;
  const fill = (length: number, piece: () => string): string => {
    let text = '';
    while (text.length < length) text += piece();
    return text.slice(0, length);
  };
  const hex = (length: number): string => fill(length, () => random(16).toString(16));
  const uuid = (): string => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
  const words = (length: number): string => fill(length, () => `${pick(WORDS)}${random(12) === 0 ? '.\n' : ' '}`);
  const cjk = (length: number): string => fill(length, () => String.fromCharCode(0x4e00 + random(0x5000)));
  const dashes = (length: number): string =>
    `${fill(length, () => `${pick(WORDS)}${pick([' ', ' ', ' — ', '’s ', '… '])}`)}😀`;
  const latin = (length: number): string =>
    fill(length, () => `${pick(['größe', 'straße', 'für', 'été', 'déjà', ...WORDS])} `);

  // Lines of random length, so that no branch predictor learns where the escapes are.
  const code = (length: number): string =>
    fill(length, () => {
      const statement =
        pick(['const ', 'return ', 'if (', 'await ', 'import ']) + words(4 + random(30)).replaceAll('\n', ' ');
      const literal = random(2) === 0 ? ` = "${pick(WORDS)}"` : `(${pick(WORDS)})`;
      return `${'  '.repeat(random(5))}${statement}${literal};\n`;
    });
  const stamp = (): string => `2026-01-0${1 + random(9)}T10:${10 + random(50)}:00.${100 + random(900)}Z`;

  const assistant = (text: string): string =>
    JSON.stringify({
      type: 'assistant',
      message: {
        id: `msg_${hex(24)}`,
        type: 'message',
        role: 'assistant',
        model: 'a-model-4-5',
        content: [{ type: 'text', text }],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: random(1000),
          cache_creation_input_tokens: random(10_000),
          cache_read_input_tokens: random(100_000),
          output_tokens: 1,
          service_tier: 'standard',
        },
        context_management: null,
      },
      parent_tool_use_id: null,
      session_id: uuid(),
      uuid: uuid(),
      timestamp: stamp(),
      request_id: `req_${hex(24)}`,
    });
  const toolResult = (length: number): string =>
    JSON.stringify({
      type: 'user',
      message: {
        role: 'user',
        content: [{ tool_use_id: `toolu_${hex(24)}`, type: 'tool_result', content: code(length) }],
      },
      parent_tool_use_id: null,
      session_id: uuid(),
      uuid: uuid(),
      timestamp: stamp(),
    });

  const fixtures: Fixtures = {
    delta100: () =>
      JSON.stringify({
        type: 'stream_event',
        event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words(6) } },
      }),
    delta250: () =>
      JSON.stringify({
        type: 'stream_event',
        event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words(12) } },
        session_id: uuid(),
        parent_tool_use_id: null,
        uuid: uuid(),
      }),
    assistant1k: () => assistant(words(420)),
    toolResult: () => toolResult(93_000),
    code,
    cjk1k: () => assistant(cjk(150)),
    cjk100k: () => assistant(cjk(34_000)),
    dash1k: () => assistant(dashes(400)),
    latin1k: () => assistant(latin(400)),
    prose2k: () => assistant(dashes(1500)),
    toolResult3k: () => toolResult(2800),
    control: () =>
      JSON.stringify({
        type: 'control_request',
        request_id: uuid(),
        request: { subtype: 'can_use_tool', input: words(150) },
      }),
    result: () =>
      JSON.stringify({
        type: 'result',
        subtype: 'success',
        result: words(400),
        session_id: uuid(),
        uuid: uuid(),
      }),
    lineOf(bytes) {
      const empty = JSON.stringify({ type: 'user', content: '' }).length;
      // No character of this text is escaped.
      return JSON.stringify({ type: 'user', content: words(bytes - empty).replaceAll('\n', ' ') });
    },
    mixed: () => {
      const kind = random(100);
      if (kind < 78) return fixtures.delta250();
      if (kind < 86) return fixtures.assistant1k();
      if (kind < 92) return toolResult(2800);
      // The control frame is created even if a result is returned, so that the random numbers, and thus the bytes of the session, do not change.
      const control = fixtures.control();
      return kind < 98 ? control : fixtures.result();
    },
  };
  return fixtures;
}

/** Returns messages whose lines together have at least the given size. */
export function messages(make: () => string, totalBytes: number): string[] {
  const made: string[] = [];
  for (let bytes = 0; bytes < totalBytes; ) {
    const message = make();
    made.push(message);
    bytes += Buffer.byteLength(message) + 1;
  }
  return made;
}

/** Returns the lines without LF, each as its own bytes. */
export function byteLines(from: readonly string[]): Uint8Array[] {
  return from.map((message) => Buffer.from(message));
}

/** Returns the lines as one stream in chunks of a size, each in its own memory like chunks of a socket or pipe. Size 0: one line per chunk. */
export function chunks(from: readonly string[], chunkBytes: number): Buffer[] {
  if (chunkBytes === 0) return from.map((message) => Buffer.from(`${message}\n`));
  const whole = Buffer.from(from.map((message) => `${message}\n`).join(''));
  const cut: Buffer[] = [];
  for (let at = 0; at < whole.length; at += chunkBytes) cut.push(Buffer.from(whole.subarray(at, at + chunkBytes)));
  return cut;
}
