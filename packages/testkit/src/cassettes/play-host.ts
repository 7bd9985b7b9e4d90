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

/** How the host of a tape is played. */
export interface PlayHostOptions {
  /** Answers to permission requests that replace those of the tape. Default: none. */
  readonly answers?: ChangedAnswers;
  /** How long the agent may be silent while the tape waits for it, in milliseconds. Default 60 000. */
  readonly maxSilenceMs?: number;
}

/** The default of `maxSilenceMs`. */
const DEFAULT_MAX_SILENCE_MS = 60_000;

/** A running play of the host of a tape. */
export interface HostPlay {
  /** Fulfils when the agent has ended, with the reasons why it did not follow the tape; empty if it followed the tape. */
  readonly done: Promise<readonly string[]>;
  /** Stops sending, and ends the input of the agent. */
  stop(): void;
  /** Restarts the time of `maxSilenceMs`. For activity of the agent that does not reach its host, such as an API request. */
  touch(): void;
}

/**
 * Plays the host of a tape to an agent: its prompts, its requests and its answers. Each of them is sent when the agent has made the same progress
 * as in the recording.
 * @throws {CassetteError} `no-permission`: a changed answer does not belong to a permission of the tape.
 * @throws {RangeError} `maxSilenceMs` is not above 0.
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
  /** The ids of live questions, by the questions of the tape. */
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
      // If the play was stopped, the reason is already known.
      if (!this.#isStopped && this.#problems.length === 0) this.#problems.push((error as Error).message);
    } finally {
      this.#silence?.clear();
    }
    const left = this.#part.steps[this.#next];
    if (left !== undefined && !this.#isStopped) {
      this.#problems.push(`the agent ended, and the tape goes on with frame ${left.frame}`);
    }
    await this.#transport.close();
    return this.#problems;
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    // If the agent has already gone, its input need not end.
    void this.#transport.end().catch(() => {});
  }

  touch(): void {
    this.#silence?.clear();
    this.#silence = setTimer(() => {
      const left = this.#part.steps[this.#next];
      const wanted = left === undefined ? 'its end' : `what it said before frame ${left.frame}`;
      this.#problems.push(`the agent has said nothing for ${this.#maxSilenceMs} ms, and the tape waits for ${wanted}`);
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
    this.#problems.push(`the agent asks ${asked}, and the tape has no answer`);
    const response = { subtype: 'error', request_id: live.id, error: 'the cassette has no answer to this request' };
    await this.#transport.send(encodeBatch({ type: 'control_response', response }));
    this.stop();
  }

  /** Runs the steps of the host that the progress of the agent allows. */
  async #advance(): Promise<void> {
    for (; !this.#isStopped; this.#next++) {
      const step = this.#part.steps[this.#next];
      if (step === undefined) return;
      const { question, place } = step;
      if (question !== undefined && !this.#asked.has(question)) {
        if (!isBeyond(this.#landmarks.progress, place)) return;
        this.#problems.push(`the agent does not ask what frame ${step.frame} answers`);
      } else if (question === undefined && !hasReached(this.#landmarks.progress, place)) return;
      else if (!(await this.#does(step))) return;
    }
  }

  /** Runs a step. Fulfils with false if the agent has gone; the loop that reads the agent then finds the reason. */
  async #does(step: HostStep): Promise<boolean> {
    const { line } = step;
    const done =
      line === undefined ? this.#transport.end() : this.#transport.send(batchOf(this.#translated(step, line)));
    return await done.then(
      () => true,
      () => false,
    );
  }

  /** Returns a line of the tape with the ids of this run. */
  #translated({ question }: HostStep, line: string): string {
    const [taped, live] = [this.#part.sessionId, this.#sessionId];
    const message = messageOf(line);
    const isOfSession = taped !== undefined && live !== undefined && message['session_id'] === taped;
    if (!isOfSession && question === undefined) return line;
    const response = question && { ...Object(message['response']), request_id: this.#asked.get(question) };
    return JSON.stringify({ ...message, ...(isOfSession && { session_id: live }), ...(response && { response }) });
  }
}

/** Creates a batch of one line. The line need not be JSON. */
function batchOf(text: string): Batch {
  return {
    count: 1,
    text: `${text}\n`,
    *messages() {
      yield { text, id: undefined, ephemeral: false };
    },
  };
}
