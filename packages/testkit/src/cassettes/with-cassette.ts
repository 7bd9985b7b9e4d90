import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Transport } from '@proto/core/transport';
import { playCassette } from './play-cassette.ts';
import { recordCassette, type RecordCassetteOptions } from './record-cassette.ts';

/** What a test gets from its cassette. */
export interface Cassette {
  /** `record` where the tape is made by this run, `play` where it answers. */
  readonly mode: 'record' | 'play';
  /** The variables of the agent. Add them to its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Wraps the transport between host and agent. Use the result in place of that transport. A tape that plays returns the transport itself. */
  wire(transport: Transport): Transport;
}

/** How a test uses its cassette. */
export interface WithCassetteOptions extends Pick<RecordCassetteOptions, 'upstream' | 'redactor' | 'fetch'> {
  /** Default: `play` where the file exists, else `record`. In CI, where `CI` is set, a missing file is an error. */
  readonly mode?: 'record' | 'play';
}

/** Thrown where a test cannot play its cassette, or asks for what the cassette does not have. */
export class CassetteError extends Error {
  override readonly name = 'CassetteError';
  readonly code: 'missing-file' | 'unknown-request';

  constructor(code: CassetteError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Runs a test with a cassette: records it where the file is missing, and plays it everywhere else, without a network and a key. A file is written when
 * the test has passed.
 * @throws {CassetteError} `missing-file`: CI makes no tapes. `unknown-request`: the agent has asked for what the tape does not have.
 */
export async function withCassette<T>(
  file: string,
  test: (cassette: Cassette) => Promise<T>,
  { mode, ...options }: WithCassetteOptions = {},
): Promise<T> {
  const chosen = mode ?? (existsSync(file) ? 'play' : 'record');
  if (chosen === 'play') return await played(file, test);
  if (mode === undefined && process.env['CI']) {
    throw new CassetteError('missing-file', `there is no cassette ${file}: record it on your machine, and commit it`);
  }
  const lines: string[] = [];
  const recorder = await recordCassette({ ...options, write: (line) => void lines.push(line) });
  let result: T;
  try {
    result = await test({ mode: 'record', env: recorder.env, wire: (transport) => recorder.record(transport) });
  } finally {
    await recorder.close();
  }
  // The file appears whole or not at all.
  writeFileSync(`${file}.part`, lines.join(''), { mode: 0o600 });
  renameSync(`${file}.part`, file);
  return result;
}

async function played<T>(file: string, test: (cassette: Cassette) => Promise<T>): Promise<T> {
  const player = await playCassette(readFileSync(file, 'utf8'));
  try {
    const result = await test({ mode: 'play', env: player.env, wire: (transport) => transport });
    const [miss] = player.misses;
    if (miss !== undefined) throw new CassetteError('unknown-request', `request ${miss.number}: ${miss.message}`);
    return result;
  } finally {
    await player.close();
  }
}
