import type { Direction } from '../recording.ts';
import { isText, type Members, membersOf } from './members.ts';
import { RequestSpans } from './request-spans.ts';
import type { SpanStatus, SpanTable } from './span-table.ts';
import { OpenIds, type SpanChanges, SpanWriter } from './span-writer.ts';
import { TurnSpans } from './turn-spans.ts';

const ENDED_TASKS = new Map<unknown, SpanStatus>([
  ['completed', 'ok'],
  ['failed', 'error'],
  ['stopped', 'cancelled'],
  ['killed', 'cancelled'],
]);
const ENDED_HOOKS = new Map<unknown, SpanStatus>([
  ['success', 'ok'],
  ['cancelled', 'cancelled'],
]);

/** Follows the messages of a session, and begins and ends spans accordingly. */
export class SpanTracker {
  readonly #writer: SpanWriter;
  readonly #turns: TurnSpans;
  readonly #requests: RequestSpans;
  readonly #tasks: OpenIds;
  readonly #hooks: OpenIds;

  constructor(spans: SpanTable) {
    this.#writer = new SpanWriter(spans);
    this.#turns = new TurnSpans(this.#writer);
    this.#requests = new RequestSpans(this.#writer, this.#turns);
    this.#tasks = new OpenIds(this.#writer);
    this.#hooks = new OpenIds(this.#writer);
  }

  /** `frame` is the number of the frame of the message. In the result, `within` is the span that the message belongs to. */
  follow(frame: number, dir: Direction, message: Members): SpanChanges & { readonly within: number | undefined } {
    this.#writer.at(frame);
    const within = this.#take(dir, message);
    return { within, ...this.#writer.changes };
  }

  #take(dir: Direction, message: Members): number | undefined {
    const isAgent = dir === 'from-agent';
    switch (message['type']) {
      case 'control_request':
        return this.#requests.asked(dir, message);
      case 'control_response':
        return this.#requests.answered(dir, message);
      case 'control_cancel_request':
        return this.#requests.withdrawn(dir, message);
      case 'user':
        return isAgent ? this.#turns.toolsReturned(message) : this.#turns.prompted(message);
      case 'assistant':
        return this.#turns.replied(message);
      case 'stream_event':
      case 'tool_progress':
        return this.#turns.worked(message);
      case 'result':
        return this.#turns.ended(message);
      case 'system':
        return isAgent ? this.#system(message) : this.#turns.turn;
      default:
        return this.#turns.turn;
    }
  }

  #system(message: Members): number | undefined {
    const { subtype, task_id: task, hook_id: hook } = message;
    switch (subtype) {
      case 'init':
        return this.#turns.worked(message);
      case 'task_started':
        return this.#taskStarted(message);
      case 'task_updated':
        return this.#taskEnded(task, membersOf(message['patch'])?.['status']);
      case 'task_notification':
        return this.#taskEnded(task, message['status']);
      case 'hook_started':
        return this.#hookStarted(message);
      case 'hook_response':
        return this.#hookEnded(message);
      default:
        return this.#tasks.find(task) ?? this.#hooks.find(hook) ?? this.#turns.turn;
    }
  }

  #taskStarted({
    task_id: task,
    tool_use_id: call,
    task_type: type,
    workflow_name: workflow,
  }: Members): number | undefined {
    const parent = this.#turns.callOrTurn(call);
    const span = this.#writer.begin('task', [workflow, type].find(isText) ?? 'task', parent);
    this.#tasks.open(task, span);
    this.#turns.movedToBackground(call, span);
    return parent;
  }

  /** An update, a notification or both report the end of a task. */
  #taskEnded(task: unknown, status: unknown): number | undefined {
    const span = this.#tasks.find(task);
    const ended = ENDED_TASKS.get(status);
    if (span === undefined || ended === undefined) return span ?? this.#turns.turn;
    this.#tasks.take(task);
    this.#writer.end(span, ended, status);
    return span;
  }

  #hookStarted({ hook_id: hook, hook_event: event }: Members): number | undefined {
    this.#hooks.open(hook, this.#writer.begin('hook', isText(event) ? event : 'hook', this.#turns.turn));
    return this.#turns.turn;
  }

  #hookEnded({ hook_id: hook, outcome }: Members): number | undefined {
    return this.#writer.endMatched(this.#hooks.take(hook), ENDED_HOOKS.get(outcome) ?? 'error', outcome);
  }
}
