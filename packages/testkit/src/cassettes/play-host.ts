import { checkDurations, setTimer, type Timer } from '@proto/core/network';
import type { WireMessage } from '@proto/core/framing';
import { type Batch, encodeBatch, type Transport } from '@proto/core/transport';
import type { Recording } from '@proto/recording';
import {
  type ChangedAnswers,
  type HostPart,
  hostPartOf,
  type HostStep,
  messageOf,
  questionOf,
  sessionIdOf,
  type TapedQuestion,
  withAnswers,
} from './host-steps.ts';
import { hasReached, isBeyond, Landmarks } from './landmarks.ts';

/** Options for playing the host on a tape. */
export interface PlayHostOptions {
  /** Answers to permission requests that replace the recorded answers. Default: none. */
  readonly answers?: ChangedAnswers;
  /** How long the agent may be silent while the tape waits for a message, in milliseconds. Default 60 000. */
  readonly maxSilenceMs?: number;
}

const DEFAULT_MAX_SILENCE_MS = 60_000;

export interface HostPlay {
  /** Fulfils when the agent has ended, with the reasons why it did not follow the tape. */
  readonly done: Promise<readonly string[]>;
  stop(): void;
  /** Restarts the `maxSilenceMs` timer. Call `touch` for agent activity that does not reach the host, such as an API request. */
  touch(): void;
}

/**
 * Plays the host on a tape to an agent: sends the recorded prompts, requests and answers. Each line is sent when the agent has made the same progress
 * as in the recording.
 * @throws {CassetteError} `no-permission`: a changed answer does not belong to a permission request on the tape.
 * @throws {RangeError} if `maxSilenceMs` is not above 0.
 */
export function playHost(recording: Recording, transport: Transport, options: PlayHostOptions = {}): HostPlay {
  checkDurations(options, ['maxSilenceMs']);
  const part = hostPartOf(recording);
  const steps = withAnswers(part.steps, options.answers ?? new Map());
  const player = new HostPlayer({ ...part, steps }, transport, options.maxSilenceMs ?? DEFAULT_MAX_SILENCE_MS);
  return { done: player.play(), stop: () => player.stop(), touch: () => player.touch() };
}

class HostPlayer {
  readonly #part: HostPart;
  readonly #transport: Transport;
  readonly #maxSilenceMs: number;
  readonly #landmarks = new Landmarks();
  readonly #asked = new Map<TapedQuestion, string>();
  readonly #problems: string[] = [];
  #next = 0;
  #sessionId: string | undefined;
  #isStopped = false;
  #silence: Timer | undefined;

  constructor(part: HostPart, transport: Transport, maxSilenceMs: number) {
    this.#part = part;
    this.#transport = transport;
    this.#maxSilenceMs = maxSilenceMs;
  }

  async play(): Promise<readonly string[]> {
    this.touch();
    try {
      await this.#transport.opened;
      await this.#advance();
      for await (const items of this.#transport.incoming) {
        this.touch();
        for (const item of items) {
          const message = item.kind === 'message' ? item.read().message : undefined;
          if (message === undefined) continue;
          await this.#receive(message);
          await this.#advance();
        }
      }
    } catch (error) {
      // If the playback was stopped, the reason is already known.
      if (!this.#isStopped && this.#problems.length === 0) this.#problems.push((error as Error).message);
    } finally {
      this.#silence?.clear();
    }
    const left = this.#part.steps[this.#next];
    if (left !== undefined && !this.#isStopped) {
      this.#problems.push(
        `the agent ended before the end of the tape: the next frame of the tape is frame ${left.frame}`,
      );
    }
    await this.#transport.close();
    return this.#problems;
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    // If the agent has already ended, its input need not be ended.
    void this.#transport.end().catch(() => {});
  }

  touch(): void {
    this.#silence?.clear();
    this.#silence = setTimer(() => {
      const left = this.#part.steps[this.#next];
      const wanted = left === undefined ? 'the end of the session' : `the messages before frame ${left.frame}`;
      this.#problems.push(`the agent sent nothing for ${this.#maxSilenceMs} ms, but the tape expects ${wanted}`);
      this.#isStopped = true;
      this.#transport.abort();
    }, this.#maxSilenceMs);
  }

  async #receive(message: WireMessage): Promise<void> {
    this.#sessionId ??= sessionIdOf(message);
    this.#landmarks.add(message);
    const live = questionOf(message, 0);
    if (live === undefined) return;
    const open = this.#part.questions.filter((question) => !this.#asked.has(question));
    const taped = open.find(({ key }) => key === live.key) ?? open.find(({ subtype }) => subtype === live.subtype);
    if (taped !== undefined) return void this.#asked.set(taped, live.id);
    const { subtype, request } = live;
    const about = [request['tool_name'], request['callback_id'], request['server_name']].find(
      (name) => typeof name === 'string',
    );
    const asked = about === undefined ? subtype : `${subtype} ${about}`;
    this.#problems.push(`the agent sent the request ${asked}, but the tape has no answer to it`);
    const response = { subtype: 'error', request_id: live.id, error: 'the cassette has no answer to this request' };
    await this.#transport.send(encodeBatch({ type: 'control_response', response }));
    this.stop();
  }

  async #advance(): Promise<void> {
    for (; !this.#isStopped; this.#next++) {
      const step = this.#part.steps[this.#next];
      if (step === undefined) return;
      const { question, place } = step;
      if (question !== undefined && !this.#asked.has(question)) {
        if (!isBeyond(this.#landmarks.progress, place)) return;
        this.#problems.push(`the agent did not send the request that frame ${step.frame} answers`);
      } else if (question === undefined && !hasReached(this.#landmarks.progress, place)) return;
      else if (!(await this.#does(step))) return;
    }
  }

  /** Runs a step. Fulfils with `false` if the agent has ended. In this case, the loop that reads the agent's messages reports the reason. */
  async #does(step: HostStep): Promise<boolean> {
    const { line } = step;
    const done =
      line === undefined ? this.#transport.end() : this.#transport.send(batchOf(this.#translated(step, line)));
    return await done.then(
      () => true,
      () => false,
    );
  }

  #translated({ question }: HostStep, line: string): string {
    const [taped, live] = [this.#part.sessionId, this.#sessionId];
    const message = messageOf(line);
    const isOfSession = taped !== undefined && live !== undefined && message['session_id'] === taped;
    if (!isOfSession && question === undefined) return line;
    const response = question && { ...Object(message['response']), request_id: this.#asked.get(question) };
    return JSON.stringify({ ...message, ...(isOfSession && { session_id: live }), ...(response && { response }) });
  }
}

/** The line need not be JSON. */
function batchOf(text: string): Batch {
  return {
    count: 1,
    text: `${text}\n`,
    *messages() {
      yield { text, id: undefined, ephemeral: false };
    },
  };
}
