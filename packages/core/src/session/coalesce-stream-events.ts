import type { EnqueueOptions, OutboundStage } from './outbound-stream.ts';
import { checkDurations, setTimer, type Timer } from '../transport/async/timer.ts';
import { isRecord } from './control-frames.ts';

const DEFAULT_COALESCE_WINDOW_MS = 100;

type Members = Readonly<Record<string, unknown>>;

interface HeldIncrement {
  readonly message: Members;
  readonly options: EnqueueOptions;
  readonly event: Members;
  readonly delta: Members;
  /** The member of the delta that contains the increments. */
  readonly name: string;
  text: string;
}

const GROWING: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
};

/**
 * Creates a stage that joins increments. Consecutive increments of one block within the window become a single increment, with the `uuid` of the
 * first. If any other message is queued, the held increment is sent first, so that the order stays the same.
 *
 * @throws {RangeError} if the window is not a number of at least 0
 */
export function coalesceStreamEvents(options: { readonly windowMs?: number } = {}): OutboundStage {
  const { windowMs = DEFAULT_COALESCE_WINDOW_MS } = options;
  checkDurations(options);
  return (next) => {
    let held: HeldIncrement | undefined;
    let timer: Timer | undefined;

    function flush(): void {
      timer?.clear();
      const { message, options: own, event, delta, name, text } = held ?? {};
      held = undefined;
      if (own === undefined || name === undefined) return;
      next({ ...message, event: { ...event, delta: { ...delta, [name]: text } } }, own);
    }

    return {
      enqueue(message, own) {
        const increment = incrementOf(message as Members, own);
        if (increment !== undefined && held !== undefined && isOneWith(held, increment)) {
          held.text += increment.text;
          return;
        }
        flush();
        if (increment === undefined) return next(message, own);
        held = increment;
        timer = setTimer(() => {
          try {
            flush();
          } catch {
            // The stream has ended, and its end is reported elsewhere.
          }
        }, windowMs);
      },
      flush,
    };
  };
}

function incrementOf(message: Members, options: EnqueueOptions): HeldIncrement | undefined {
  const { type, event } = message;
  if (type !== 'stream_event' || !isRecord(event) || event['type'] !== 'content_block_delta') return undefined;
  const { delta } = event;
  const name = isRecord(delta) ? GROWING[String(delta['type'])] : undefined;
  const text = name === undefined ? undefined : (delta as Members)[name];
  if (name === undefined || typeof text !== 'string') return undefined;
  return { message: { ...message }, options, event, delta: delta as Members, name, text };
}

function isOneWith(held: HeldIncrement, next: HeldIncrement): boolean {
  const sameOf = (names: readonly string[], one: Members, other: Members) =>
    names.every((name) => one[name] === other[name]);
  return (
    held.name === next.name &&
    held.event['index'] === next.event['index'] &&
    sameOf(['parent_tool_use_id', 'session_id', 'api_message_id'], held.message, next.message)
  );
}
