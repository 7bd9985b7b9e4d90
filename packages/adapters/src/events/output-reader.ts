import type { ExitInfo, OutputParser, ParserOutput, TextParser } from '../parsers/output-parser.ts';
import { jsonWithoutTerminal } from '../parsers/terminal.ts';
import type { AgentEvent } from './agent-event.ts';
import type { EventOrder, OutputCounts } from './event-order.ts';
import { type DecodedLine, type MalformedLine, malformedLine, type RecordDecoder } from './record-decoder.ts';

export interface OutputReader {
  push(chunk: Uint8Array | string): Iterable<AgentEvent>;
  flush(): Iterable<AgentEvent>;
  end(exit: ExitInfo): Iterable<AgentEvent>;
  readonly counts: OutputCounts;
}

/** Called for each line that yields no event. */
export type OnMalformed = (line: MalformedLine) => void;

export class RecordReader implements OutputReader {
  readonly #parser: OutputParser;
  readonly #order: EventOrder;
  readonly #decoder: RecordDecoder;
  readonly #onMalformed: OnMalformed;
  // The lines of the prompt. A terminal may echo them before the first record, and they may look like records.
  #echo: string[];
  #malformed = 0;

  constructor(
    parser: OutputParser,
    order: EventOrder,
    decoder: RecordDecoder,
    { prompt, onMalformed }: { readonly prompt: string; readonly onMalformed: OnMalformed },
  ) {
    this.#parser = parser;
    this.#order = order;
    this.#decoder = decoder;
    this.#echo = prompt.split(/[\r\n]+/).filter((line) => line.trim() !== '');
    this.#onMalformed = onMalformed;
  }

  get counts(): OutputCounts {
    return { ...this.#decoder.counts, malformed: this.#malformed };
  }

  *push(chunk: Uint8Array | string): Generator<AgentEvent> {
    for (const line of this.#decoder.push(chunk)) yield* this.#read(line);
  }

  *flush(): Generator<AgentEvent> {
    for (const line of this.#decoder.end()) yield* this.#read(line);
  }

  *end(exit: ExitInfo): Generator<AgentEvent> {
    yield* this.#order.take(attempt(() => this.#parser.end?.(exit) ?? []) ?? []);
  }

  *#read({ lineNo, line, record, malformed }: DecodedLine): Generator<AgentEvent> {
    if (this.#echo.length > 0 && this.#isEcho(line)) return;
    if (malformed !== undefined) return this.#report(malformed);
    this.#echo = [];
    const outputs = attempt(() => this.#parser.parseEvent(record));
    if (outputs) yield* this.#order.take(outputs, record);
    else this.#report(malformedLine(lineNo, line, outputs === null ? 'not-an-event' : 'invalid-event'));
  }

  #isEcho(line: string): boolean {
    const isEcho = (jsonWithoutTerminal(line) ?? line) === this.#echo[0];
    if (isEcho) this.#echo.shift();
    return isEcho;
  }

  #report(malformed: MalformedLine): void {
    this.#malformed++;
    this.#onMalformed(malformed);
  }
}

export class TextReader implements OutputReader {
  readonly #parser: TextParser;
  readonly #order: EventOrder;
  readonly #onMalformed: OnMalformed;
  readonly #decoder = new TextDecoder();
  #bytes = 0;
  #lineEnds = 0;
  #isMidLine = false;
  #malformed = 0;

  constructor(parser: TextParser, order: EventOrder, onMalformed: OnMalformed) {
    this.#parser = parser;
    this.#order = order;
    this.#onMalformed = onMalformed;
  }

  get counts(): OutputCounts {
    const lines = this.#lineEnds + (this.#isMidLine ? 1 : 0);
    return { bytes: this.#bytes, lines, blank: 0, malformed: this.#malformed };
  }

  *push(chunk: Uint8Array | string): Generator<AgentEvent> {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    this.#bytes += bytes.length;
    yield* this.#read(this.#decoder.decode(bytes, { stream: true }));
  }

  *flush(): Generator<AgentEvent> {
    yield* this.#read(this.#decoder.decode());
  }

  *end(exit: ExitInfo): Generator<AgentEvent> {
    yield* this.#order.take(attempt(() => this.#parser.end(exit)) ?? []);
  }

  *#read(text: string): Generator<AgentEvent> {
    if (text === '') return;
    const lineNo = this.#lineEnds + 1;
    this.#lineEnds += text.split('\n').length - 1;
    this.#isMidLine = !text.endsWith('\n');
    const outputs = attempt(() => this.#parser.parseText(text));
    if (outputs) return yield* this.#order.take(outputs);
    this.#malformed++;
    this.#onMalformed(malformedLine(lineNo, text, 'invalid-event'));
  }
}

// An error in the parser must not end the run.
function attempt<Result extends readonly ParserOutput[] | null>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
