import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { WireMessage } from '../framing/json-line.ts';
import { createDeferred } from '../transport/async/deferred.ts';
import type { RequestOptions } from './pending-request.ts';
import { createPendingRequests } from './pending-requests.ts';
import type { Schema, StandardResult } from './schema.ts';

/** Sends a request that is answered at once. */
function answered<T>(payload: unknown, options: RequestOptions<T>): Promise<T> {
  const frames: WireMessage[] = [];
  const pending = createPendingRequests({ send: (frame) => void frames.push(frame) });
  const answer = pending.request<T>({ subtype: 'get_plan' }, options);
  const request_id = frames[0]?.['request_id'];
  const message = { type: 'control_response', response: { subtype: 'success', request_id, response: payload } };
  expect(pending.settle(message)).toBe('settled');
  return answer;
}

interface Plan {
  readonly steps: readonly { readonly title: string }[];
}

/** A schema of a library other than zod: its issue paths hold objects, and the schema is a function, as in some libraries. */
function standard(validate: (value: unknown) => StandardResult | Promise<StandardResult>): Schema<Plan> {
  return Object.assign(() => {}, { '~standard': { version: 1, vendor: 'another', validate } } as const);
}

const refused = { issues: [{ message: 'must be a text', path: [{ key: 'steps' }, { key: 0 }, 'title'] }] };
const check = (value: unknown): StandardResult => {
  const { title } = (value as Plan).steps[0] ?? {};
  return typeof title === 'string' ? {} : refused;
};

const GOOD = { steps: [{ title: 'one' }], more: true };
const BAD = { steps: [{ title: 1 }] };

const schemas: Readonly<Record<string, Schema<Plan>>> = {
  zod: z.object({ steps: z.array(z.object({ title: z.string() })) }),
  'zod/mini': mini.object({ steps: mini.array(mini.object({ title: mini.string() })) }),
  'zod, with a check that takes its time': z.object({
    steps: z.array(z.object({ title: z.string().refine(async (title) => Promise.resolve(title !== '')) })),
  }),
  'another library': standard(check),
  'another library that takes its time': standard(async (value) => Promise.resolve(check(value))),
  'an object made by hand': {
    safeParse: (value) =>
      check(value).issues === undefined
        ? { success: true, data: value as Plan }
        : { success: false, error: { issues: [{ path: ['steps', 0, 'title'], message: 'must be a text' }] } },
  },
};

describe.each(Object.entries(schemas))('the schema of a request: %s', (_, schema) => {
  test('passes a valid answer on, the same object and unchanged', async () => {
    await expect(answered(GOOD, { schema })).resolves.toBe(GOOD);
  });

  test('rejects an invalid answer, with the path of the issue', async () => {
    await expect(answered(BAD, { schema })).rejects.toMatchObject({
      code: 'invalid-message',
      message: 'invalid answer to get_plan',
      issues: [{ path: ['steps', 0, 'title'], message: expect.any(String) }],
    });
  });
});

test('an issue without a path concerns the whole answer', async () => {
  const schema = standard(() => ({ issues: [{ message: 'no plan' }] }));
  await expect(answered(GOOD, { schema })).rejects.toMatchObject({ issues: [{ path: [], message: 'no plan' }] });
});

test.each<[string, (thrown: Error) => Promise<StandardResult>]>([
  [
    'throws',
    (thrown) => {
      throw thrown;
    },
  ],
  ['rejects', async (thrown) => Promise.reject(thrown)],
])('a schema that %s rejects its request with the same error', async (_, validate) => {
  const thrown = new Error('a defect of the schema');
  await expect(answered(GOOD, { schema: standard(() => validate(thrown)) })).rejects.toBe(thrown);
});

test('an asynchronous schema may take longer than the time limit and the signal of its request', async () => {
  vi.useFakeTimers();
  try {
    const checked = createDeferred<StandardResult>();
    const controller = new AbortController();
    const options = { schema: standard(() => checked.promise), timeoutMs: 10, signal: controller.signal };
    const answer = answered(GOOD, options);
    await vi.advanceTimersByTimeAsync(20);
    controller.abort();
    checked.settle({});
    await expect(answer).resolves.toBe(GOOD);
  } finally {
    vi.useRealTimers();
  }
});

test('the type of an answer is the input type of its schema, because nothing is transformed', () => {
  const pending = createPendingRequests({ send: () => {} });
  const ask = { subtype: 'get_plan' } as const;
  const plan = z.object({ at: z.string().transform(Number), note: z.string().default('') });
  expectTypeOf(pending.request(ask, { schema: plan })).resolves.toEqualTypeOf<{
    at: string;
    note?: string | undefined;
  }>();
  const small = mini.object({ at: mini.string() });
  expectTypeOf(pending.request(ask, { schema: small })).resolves.toEqualTypeOf<{ at: string }>();
  expectTypeOf(pending.request({ subtype: 'mcp_status' }, { schema: small })).resolves.toEqualTypeOf<{ at: string }>();
  const byHand = { safeParse: (value: unknown) => ({ success: true as const, data: value as Plan }) };
  expectTypeOf(pending.request(ask, { schema: byHand })).resolves.toEqualTypeOf<Plan>();
});
