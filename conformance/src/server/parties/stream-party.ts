import type { ClientRequest, IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';

import { LONGEST_TIMER_MS } from '@proto/core/network';
import { Inbox, isObject, StepFailure } from '@proto/testkit/steps';

import type { StreamFrame, StreamReading } from '../observed.ts';
import { answerOf } from '../send-request.ts';
import type { Closing, LinkParty } from './link-party.ts';
import { StreamParser } from './stream-parser.ts';

export interface StreamPartyOptions {
  readonly name: string;
  readonly reading: StreamReading;
  readonly request: ClientRequest;
  readonly now: () => number;
  readonly send: (message: unknown) => Promise<void>;
  /** Whether comments are added to the inbox as messages. */
  readonly reportsComments: boolean;
}

/**
 * Reads an event stream. A message of its inbox is the message of an event with an additional member `frame`: `kind` is the name of the frame, `id`
 * its number, and `data` the envelope. A message for any other frame has only the member `frame`.
 */
export class StreamParty implements LinkParty {
  readonly name: string;
  readonly inbox = new Inbox();
  readonly reading: StreamReading;
  readonly closed: Promise<Closing>;
  readonly send: (message: unknown) => Promise<void>;
  cursor: number;
  readonly #options: StreamPartyOptions;
  readonly #request: ClientRequest;
  #answer: IncomingMessage | undefined;
  #settle: (closing: Closing) => void = () => {};

  constructor(options: StreamPartyOptions) {
    this.#options = options;
    this.name = options.name;
    this.reading = options.reading;
    this.cursor = options.reading.from;
    this.send = options.send;
    this.#request = options.request;
    this.closed = new Promise((resolve) => (this.#settle = resolve));
  }

  get session(): string {
    return this.reading.session;
  }

  /** @throws {@link StepFailure} if the headers do not arrive in time */
  async open(milliseconds: number): Promise<IncomingMessage> {
    const timer = setTimeout(
      () => this.#request.destroy(new Error(`no response headers arrived within ${milliseconds} ms`)),
      Math.min(milliseconds, LONGEST_TIMER_MS),
    );
    const answered = answerOf(this.#request);
    this.#request.end();
    try {
      const answer = await answered;
      this.#answer = answer;
      this.reading.status = answer.statusCode ?? 0;
      this.reading.headers = answer.headers;
      this.#read(answer);
      return answer;
    } catch (error) {
      this.#end(false);
      throw new StepFailure(`The server did not open an event stream: ${(error as Error).message}.`);
    } finally {
      clearTimeout(timer);
    }
  }

  sendText(): void {
    throw new Error('A party that is connected over an event stream can send only messages, not lines.');
  }

  close(): void {
    this.#request.destroy();
    this.#end(true);
  }

  pause(): void {
    this.#answer?.pause();
  }

  resume(): void {
    this.#answer?.resume();
  }

  #read(answer: IncomingMessage): void {
    const decoder = new StringDecoder('utf8');
    const parser = new StreamParser({
      onFrame: (frame) => this.#take(frame),
      onComment: (text) => {
        if (this.#options.reportsComments) this.#report({ frame: { kind: 'comment', text } }, text);
      },
      onCarriageReturn: () => (this.reading.hasCarriageReturns = true),
    });
    answer.on('data', (chunk: Buffer) => parser.push(decoder.write(chunk)));
    answer.on('error', () => {});
    answer.once('close', () => this.#end(answer.complete));
  }

  #take(frame: StreamFrame): void {
    this.reading.frames.push(frame);
    const { event, id, data, lines } = frame;
    const number = id === undefined || id === '' ? undefined : Number(id);
    if (event === 'client_event' && number !== undefined) this.cursor = Math.max(this.cursor, number);
    const payload = isObject(data) && isObject(data['payload']) && isMessageFrame(event) ? data['payload'] : {};
    this.#report({ ...payload, frame: { kind: event ?? 'message', id: number, data } }, lines.join('\n'));
  }

  #report(value: unknown, text: string): void {
    this.inbox.add({ value, text, at: this.#options.now() });
  }

  #end(clean: boolean): void {
    this.inbox.end(`the event stream of "${this.name}" has ended`);
    this.reading.closed ??= performance.now();
    this.#settle({ clean });
  }
}

function isMessageFrame(event: string | undefined): boolean {
  return event === 'client_event' || event === 'ephemeral_event';
}
