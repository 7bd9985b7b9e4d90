import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Transport } from '@proto/core/transport';
import type { CassetteMiss } from './api-tape.ts';
import { CassetteError } from './cassette-error.ts';
import { playCassette } from './play-cassette.ts';
import { recordCassette, type RecordCassetteOptions } from './record-cassette.ts';

/** The cassette that a test uses. */
export interface Cassette {
  /** `record` if this run records the cassette, `play` if the cassette answers the requests. */
  readonly mode: 'record' | 'play';
  /** The variables for the agent. Add these variables to the agent's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Wraps the transport between host and agent. Use the result in place of that transport. In `play` mode, the result is the transport itself. */
  wire(transport: Transport): Transport;
}

/** How a test uses its cassette. */
export interface WithCassetteOptions extends Pick<RecordCassetteOptions, 'upstream' | 'redactor' | 'fetch' | 'launch'> {
  /**
   * Whether to play or to record. Default: `play` if the file exists, otherwise `record`. If the variable `CI` is set, a missing file is an error.
   */
  readonly mode?: 'record' | 'play';
}

/**
 * Runs a test with a cassette. If the file is missing, a cassette is recorded, and is written when the test has passed. Otherwise the cassette is
 * played, which needs neither a network nor a key.
 * @throws {CassetteError} `missing-file`: the file does not exist, and `CI` is set. `unknown-request`: the agent sent a request that the tape does
 * not contain.
 */
export async function withCassette<T>(
  file: string,
  test: (cassette: Cassette) => Promise<T>,
  { mode, ...options }: WithCassetteOptions = {},
): Promise<T> {
  const exists = existsSync(file);
  const chosen = mode ?? (exists || process.env['CI'] ? 'play' : 'record');
  if (chosen === 'play' && !exists) {
    throw new CassetteError(
      'missing-file',
      `the cassette ${file} is missing: record the cassette on your machine, and commit the file`,
    );
  }
  return chosen === 'play' ? await played(file, test) : await recorded(file, test, options);
}

async function recorded<T>(
  file: string,
  test: (cassette: Cassette) => Promise<T>,
  options: Omit<WithCassetteOptions, 'mode'>,
): Promise<T> {
  const lines: string[] = [];
  const recorder = await recordCassette({ ...options, write: (line) => void lines.push(line) });
  let result: T;
  try {
    result = await test({ mode: 'record', env: recorder.env, wire: (transport) => recorder.record(transport) });
  } finally {
    await recorder.close();
  }
  mkdirSync(dirname(file), { recursive: true });
  // Because of the rename, the file is either complete or absent.
  writeFileSync(`${file}.part`, lines.join(''), { mode: 0o600 });
  renameSync(`${file}.part`, file);
  return result;
}

async function played<T>(file: string, test: (cassette: Cassette) => Promise<T>): Promise<T> {
  const player = await playCassette(readFileSync(file, 'utf8'));
  try {
    const result = await test({ mode: 'play', env: player.env, wire: (transport) => transport });
    refuse(player.misses);
    return result;
  } catch (error) {
    // An unanswered request is probably the reason why the test failed, so it is reported instead.
    if (!(error instanceof CassetteError)) refuse(player.misses, error);
    throw error;
  } finally {
    await player.close();
  }
}

function refuse([miss]: readonly CassetteMiss[], cause?: unknown): void {
  if (miss === undefined) return;
  throw new CassetteError('unknown-request', `request ${miss.number}: ${miss.message}`, { cause });
}
