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
  /** The version of the format of the exchanges: 1. Absent from a recording without exchanges. */
  readonly cassette?: number;
  /** How the host started the agent, if this was passed to `recordCassette`. */
  readonly launch?: CassetteLaunch;
}

/** The result of a played session. */
export interface CassettePlay {
  /** The reasons why the agent did not follow the tape. Empty if the agent followed the tape. */
  readonly problems: readonly string[];
  /** The recorded session, as the text of a recording for `diffRecordings`. */
  readonly expected: string;
  /** The live session, as the text of a recording. Messages after the end of the recorded session are left out. */
  readonly found: string;
}

/** A tape that replays the recorded responses of the Messages API. */
export interface CassettePlayer extends AsyncDisposable {
  /** The variables that cause the agent to use the tape, with an invalid API key. Add these variables to the agent's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The first line of the cassette. */
  readonly header: CassetteHeader;
  /** The whole cassette, parsed. */
  readonly recording: Recording;
  /** The requests that could not be answered so far. */
  readonly misses: readonly CassetteMiss[];
  /** The number of recorded message requests that have not been made yet. */
  readonly unused: number;
  /**
   * Plays the host on the tape to an agent until the agent ends or sends a request that the tape does not contain. Rejects with a `CassetteError`
   * whose code is `no-permission` if a changed answer does not belong to a permission request on the tape.
   */
  drive(agent: Transport, options?: PlayHostOptions): Promise<CassettePlay>;
  /** Closes the port. Fulfils when the port is free. */
  close(): Promise<void>;
}

// An agent may repeat its key in a message. The key is then redacted like the recorded key.
const KEY = 'sk-ant-cassette-opens-nothing';

/** The variables for an agent that may use only its tape. */
const OFFLINE = {
  ANTHROPIC_API_KEY: KEY,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
};

/**
 * Plays the responses of a cassette on a free port of 127.0.0.1. The response to a request is taken from the recorded request with the same model and
 * the same messages. Ids, times and the order of the requests are ignored. A request without a recorded response is answered with status 400 and a
 * text that describes the difference.
 * @throws {TransportError} `malformed`: the text is not a recording, or is a cassette of a later version.
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
      // Only the first refused request is reported, because later refusals are caused by the first.
      const [miss] = tape.misses;
      if (miss !== undefined) problems.unshift(`request ${miss.number}: ${miss.message}`);
      if (problems.length === 0 && tape.unused > 0) {
        problems.push(`${tape.unused} recorded answers were not used, because the agent did not send their requests`);
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
  throw new TransportError(
    'malformed',
    `the version of this cassette is ${String(cassette)}, but only version 1 is known: use a newer version of this program`,
  );
}
