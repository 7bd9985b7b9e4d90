import { Writable } from 'node:stream';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import type { HeadlessEnvironment } from '../environment.ts';
import { runHeadless } from '../run-headless.ts';
import type { AgentAuth } from './agent-auth.ts';

/** Runs an executable with these arguments. Returns its output and its exit code. */
async function run(words: string, auth?: AgentAuth) {
  let [stdout, stderr, code] = ['', '', -1];
  const into = (take: (text: string) => void) =>
    new Writable({
      write(chunk, _, done) {
        take(String(chunk));
        done();
      },
    });
  const environment: HeadlessEnvironment = {
    name: 'my-agent',
    // oxlint-disable-next-line require-yield -- No turn may begin.
    async *runTurn() {
      throw new Error('a turn has begun');
    },

    process: {
      argv: words.split(' '),
      stdout: into((text) => (stdout += text)),
      stderr: into((text) => (stderr += text)),
      exit: (status) => (code = status),
    },
    ...(auth && { auth }),
  };
  await runHeadless(environment);
  return { stdout, stderr, code };
}

const KEY = { loggedIn: true, authMethod: 'api_key', apiProvider: 'my-service', apiKeySource: 'MY_KEY' };

verifies('PROGRAM-24', 'the status is JSON or a sentence, and the exit code is 1 if nobody is signed in', async () => {
  const signedIn: AgentAuth = { status: () => KEY };
  const json = await run('auth status --json', signedIn);
  expect({ ...json, stdout: JSON.parse(json.stdout) }).toEqual({ stdout: KEY, stderr: '', code: 0 });
  expect(await run('auth status', signedIn)).toEqual(json);
  const text = await run('auth status --text', signedIn);
  expect(text).toEqual({ stdout: 'Signed in to my-service: MY_KEY\n', stderr: '', code: 0 });

  const nobody = { loggedIn: false, authMethod: 'none', apiProvider: 'my-service' };
  const signedOut: AgentAuth = { status: async () => nobody, logIn: () => 'Welcome.' };
  const none = await run('auth status --json', signedOut);
  expect({ ...none, stdout: JSON.parse(none.stdout) }).toEqual({ stdout: nobody, stderr: '', code: 1 });
  expect(await run('auth status --text', signedOut)).toMatchObject({
    stdout: 'Not signed in. Run my-agent auth login to sign in.\n',
    code: 1,
  });
});

test('an agent without a sign-in is ready, under its own name', async () => {
  const { stdout, code } = await run('auth status --json');
  expect(JSON.parse(stdout)).toEqual({ loggedIn: true, authMethod: 'none', apiProvider: 'my-agent' });
  expect(code).toBe(0);
  expect((await run('auth status --text')).stdout).toBe('my-agent does not require signing in.\n');
  expect(await run('auth logout')).toEqual({ stdout: 'my-agent does not support signing in.\n', stderr: '', code: 0 });
  expect(await run('auth login')).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('cannot sign in'),
    code: 1,
  });
});

test('login and logout are functions of the agent, whose error is one line', async () => {
  const auth: AgentAuth = {
    status: () => KEY,
    logIn: () => 'Welcome.',
    logOut: () => {
      throw new Error('the keychain\nis locked');
    },
  };
  expect(await run('auth login', auth)).toEqual({ stdout: 'Welcome.\n', stderr: '', code: 0 });
  expect(await run('auth logout', auth)).toEqual({ stdout: '', stderr: 'Error: the keychain is locked\n', code: 1 });
});
