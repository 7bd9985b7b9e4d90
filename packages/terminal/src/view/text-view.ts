import type { Writable } from 'node:stream';
import type { WireMessage } from '@proto/core/framing';
import { describeCall } from '@proto/permissions';
import { pieceOf } from './piece-of.ts';
import { plain, plainLines } from './plain.ts';
import { truncate } from './display-width.ts';
import type { RunOutput } from './outputs.ts';
import type { Paint } from './paint.ts';

/** Where a session is shown to people, and how. */
export interface TextViewOptions {
  readonly output: Writable & { readonly columns?: number };
  readonly paint: Paint;
  readonly cwd: string;
}

/** A view that others may write a line into. */
export interface TextView extends RunOutput {
  /** Ends a line that is open, so that something else can begin one. */
  endLine(): void;
}

type Block = Readonly<Record<string, unknown>>;

/** Shows a session as it goes: text as it streams, each call and the beginning of its result, and what the turn came to. */
export function createTextView({ output, paint, cwd }: TextViewOptions): TextView {
  /** The ids of the messages whose text came in pieces. */
  const streamed = new Set<unknown>();
  let isOpen = false;
  const endLine = () => {
    if (isOpen) output.write('\n');
    isOpen = false;
  };
  const text = (piece: string) => {
    if (piece === '') return;
    output.write(plainLines(piece));
    isOpen = !piece.endsWith('\n');
  };
  const line = (mark: string, what: string, color?: Parameters<Paint>[0]) => {
    endLine();
    // A terminal that does not know its width says 0.
    const fitted = truncate(plain(what.trim().replaceAll(/\s+/g, ' ')), (output.columns || 200) - mark.length - 1);
    output.write(`${color === undefined ? mark : paint(color, mark)} ${fitted}\n`);
  };
  const assistant = ({ id, content }: Block, indent: string) => {
    for (const block of blocksOf(content)) {
      // The text of a subagent is for its agent.
      if (block['type'] === 'text' && indent === '' && !streamed.has(id)) {
        endLine();
        text(String(block['text']));
      } else if (block['type'] === 'tool_use') {
        const { name, input } = block as { name?: unknown; input?: Block };
        line(`${indent}●`, describeCall({ tool: String(name), input: input ?? {} }, cwd), 'cyan');
      }
    }
  };
  const results = (content: unknown, indent: string) => {
    for (const block of blocksOf(content)) {
      if (block['type'] !== 'tool_result') continue;
      const [first = '', ...more] = textOf(block['content']).trimEnd().split('\n');
      const rest = more.length === 0 ? '' : ` (+${more.length} lines)`;
      line(`${indent}  └`, `${first}${rest}`, block['is_error'] === true ? 'red' : 'dim');
    }
  };
  return {
    endLine,
    message(message) {
      const { type, message: inner, parent_tool_use_id: parent } = message as WireMessage & { message?: Block };
      const indent = typeof parent === 'string' ? '  ' : '';
      if (type === 'assistant' && inner !== undefined) assistant(inner, indent);
      else if (type === 'user' && inner !== undefined) results(inner['content'], indent);
      else if (type === 'stream_event' && indent === '') {
        const { type: event, message: begun } = message['event'] as { type?: unknown; message?: Block };
        if (event === 'message_start') streamed.add(begun?.['id']);
        if (event === 'content_block_stop') endLine();
        text(pieceOf(message));
      } else if (type === 'system' && message['subtype'] === 'agent_exited') {
        line('✖', howItEnded(message), 'red');
      } else if (type === 'result') {
        const [mark, color, what] = outcomeOf(message);
        line(mark, what, color);
      }
    },
    end: endLine,
  };
}

function howItEnded({ code, signal, error }: Block): string {
  if (typeof error === 'string') return error;
  return `the agent ${typeof signal === 'string' ? `was ended by ${signal}` : `left with code ${String(code)}`}`;
}

function outcomeOf(result: Block): readonly [mark: string, color: Parameters<Paint>[0], what: string] {
  const { subtype, is_error: isError, terminal_reason: reason, duration_ms: ms, num_turns: turns, errors } = result;
  const { result: text } = result as { readonly result?: string };
  const costs = [`${(Number(ms) / 1000).toFixed(1)} s`, `${String(turns)} ${turns === 1 ? 'turn' : 'turns'}`];
  const { total_cost_usd: cost, adapter } = result;
  // Other agents do not tell what they cost, which is 0.
  if (typeof cost === 'number' && (cost > 0 || adapter === undefined)) costs.push(`$${cost.toFixed(4)}`);
  const spent = costs.join(' · ');
  if (isError !== true) return ['✔', 'green', `done in ${spent}`];
  if (String(reason).startsWith('aborted')) return ['■', 'yellow', `interrupted after ${spent}`];
  const why = Array.isArray(errors) && errors.length > 0 ? errors.join('; ') : (text ?? '');
  return ['✖', 'red', `${String(reason ?? subtype)} after ${spent}${why === '' ? '' : `: ${why}`}`];
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
