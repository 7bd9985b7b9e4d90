import { expect, test } from 'vitest';
import { type SeenMessage } from './run-host.ts';
import { results, runCleanly } from './sdk.test-support.ts';

/** The results of the SDK's functions, as the scenario reports them. */
interface Reported {
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
  const reported = Object(run.messages[0]?.reported) as Reported;
  const [first, resumed, continued, forked, renamed, copied] = results(run).map(({ session_id }) => session_id);

  const session = {
    sessionId: first,
    cwd: reported.dir,
    firstPrompt: '/echo one /bash true',
    summary: '/echo one /bash true',
  };
  expect(reported.listed).toMatchObject([session]);
  expect(reported.everywhere).toEqual(reported.listed);
  // The SDK starts sessions of programs, which session pickers do not list.
  expect(reported.ofPeople).toEqual([]);
  const createdAt = reported.listed[0]?.createdAt;
  expect(createdAt).toBeGreaterThanOrEqual(reported.began);
  expect(reported.listed[0]?.lastModified).toBeGreaterThanOrEqual(createdAt ?? 0);
  expect(reported.said.map(({ type }) => type)).toEqual(['user', 'assistant', 'assistant', 'user', 'assistant']);
  expect(reported.said.map(({ session_id }) => session_id)).toEqual(Array(5).fill(first));

  expect([resumed, continued, renamed]).toEqual([first, first, first]);
  expect(forked).not.toBe(first);
  expect(textsOf(reported.after.saidInFork).at(-2)).toBe('/echo four');
  const marked = { customTitle: 'A title', summary: 'A title', tag: 'a tag' };
  expect(reported.info).toMatchObject({ ...marked, archived: true });
  expect(reported.after.info).toMatchObject(marked);
  const prompts = textsOf(reported.after.said).filter((text) => text.startsWith('/echo'));
  expect(prompts).toEqual(['/echo one\n/bash true', '/echo two', '/echo three', '/echo five']);

  expect(copied).toBe(reported.copy.sessionId);
  expect(reported.after.copy).toMatchObject({ customTitle: 'A copy', createdAt });
  expect(textsOf(reported.after.saidInCopy).at(-1)).toBe('six');
  expect(textsOf(reported.after.saidAside)).toContain('You said: aside');
  expect(reported.after.saidAside[0]?.parent_tool_use_id).toEqual(expect.any(String));
  expect(textsOf(reported.after.saidInCopy)).toContain('/echo three');

  expect(new Set(reported.rest)).toEqual(new Set([forked, copied]));
  expect(reported.gone.type).toBe('thrown');
});
