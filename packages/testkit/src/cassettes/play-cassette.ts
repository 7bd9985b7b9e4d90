import { type Transport, TransportError } from '@proto/core/transport';
import {
  createRedactor,
  parseRecording,
  type Recording,
  type RecordingHeader,
  recordTransport,
} from '@proto/recording';
import { serveOnLoopback } from '../loopback-server.ts';
import { ApiTape, type CassetteMiss } from './api-tape.ts';
import { playHost, type PlayHostOptions } from './play-host.ts';
import { type CassetteLaunch, direct } from './record-cassette.ts';
import { requestKey } from './request-key.ts';
import { exchangesOf } from './taped-exchange.ts';
import { comparedTexts } from './transcript.ts';

/** The first line of a cassette. */
export interface CassetteHeader extends RecordingHeader {
  /** The version of the exchanges in the file; absent from a recording that has none. */
  readonly cassette?: number;
  /** How the host has started the agent, where that was noted. */
  readonly launch?: CassetteLaunch;
}

/** How an agent has followed its tape. */
export interface CassettePlay {
  /** Why the agent has not followed the tape; empty where it has. */
  readonly problems: readonly string[];
  /** The recorded session and this one as recordings for `diffRecordings`. The tape tells nothing of what came after its host had left, so that this is left out. */
  readonly expected: string;
  readonly found: string;
}

/** A tape that answers as the Messages API did when it was recorded. */
export interface CassettePlayer extends AsyncDisposable {
  /** The variables that lead the agent to the tape, with a key that opens nothing. Add them to the environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
  readonly header: CassetteHeader;
  readonly recording: Recording;
  /** The requests without an answer so far. */
  readonly misses: readonly CassetteMiss[];
  /** How many recorded answers to requests for messages were not asked for yet. */
  readonly unused: number;
  /**
   * Speaks to an agent as the host of the tape did, until the agent has ended, or has asked for what the tape does not have. Rejects with a
   * `CassetteError` `no-permission` when a changed answer belongs to no permission of the tape.
   */
  drive(agent: Transport, options?: PlayHostOptions): Promise<CassettePlay>;
  close(): Promise<void>;
}

// An agent may say its key, which then is redacted as the recorded key was.
const KEY = 'sk-ant-cassette-opens-nothing';

/** The variables of an agent that uses nothing but its tape. */
const OFFLINE = {
  ANTHROPIC_API_KEY: KEY,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
};

/**
 * Plays the answers of a cassette on a free port of 127.0.0.1. Each answer is given to the request for which it was recorded: the same model and the
 * same messages, whatever ids and times they have, in any order. Any other request gets status 400 and a text that says where it differs.
 * @throws {TransportError} `malformed`: the text is no recording, or a cassette of a later version.
 */
export async function playCassette(text: string): Promise<CassettePlayer> {
  const recording = parseCassette(text);
  const tape = new ApiTape(exchangesOf(recording));
  const redactor = createRedactor({ secrets: [KEY], env: process.env });
  const clean = (part: string) => redactor.text(part);
  const server = await serveOnLoopback(async (request) => {
    const { pathname } = new URL(request.url);
    const key = requestKey(request.method, clean(pathname), await request.text(), clean);
    return tape.answer(key, request.signal);
  });
  return {
    env: { ...OFFLINE, ANTHROPIC_BASE_URL: server.url, ...direct(process.env) },
    header: recording.header,
    recording,
    misses: tape.misses,
    get unused() {
      return tape.unused;
    },
    async drive(agent, options) {
      let found = '';
      const live = recordTransport(agent, { side: 'host', write: (line) => void (found += line), redactor });
      const host = playHost(recording, live, options);
      tape.onRequest = (isMiss) => (isMiss ? host.stop() : host.touch());
      const problems = [...(await host.done)];
      // What an agent asks after a refusal follows from the refusal.
      const [miss] = tape.misses;
      if (miss !== undefined) problems.unshift(`request ${miss.number}: ${miss.message}`);
      if (problems.length === 0 && tape.unused > 0) {
        problems.push(`the agent did not ask for ${tape.unused} of the recorded answers`);
      }
      return { problems, ...comparedTexts(recording, found) };
    },
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function parseCassette(text: string): Recording & { readonly header: CassetteHeader } {
  const recording: Recording & { readonly header: CassetteHeader } = parseRecording(text);
  const { cassette = 1 } = recording.header;
  if (cassette === 1) return recording;
  throw new TransportError('malformed', `no cassette: its format has the version ${String(cassette)}, known is 1`);
}
