/** Tests that the document of OpenAPI has every route, and that tools can read it. All answers of `startIngress` are compared with it as well. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createAccounts } from '../auth/accounts.ts';
import { createGuard } from '../http/guard.ts';
import { createIngressApp } from '../http/ingress-app.ts';
import { createIngressContext } from '../http/ingress-context.ts';
import { createAnswerPost } from '../posts/answer-post.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { checkAnswer } from './answers.test-support.ts';
import { openApiDocument } from './openapi-document.ts';

type Operations = Readonly<
  Record<string, { readonly operationId: string; readonly parameters: readonly { readonly name: string }[] }>
>;
const { paths } = openApiDocument() as { readonly paths: Readonly<Record<string, Operations>> };
const described = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method} ${path}`),
);

test('every route of the server is in the document, and no other', async () => {
  const metrics = { token: 'collector-token-0123456789', read: async () => ({ contentType: 'text/plain', text: '' }) };
  const options = { log: createMemoryEventLog(), accounts: await createAccounts([]), metrics };
  const context = createIngressContext(options);
  const checks = { guard: createGuard({}), isDraining: () => false };
  const answerPost = createAnswerPost(context, { ...checks, onError: context.onError });
  const { routes } = createIngressApp(context, { ...checks, answerPost, options });
  const served = routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/(.)\/$/, '$1').replace(':id', '{id}')}`);
  expect(described.toSorted()).toEqual(served.toSorted());
});

test('names of operations are unique, parameters of the path are declared, and every reference has its schema', () => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((one) => ({ path, ...one })),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, parameters } of operations) {
    expect(parameters.some(({ name }) => name === 'id')).toBe(path.includes('{id}'));
  }
  const text = JSON.stringify(openApiDocument());
  const { components } = openApiDocument() as { readonly components: { readonly schemas: object } };
  const used = new Set(Array.from(text.matchAll(/#\/components\/schemas\/(\w+)/g), ([, name]) => name));
  expect(used).toEqual(new Set(Object.keys(components.schemas)));
});

test('the file in docs is this document: npm run generate writes it', () => {
  const file = readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(file)).toEqual(openApiDocument());
});

test('an answer that is not described is noticed', () => {
  const session = '/v1/code/sessions/cse_1';
  const refusal = { type: 'error', error: { type: 'a', message: 'b' } };
  checkAnswer('POST', `${session}/tickets`, 200, { ticket: 'a', expires_in: 1 });
  checkAnswer('POST', `${session}/tickets?a=b`, 404, refusal);
  checkAnswer('POST', '/no/such/address', 404, refusal);
  expect(() => checkAnswer('POST', `${session}/tickets`, 200, { ticket: 'a' })).toThrow('expires_in');
  expect(() => checkAnswer('POST', `${session}/tickets`, 200, { ticket: 'a', expires_in: 1, more: 1 })).toThrow(
    'additional',
  );
  expect(() => checkAnswer('POST', `${session}/tickets`, 418, refusal)).toThrow('is not described');
  expect(() => checkAnswer('POST', `${session}/tickets`, 404, { error: 'no' })).toThrow('not as described');
});
