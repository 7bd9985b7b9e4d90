import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { dispatchRequest } from './dispatch-request.ts';

test('the connection is paused while the body is not read', async () => {
  const done: string[] = [];
  const controller = {
    pause: () => done.push('pause'),
    resume: () => done.push('resume'),
  } as unknown as Dispatcher.DispatchController;
  let handler: Dispatcher.DispatchHandler = {};
  const dispatcher = {
    dispatch: (_, given) => (handler = given) === given,
  } as Pick<Dispatcher, 'dispatch'> as Dispatcher;
  const { signal } = new AbortController();
  const request = { method: 'GET', headers: {}, signal, redirect: 'manual', cache: 'no-store' } as const;
  const answered = dispatchRequest(dispatcher, 'http://server.example/', request);
  handler.onRequestStart?.(controller, {});
  handler.onResponseStart?.(controller, 200, {});
  const reader = (await answered).body?.getReader();
  for (let pieces = 0; pieces < 3; pieces++) handler.onResponseData?.(controller, Buffer.alloc(40_000));
  expect(done).toEqual(['pause', 'pause']);
  await reader?.read();
  expect(done).toEqual(['pause', 'pause']);
  await reader?.read();
  expect(done).toEqual(['pause', 'pause', 'resume']);
  await reader?.read();
  handler.onResponseEnd?.(controller, {});
  expect(await reader?.read()).toEqual({ done: true });
});
