import { encodeLine } from '@proto/core';
import type { Batch, Outgoing } from '@proto/core/transport';

/** A message as a mirror reads it. */
export type Frame = Readonly<Record<string, unknown>>;

/** Messages that are handed on as they are. */
export function batchOfTexts(messages: readonly Outgoing[]): Batch {
  return {
    count: messages.length,
    get text() {
      return messages.map(({ text }) => `${text}\n`).join('');
    },
    messages: () => messages.values(),
  };
}

/** A message of this side's own. */
export function outgoing(message: Frame): Outgoing {
  const { uuid } = message;
  return { text: encodeLine(message).slice(0, -1), id: typeof uuid === 'string' ? uuid : undefined, ephemeral: false };
}

/** A member that is an object; empty where it is none. */
export function memberOf(frame: Frame, name: string): Frame {
  const value = frame[name];
  return typeof value === 'object' && value !== null ? (value as Frame) : {};
}
