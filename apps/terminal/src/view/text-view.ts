import type { Writable } from 'node:stream';
import type { WireMessage } from '@proto/core/framing';
import { type CallItem, createSessionView, type Item, type NoticeItem, type Turn } from '@proto/host/view';
import { describeCall } from '@proto/permissions';
import type { RunOutput } from './outputs.ts';
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

/** Creates a view that shows a session while it runs: text as it streams, each call and the first line of its result, and how each turn ended. */
export function createTextView(options: TextViewOptions): TextView {
  return new TextLines(options);
}

// The width for a terminal that reports 0 columns, and for a stream that is not a terminal.
const DEFAULT_COLUMNS = 200;
/** What has been written need not be kept. The last turns are kept for subagents that are still working. */
const MAX_ITEMS = 1000;
const NO_ITEMS: readonly Item[] = [];

/** Writes what each message adds to the view of the session. */
class TextLines implements TextView {
  readonly #options: TextViewOptions;
  readonly #view = createSessionView({ maxItems: MAX_ITEMS });
  #turns: readonly Turn[] = [];
  /** The text of the block that is being written, as far as it is on the screen. */
  #written = '';
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
    this.#view.track({ message });
    const { turns, streaming } = this.#view.getSnapshot();
    const before = this.#turns;
    this.#turns = turns;
    if (turns !== before) this.#showTurns(before);
    const writing = streaming.find(({ kind, callId }) => kind === 'text' && callId === undefined);
    if (writing !== undefined) this.#showWriting(writing.text);
  }

  #showTurns(before: readonly Turn[]): void {
    const known = new Map(before.map((turn) => [turn.id, turn]));
    for (const turn of this.#turns) {
      const old = known.get(turn.id);
      if (turn === old) continue;
      this.#showItems(old?.items ?? NO_ITEMS, turn.items, '');
      if (turn.result !== undefined && old?.result === undefined) this.#line(...outcomeOf(turn.result));
    }
  }

  #showItems(before: readonly Item[], items: readonly Item[], indent: string): void {
    for (const [index, item] of items.entries()) {
      const old = before[index];
      if (item === old) continue;
      if (item.kind === 'call') this.#showCall(old?.kind === 'call' ? old : undefined, item, indent);
      // A subagent's text is meant for its agent, so it is not shown.
      else if (item.kind === 'text' && indent === '') this.#showText(item.text);
      else if (item.kind === 'notice' && item.message['subtype'] === 'agent_exited')
        this.#line('✖', howItEnded(item), 'red');
    }
  }

  #showCall(before: CallItem | undefined, call: CallItem, indent: string): void {
    const { name, input, result, items, state } = call;
    if (name !== '' && before?.name !== name)
      this.#line(`${indent}●`, describeCall({ tool: name, input }, this.#options.cwd), 'cyan');
    this.#showItems(before?.items ?? NO_ITEMS, items, `${indent}  `);
    if (result === undefined || before?.result !== undefined) return;
    const [first = '', ...more] = textOf(result).trimEnd().split('\n');
    const rest = more.length === 0 ? '' : ` (+${more.length} lines)`;
    this.#line(`${indent}  └`, `${first}${rest}`, state === 'done' ? 'dim' : 'red');
  }

  #showWriting(text: string): void {
    if (!text.startsWith(this.#written)) this.#written = '';
    if (this.#written === '') this.endLine();
    this.#text(text.slice(this.#written.length));
    this.#written = text;
  }

  #showText(text: string): void {
    this.#showWriting(text);
    this.#written = '';
    this.endLine();
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

function howItEnded({ message: { code, signal, error } }: NoticeItem): string {
  if (typeof error === 'string') return error;
  return `the agent ${typeof signal === 'string' ? `was terminated by ${signal}` : `exited with code ${String(code)}`}`;
}

function outcomeOf(result: Readonly<Record<string, unknown>>): [mark: string, text: string, color: Color] {
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

function textOf(content: NonNullable<CallItem['result']>): string {
  if (typeof content === 'string') return content;
  return content.map(({ type, text }) => (type === 'text' ? String(text) : `[${type}]`)).join('\n');
}
