import { describe, expect, test } from 'vitest';
import { ControlError } from '../errors.ts';
import type { WireMessage } from '../framing/json-line.ts';
import { TransportError } from '../transport/error.ts';
import type { ControlRequestFrame } from './control-frames.ts';
import { createRequestHandlers, type RequestHandler, type RequestHandlers } from './request-handlers.ts';
import type { RequestContext } from './served-request.ts';

const request = (subtype: string, request_id: unknown = 'r1'): ControlRequestFrame => ({
  type: 'control_request',
  request_id,
  request: { subtype },
});

function setUp(
  handlers: Readonly<Record<string, RequestHandler>>,
  hasRoom = () => true,
  shouldServe?: (request: ControlRequestFrame) => boolean,
) {
  const answers: unknown[] = [];
  const send = (frame: WireMessage) => void answers.push(frame['response']);
  const served = createRequestHandlers({ handlers, send, hasRoom, shouldServe });
  const serve = (subtype: string, id?: unknown) => serveNow(served, request(subtype, id));
  return { answers, served, serve };
}

function serveNow(served: RequestHandlers, frame: ControlRequestFrame): void {
  served.add(frame, 100);
  served.serve();
}

describe('a request', () => {
  test.each<[string, (fulfil: (value: unknown) => void, reject: (error: Error) => void) => void]>([
    ['fulfils twice', (fulfil) => [fulfil('one'), fulfil('two')]],
    ['fulfils and rejects', (fulfil, reject) => [fulfil('one'), reject(new Error('x'))]],
  ])('is answered once, even if a foreign promise %s', async (_, then) => {
    // oxlint-disable-next-line unicorn/no-thenable -- The test needs a foreign promise.
    const { answers, served, serve } = setUp({ twice: () => ({ then }) });
    serve('twice');
    await served.idle();
    await Promise.resolve();
    expect(answers).toEqual([{ subtype: 'success', response: 'one', request_id: 'r1' }]);
    expect(served.running).toBe(0);
  });

  test('is answered with the return value of its handler, at once if the handler is synchronous', () => {
    const { answers, serve } = setUp({ now: () => ({ mode: 'plan' }), nothing: () => undefined });
    serve('now');
    serve('nothing', 'r2');
    expect(answers).toEqual([
      { subtype: 'success', request_id: 'r1', response: { mode: 'plan' } },
      { subtype: 'success', request_id: 'r2' },
    ]);
  });

  test('is answered with the error that its handler throws or rejects with, and its code', async () => {
    const { answers, served, serve } = setUp({
      throws: () => {
        throw new ControlError('busy', { code: 'reload_plugins_busy' });
      },
      rejects: () => Promise.reject(new Error('no luck')),
    });
    serve('throws');
    serve('rejects', 'r2');
    await served.idle();
    expect(answers).toEqual([
      { subtype: 'error', request_id: 'r1', error: 'busy', error_code: 'reload_plugins_busy' },
      { subtype: 'error', request_id: 'r2', error: 'no luck' },
    ]);
  });

  test('is answered with the members that its handler adds next to the payload or the error', () => {
    const { answers, serve } = setUp({
      now: (_, context) => {
        context.addResponseMembers({ one: 1 });
        context.addResponseMembers({ two: 2 });
        return { mode: 'plan' };
      },
      throws: (_, context) => {
        context.addResponseMembers({ one: 1, request_id: 'another' });
        throw new Error('no luck');
      },
    });
    serve('now');
    serve('throws', 'r2');
    expect(answers).toEqual([
      { subtype: 'success', request_id: 'r1', response: { mode: 'plan' }, one: 1, two: 2 },
      { subtype: 'error', request_id: 'r2', error: 'no luck', one: 1 },
    ]);
  });

  test('is answered even if the handler throws a value that has no text', () => {
    const { answers, serve } = setUp({
      throws: () => {
        throw Object.create(null);
      },
    });
    serve('throws');
    expect(answers).toEqual([{ subtype: 'error', request_id: 'r1', error: 'object' }]);
  });

  test.each(['unheard_of', 'toString', '__proto__', undefined])('of the unsupported kind %s is refused', (subtype) => {
    const { answers, serve } = setUp({});
    serve(subtype as string);
    const error = `Unsupported control request subtype: ${subtype}`;
    expect(answers).toEqual([{ subtype: 'error', request_id: 'r1', error, error_code: 'unsupported_request' }]);
  });

  test.each([[7], [undefined]])('with the id %s is answered under the same id', (requestId) => {
    const { answers, served } = setUp({ echo: () => 1 });
    serveNow(served, {
      type: 'control_request',
      ...(requestId !== undefined && { request_id: requestId }),
      request: { subtype: 'echo' },
    });
    expect(answers).toEqual([
      { subtype: 'success', ...(requestId !== undefined && { request_id: requestId }), response: 1 },
    ]);
  });

  test('whose answer JSON cannot express is answered with an error', () => {
    const frames: WireMessage[] = [];
    const send = (frame: WireMessage) => {
      JSON.stringify(frame);
      frames.push(frame);
    };
    const served = createRequestHandlers({ handlers: { big: () => 1n }, send, hasRoom: () => true });
    serveNow(served, request('big'));
    expect(frames).toEqual([{ type: 'control_response', response: expect.objectContaining({ subtype: 'error' }) }]);
  });

  test('that finishes after the stream has closed is dropped without an error', async () => {
    const served = createRequestHandlers({
      handlers: { late: async () => 1 },
      send() {
        throw new TransportError('closed', 'Stream closed');
      },
      hasRoom: () => true,
    });
    serveNow(served, request('late'));
    await served.idle();
    expect(served.running).toBe(0);
  });
});

