import { expect, test } from 'vitest';
import { type SeenMessage } from './run-host.ts';
import { results, runCleanly } from './sdk.test-support.ts';

/** The results of the SDK's functions, as the scenario reports them. */
interface Told {
  readonly dir: string;
  readonly began: number;
  readonly listed: readonly Info[];
  readonly everywhere: readonly Info[];
  readonly ofPeople: readonly Info[];
  readonly said: readonly SeenMessage[];
  readonly info: Info;
  readonly copy: { readonly sessionId: string };
  readonly after: {
    readonly info: Info;
    readonly copy: Info;
    readonly said: readonly SeenMessage[];
    readonly saidInCopy: readonly SeenMessage[];
    readonly saidInFork: readonly SeenMessage[];
    readonly saidAside: readonly SeenMessage[];
  };
  readonly rest: readonly string[];
  readonly gone: SeenMessage;
}

interface Info {
  readonly sessionId: string;
  readonly createdAt: number;
  readonly lastModified: number;
}

/** Returns the texts of a conversation, in order. */
const textsOf = (messages: readonly SeenMessage[]) =>
  messages.flatMap(({ message }) => {
    const content: unknown = message?.content;
    return typeof content === 'string' ? content : (message?.content ?? []).flatMap(({ text }) => text ?? []);
  });

test('the published SDK lists, reads, resumes, forks, renames, tags and deletes the session files of the agent', async () => {
  const run = await runCleanly('session files of the published layout');
  const told = Object(run.messages[0]?.told) as Told;
  const [first, resumed, continued, forked, renamed, copied] = results(run).map(({ session_id }) => session_id);

  const session = {
    sessionId: first,
    cwd: told.dir,
    firstPrompt: '/echo one /bash true',
    summary: '/echo one /bash true',
  };
  expect(told.listed).toMatchObject([session]);
  expect(told.everywhere).toEqual(told.listed);
  // The SDK starts sessions of programs, which session pickers do not list.
  expect(told.ofPeople).toEqual([]);
  const createdAt = told.listed[0]?.createdAt;
  expect(createdAt).toBeGreaterThanOrEqual(told.began);
  expect(told.listed[0]?.lastModified).toBeGreaterThanOrEqual(createdAt ?? 0);
  expect(told.said.map(({ type }) => type)).toEqual(['user', 'assistant', 'assistant', 'user', 'assistant']);
  expect(told.said.map(({ session_id }) => session_id)).toEqual(Array(5).fill(first));

  expect([resumed, continued, renamed]).toEqual([first, first, first]);
  expect(forked).not.toBe(first);
  expect(textsOf(told.after.saidInFork).at(-2)).toBe('/echo four');
  const marked = { customTitle: 'A title', summary: 'A title', tag: 'a tag' };
  expect(told.info).toMatchObject({ ...marked, archived: true });
  expect(told.after.info).toMatchObject(marked);
  const prompts = textsOf(told.after.said).filter((text) => text.startsWith('/echo'));
  expect(prompts).toEqual(['/echo one\n/bash true', '/echo two', '/echo three', '/echo five']);

  expect(copied).toBe(told.copy.sessionId);
  expect(told.after.copy).toMatchObject({ customTitle: 'A copy', createdAt });
  expect(textsOf(told.after.saidInCopy).at(-1)).toBe('six');
  expect(textsOf(told.after.saidAside)).toContain('You said: aside');
  expect(told.after.saidAside[0]?.parent_tool_use_id).toEqual(expect.any(String));
  expect(textsOf(told.after.saidInCopy)).toContain('/echo three');

  expect(new Set(told.rest)).toEqual(new Set([forked, copied]));
  expect(told.gone.type).toBe('thrown');
});
