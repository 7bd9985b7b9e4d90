/** Tests of the flag values of `sjp serve`. */
import { expect, test } from 'vitest';
import { parseRestart, planServe } from './serve-plan.ts';

test('--restart must be "never" or on-failure:N', () => {
  expect(parseRestart('never')).toEqual({ maxAttempts: 0 });
  expect(parseRestart('on-failure:5')).toEqual({ maxAttempts: 5 });
  for (const text of ['on-failure', 'on-failure:', 'on-failure:-1', 'always'])
    expect(parseRestart(text)).toBeUndefined();
});

test('--pass-env must be names and prefixes of names', () => {
  const plan = (...passEnv: string[]) => planServe({ listen: '0', store: 'memory', passEnv });
  expect(plan().passEnv).toEqual([]);
  expect(plan('A', 'MY_*', '*', 'ProgramFiles(x86)').passEnv).toEqual(['A', 'MY_*', '*', 'ProgramFiles(x86)']);
  for (const text of ['', 'A=b', 'A B', '*_KEY', 'A*B', '**']) expect(() => plan(text)).toThrow('--pass-env must be');
});

test('only --dangerously-listen-on-network admits other machines, and the names of this machine stay allowed', () => {
  const options = { listen: '0.0.0.0:80', store: 'file:log.db', allowedHost: ['sessions.example'] };
  expect(() => planServe(options)).toThrow('--dangerously-listen-on-network');
  expect(planServe({ ...options, dangerouslyListenOnNetwork: true })).toMatchObject({
    hostname: '0.0.0.0',
    store: { file: 'log.db' },
    isOpen: false,
    allowedHosts: ['127.0.0.1', 'localhost', '[::1]', 'sessions.example'],
  });
  expect(() => planServe({ listen: '0', store: 'memory', tokenFile: 'x', dangerouslyNoAuth: true })).toThrow(
    'cannot be used together',
  );
});

test('sessions are stored in the own file unless --store names a file, a database or memory', () => {
  expect(planServe({ listen: '0' }).store).toBe('own');
  expect(planServe({ listen: '0', store: 'memory' }).store).toBe('memory');
  expect(planServe({ listen: '0', store: './memory' }).store).toEqual({ file: './memory' });
  const store = 'postgres://sjp@db.internal/sjp?sslmode=verify-full';
  expect(planServe({ listen: '0', store }).store).toEqual({ postgres: store });
  for (const store of ['postgres:', 'postgres://db', 'postgresql://u@:x/y'])
    expect(() => planServe({ listen: '0', store })).toThrow('--store must be postgres://USER@HOST');
  for (const store of ['postgres://u:hush@db/x', 'postgres://u@db/x?password=hush']) {
    expect(() => planServe({ listen: '0', store })).toThrow(
      /^(?!.*hush).*--store must not contain a password.*PGPASSWORD/,
    );
  }
  for (const store of ['', 'file:']) expect(() => planServe({ listen: '0', store })).toThrow('--store must be');
});

test('a wrong --listen is not quoted in the error, since it may contain a secret', () => {
  const listen = 'http://me:hunter2@127.0.0.1:80';
  expect(() => planServe({ listen, store: 'memory' })).toThrow(
    /^--listen must be HOST:PORT, such as 127\.0\.0\.1:4983$/,
  );
});

test('--node-url names this server for the others', () => {
  const plan = (nodeUrl?: string, nodeTtl?: string) =>
    planServe({ listen: '0', ...(nodeUrl !== undefined && { nodeUrl }), ...(nodeTtl !== undefined && { nodeTtl }) })
      .cluster;
  expect(plan()).toBeUndefined();
  expect(plan('http://10.0.0.7:8080')).toEqual({ url: 'http://10.0.0.7:8080', ttlMs: undefined });
  expect(plan('https://node.example/', '3s')).toEqual({ url: 'https://node.example', ttlMs: 3000 });
  for (const url of ['', '10.0.0.7:8080', 'ws://10.0.0.7', 'http://10.0.0.7/path', 'http://me:hunter2@10.0.0.7']) {
    expect(() => plan(url)).toThrow(
      /^--node-url must be http:\/\/HOST:PORT, the address at which other servers reach this server$/,
    );
  }
  expect(() => plan(undefined, '3s')).toThrow('--node-ttl needs --node-url');
  expect(() => plan('http://10.0.0.7', '1ms')).toThrow('at least 1s');
  expect(() => plan('http://10.0.0.7', 'soon')).toThrow('--node-ttl must be a duration');
});
