import type { Writable } from 'node:stream';
import type { WireMessage } from '@proto/core/framing';
import { describeCall } from '@proto/permissions';
import { pieceOf, type RunOutput } from './outputs.ts';
import { type Color, type Paint, plain, plainLines, truncate } from './terminal-text.ts';

/** How to show a session to people. Paths are shown relative to `cwd`. */
export interface TextViewOptions {
  readonly output: Writable & { readonly columns?: number };
  readonly paint: Paint;
  readonly cwd: string;
}

/** A view that allows other texts between its lines. */
export interface TextView extends RunOutput {
  /** Ends a line that is not finished, so that another text can begin its own line. */
  endLine(): void;
}

type Block = Readonly<Record<string, unknown>>;

/** Creates a view that shows a session while it runs: text as it streams, each call and the first line of its result, and how each turn ended. */
export function createTextView(options: TextViewOptions): TextView {
  return new TextLines(options);
}

// The width for a terminal that reports 0 columns, and for a stream that is not a terminal.
const DEFAULT_COLUMNS = 200;

class TextLines implements TextView {
  readonly #options: TextViewOptions;
  /** The ids of the messages whose text was streamed in pieces. */
  readonly #streamed = new Set<unknown>();
  #isOpen = false;

  constructor(options: TextViewOptions) {
    this.#options = options;
  }

  endLine(): void {
    if (this.#isOpen) this.#options.output.write('\n');
    this.#isOpen = false;
  }

  end(): void {
    this.endLine();
  }

  message(message: WireMessage): void {
    const { type, message: inner, parent_tool_use_id: parent } = message as WireMessage & { message?: Block };
    const indent = typeof parent === 'string' ? '  ' : '';
    if (type === 'assistant' && inner !== undefined) this.#assistant(inner, indent);
    else if (type === 'user' && inner !== undefined) this.#results(inner['content'], indent);
    else if (type === 'stream_event' && indent === '') this.#streamEvent(message);
    else if (type === 'system' && message['subtype'] === 'agent_exited') this.#line('✖', howItEnded(message), 'red');
    else if (type === 'result') this.#line(...outcomeOf(message));
  }

  #assistant({ id, content }: Block, indent: string): void {
    for (const block of blocksOf(content)) {
      // A subagent's text is meant for its agent, so it is not shown.
      if (block['type'] === 'text' && indent === '' && !this.#streamed.has(id)) {
        this.endLine();
        this.#text(String(block['text']));
      } else if (block['type'] === 'tool_use') {
        const { name, input = {} } = block as { name?: unknown; input?: Block };
        this.#line(`${indent}●`, describeCall({ tool: String(name), input }, this.#options.cwd), 'cyan');
      }
    }
  }

  #results(content: unknown, indent: string): void {
    for (const block of blocksOf(content)) {
      if (block['type'] !== 'tool_result') continue;
      const [first = '', ...more] = textOf(block['content']).trimEnd().split('\n');
      const rest = more.length === 0 ? '' : ` (+${more.length} lines)`;
      this.#line(`${indent}  └`, `${first}${rest}`, block['is_error'] === true ? 'red' : 'dim');
    }
  }

  #streamEvent(message: WireMessage): void {
    const { type, message: begun } = message['event'] as { type?: unknown; message?: Block };
    if (type === 'message_start') this.#streamed.add(begun?.['id']);
    if (type === 'content_block_stop') this.endLine();
    this.#text(pieceOf(message));
  }

  #text(piece: string): void {
    if (piece === '') return;
    this.#options.output.write(plainLines(piece));
    this.#isOpen = !piece.endsWith('\n');
  }

  #line(mark: string, text: string, color: Color): void {
    this.endLine();
    const { output, paint } = this.#options;
    const columns = (output.columns || DEFAULT_COLUMNS) - mark.length - 1;
    output.write(`${paint(color, mark)} ${truncate(plain(text.trim().replaceAll(/\s+/g, ' ')), columns)}\n`);
  }
}

function howItEnded({ code, signal, error }: Block): string {
  if (typeof error === 'string') return error;
  return `the agent ${typeof signal === 'string' ? `was terminated by ${signal}` : `exited with code ${String(code)}`}`;
}

function outcomeOf(result: Block): [mark: string, text: string, color: Color] {
  const { subtype, is_error: isError, terminal_reason: reason, duration_ms: ms, num_turns: turns, errors } = result;
  const { result: text } = result as { readonly result?: string };
  const costs = [`${(Number(ms) / 1000).toFixed(1)} s`, `${String(turns)} ${turns === 1 ? 'turn' : 'turns'}`];
  const { total_cost_usd: cost, adapter } = result;
  // Agents that do not speak the protocol report 0 if they do not know the cost.
  if (typeof cost === 'number' && (cost > 0 || adapter === undefined)) costs.push(`$${cost.toFixed(4)}`);
  const spent = costs.join(' · ');
  if (isError !== true) return ['✔', `done in ${spent}`, 'green'];
  if (String(reason).startsWith('aborted')) return ['■', `interrupted after ${spent}`, 'yellow'];
  const why = Array.isArray(errors) && errors.length > 0 ? errors.join('; ') : (text ?? '');
  return ['✖', `${String(reason ?? subtype)} after ${spent}${why === '' ? '' : `: ${why}`}`, 'red'];
}

function blocksOf(content: unknown): readonly Block[] {
  return Array.isArray(content) ? content.filter((block) => typeof block === 'object' && block !== null) : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return blocksOf(content)
    .map((block) => (block['type'] === 'text' ? String(block['text']) : `[${String(block['type'])}]`))
    .join('\n');
}
