import { describe, expect, test } from 'vitest';
import { ControlError } from '../errors.ts';
import type { WireMessage } from '../framing/parse-line.ts';
import { TransportError } from '../transport/error.ts';
import { createRequestHandlers, type RequestContext, type RequestHandler } from './request-handlers.ts';

function setUp(handlers: Readonly<Record<string, RequestHandler>>) {
  const answers: unknown[] = [];
  const served = createRequestHandlers({ handlers, send: (frame) => void answers.push(frame['response']) });
  const serve = (subtype: string, request_id: unknown = 'r1') =>
    served.serve({ type: 'control_request', request_id, request: { subtype } });
  return { answers, served, serve };
}

describe('a request', () => {
  test('is answered with what its handler returns, at once where that is no promise', () => {
    const { answers, serve } = setUp({ now: () => ({ mode: 'plan' }), nothing: () => undefined });
    serve('now');
    serve('nothing', 'r2');
    expect(answers).toEqual([
      { subtype: 'success', request_id: 'r1', response: { mode: 'plan' } },
      { subtype: 'success', request_id: 'r2' },
    ]);
  });

  test('is answered with the error its handler throws or rejects with, and its code', async () => {
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

  test('is answered also when what the handler throws converts to no text', () => {
    const { answers, serve } = setUp({
      throws: () => {
        throw Object.create(null);
      },
    });
    serve('throws');
    expect(answers).toEqual([{ subtype: 'error', request_id: 'r1', error: 'object' }]);
  });

  test.each(['unheard_of', 'toString', '__proto__', undefined])('of the kind %s is refused at once', (subtype) => {
    const { answers, serve } = setUp({});
    serve(subtype as string);
    const error = `Unsupported control request subtype: ${subtype}`;
    expect(answers).toEqual([{ subtype: 'error', request_id: 'r1', error, error_code: 'unsupported_request' }]);
  });

  test.each([[7], [undefined]])('with the id %s is answered under the same', (requestId) => {
    const { answers, served } = setUp({ echo: () => 1 });
    served.serve({
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
    const served = createRequestHandlers({ handlers: { big: () => 1n }, send });
    served.serve({ type: 'control_request', request_id: 'r1', request: { subtype: 'big' } });
    expect(frames).toEqual([{ type: 'control_response', response: expect.objectContaining({ subtype: 'error' }) }]);
  });

  test('that ends behind the stream is dropped without harm', async () => {
    const served = createRequestHandlers({
      handlers: { late: async () => 1 },
      send() {
        throw new TransportError('closed', 'Stream closed');
      },
    });
    served.serve({ type: 'control_request', request_id: 'r1', request: { subtype: 'late' } });
    await served.idle();
    expect(served.running).toBe(0);
  });
});

describe('a cancel', () => {
  const waiting: RequestHandler = (_, { signal }: RequestContext) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late')));

  test('aborts the signal of its request and leaves that unanswered', async () => {
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

  test('frees what waits for a handler that ignores it', async () => {
    const { served, serve } = setUp({ deaf: () => new Promise(() => {}) });
    serve('deaf', 'r1');
    serve('deaf', 'r2');
    served.cancel('r1');
    served.abort(new Error('end'));
    await served.idle();
    expect(served.running).toBe(0);
  });

  test('is seen by a handler that asks for its signal only afterwards', async () => {
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