describe('cancelling a request', () => {
  const waiting: RequestHandler = (_, { signal }: RequestContext) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late')));

  test('aborts the signal of the request and sends no answer', async () => {
    const { answers, served, serve } = setUp({ waiting });
    serve('waiting', 'r1');
    serve('waiting', 'r2');
    served.cancel('r1');
    await Promise.resolve();
    expect(served.running).toBe(1);
    served.cancel('unknown');
    served.abort(new Error('end'));
    await served.idle();
    expect(answers).toEqual([]);
  });

  test('ends the wait for a handler that ignores its signal', async () => {
    const { served, serve } = setUp({ deaf: () => new Promise(() => {}) });
    serve('deaf', 'r1');
    serve('deaf', 'r2');
    served.cancel('r1');
    served.abort(new Error('end'));
    await served.idle();
    expect(served.running).toBe(0);
  });

  test('is visible to a handler that reads its signal only afterwards', async () => {
    let go = () => {};
    const { served, serve } = setUp({
      lazy: async (_, context) => {
        await new Promise<void>((resolve) => (go = resolve));
        expect(context.signal.aborted).toBe(true);
      },
    });
    serve('lazy');
    served.cancel('r1');
    go();
    await served.idle();
    expect.assertions(1);
  });
});

describe('request handlers without room for answers', () => {
  const ids = (answers: readonly unknown[]) => answers.map((answer) => (answer as { request_id: unknown }).request_id);

  test('queue requests in order, count their bytes, and start them when there is room', () => {
    let room = 1;
    const { answers, served, serve } = setUp({ now: () => room-- }, () => room > 0);
    for (const id of ['r1', 'r2', 'r3', 'r4']) serve('now', id);
    expect([ids(answers), served.bytes]).toEqual([['r1'], 300]);
    room = 2;
    served.serve();
    expect([ids(answers), served.bytes]).toEqual([['r1', 'r2', 'r3'], 100]);
  });

  test('never start a cancelled request, even if its id was sent twice before the cancel', () => {
    let room = false;
    const { answers, served, serve } = setUp({ now: () => 1 }, () => room);
    serve('now', 'r1');
    serve('now', 'r2');
    serve('now', 'r1');
    served.cancel('r1');
    serve('now', 'r1');
    expect(served.bytes).toBe(200);
    room = true;
    served.serve();
    expect(ids(answers)).toEqual(['r2', 'r1']);
  });

  test('drop the queued requests on abort, and idle waits until then', async () => {
    const { answers, served, serve } = setUp({ now: () => 1 }, () => false);
    serve('now');
    let idle = false;
    const waited = served.idle().then(() => (idle = true));
    await Promise.resolve();
    expect(idle).toBe(false);
    served.abort(new Error('end'));
    await waited;
    expect([answers, served.bytes]).toEqual([[], 0]);
  });
});

test('a request that is no longer new at its turn is skipped, and a cancel finds the first with its id', async () => {
  const began: unknown[] = [];
  const handler: RequestHandler = (_, { requestId, signal }) => {
    began.push(requestId);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const { answers, served } = setUp({ handler }, undefined, ({ request_id }) => !began.includes(request_id));
  served.add(request('handler', 'r1'), 100);
  served.add(request('handler', 'r1'), 100);
  served.serve();
  expect([began, served.running, served.bytes]).toEqual([['r1'], 1, 0]);
  served.cancel('r1');
  await served.idle();
  expect([answers, served.running]).toEqual([[], 0]);
});
