import { setTimeout as delay } from 'node:timers/promises';
import { LONGEST_TIMER_MS } from '@proto/core/network';
import type { Cut } from '@proto/testkit';
import { describeMismatch, limitOf, match, nameIn, shortJson, type Step, StepFailure } from '@proto/testkit/steps';

import type { LinkParty } from '../parties/link-party.ts';
import type { ServerScope } from '../server-scope.ts';

/** Runs `cut: NAME`: breaks the connection of a party that was opened with `proxied`, immediately or after the server has sent more bytes. */
export async function cut(step: Step, scope: ServerScope): Promise<void> {
  const name = String(step['cut']);
  const proxy = scope.proxies.get(name);
  if (proxy === undefined) throw new Error(`The party "${name}" was not opened with "proxied".`);
  const how = (nameIn(step, 'how') ?? 'rst') as Cut;
  proxy.cut(how, Number(step['after-bytes'] ?? 0));
  // A client cannot notice that its connection hangs.
  if (how !== 'stall' && step['after-bytes'] === undefined) await within(linkOf(name, scope).closed, step, scope);
}

export async function close(step: Step, scope: ServerScope): Promise<void> {
  const link = linkOf(String(step['close']), scope);
  link.close();
  await within(link.closed, step, scope);
}

/** Runs `expect-close: PATTERN`: waits for the end of the party's link. */
export async function expectClose(step: Step, scope: ServerScope): Promise<void> {
  const link = linkOf(nameIn(step, 'by') ?? scope.defaultParty, scope);
  const closing = await within(link.closed, step, scope);
  if (closing === undefined) {
    throw new StepFailure(`The link of "${link.name}" did not close within ${limitOf(step, scope)} ms.`, {
      expected: step['expect-close'],
    });
  }
  const result = match(step['expect-close'], closing, scope.variables);
  if (result.ok) return;
  throw new StepFailure(`The link of "${link.name}" did not end as expected: ${describeMismatch(result.mismatch)}`, {
    expected: step['expect-close'],
    got: closing,
  });
}

/** Runs `ping: NAME`: sends a ping, and waits for the pong. With `or-closed`, the step also passes if the server has closed the socket. */
export async function ping(step: Step, scope: ServerScope): Promise<void> {
  const link = linkOf(String(step['ping']), scope);
  if (link.ping === undefined) throw new Error(`The party "${link.name}" has no WebSocket.`);
  const pong = await within(
    Promise.race([link.ping(), ...(step['or-closed'] === true ? [link.closed] : [])]).then(() => true),
    step,
    scope,
  );
  if (pong === undefined) throw new StepFailure(`The server did not answer a ping within ${limitOf(step, scope)} ms.`);
}

export async function pong(step: Step, scope: ServerScope): Promise<void> {
  linkOf(String(step['pong']), scope).pong?.();
}

export async function pause(step: Step, scope: ServerScope): Promise<void> {
  linkOf(String(step['pause']), scope).pause();
}

export async function resume(step: Step, scope: ServerScope): Promise<void> {
  linkOf(String(step['resume']), scope).resume();
}

/**
 * Runs `expect-numbers: {first, last}`: the events of the parties in `of`, taken one party after the other, must have these numbers, each number once
 * and in order. Waits until the last party has received the last number.
 */
export async function expectNumbers(step: Step, scope: ServerScope): Promise<void> {
  const { first, last } = scope.variables.fill(step['expect-numbers']) as { first: number; last: number };
  const names = (step['of'] as readonly string[] | undefined) ?? [scope.defaultParty];
  const links = names.map((name) => linkOf(name, scope));
  const numbersOf = ({ inbox }: LinkParty) =>
    inbox.received.map(({ value }) => numberOf(value)).filter((id) => id !== undefined);
  const final = links.at(-1);
  await final?.inbox
    .find(({ value }) => (numberOf(value) ?? 0) >= last, 0, limitOf(step, scope), scope.signal)
    .catch(() => scope.signal.throwIfAborted());
  const got = links.flatMap(numbersOf);
  const isRight = got.length === last - first + 1 && got.every((id, at) => id === first + at);
  if (isRight) return;
  const wrong = got.findIndex((id, at) => id !== first + at);
  const place =
    wrong === -1
      ? `they end with ${got.at(-1) ?? 'nothing'}`
      : `${got[wrong]} follows ${got[wrong - 1] ?? 'the beginning'}`;
  throw new StepFailure(
    `The events of ${names.join(', then ')} must be ${first} to ${last}, each exactly once: ${place}.`,
    {
      expected: { first, last },
      got: shortJson(got, 600),
    },
  );
}

/** The number of an event of the log; `undefined` for everything else. */
function numberOf(value: unknown): number | undefined {
  const { frame } = value as { frame: { kind: string; id?: number } };
  return frame.kind === 'client_event' || frame.kind === 'message' || frame.kind === 'news' ? frame.id : undefined;
}

function linkOf(name: string, { links }: ServerScope): LinkParty {
  const link = links.get(name);
  if (link === undefined) throw new Error(`The case has not opened a party "${name}".`);
  return link;
}

/** `undefined` after the time limit of the step. */
async function within<T>(promise: Promise<T>, step: Step, scope: ServerScope): Promise<T | undefined> {
  const late = new AbortController();
  const signal = AbortSignal.any([scope.signal, late.signal]);
  try {
    return await Promise.race([
      promise,
      delay(Math.min(limitOf(step, scope), LONGEST_TIMER_MS), undefined, { signal }),
    ]);
  } finally {
    late.abort();
  }
}
