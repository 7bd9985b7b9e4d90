/** One small use of each entry that needs no Node, with what it must give. Every platform runs them. */

interface Use {
  readonly run: () => Promise<unknown>;
  readonly expected: unknown;
}

const PROMPT = { type: 'user', message: { role: 'user', content: 'hello' }, parent_tool_use_id: null } as const;

/** A session of a host and an agent in this program: its answer, and its recording. */
async function recordedSession() {
  const { createMemoryPair } = await import('@proto/core/transport');
  const { runAgent } = await import('@proto/agent');
  const { createReferenceAgent } = await import('@proto/reference-agent');
  const { recordTransport } = await import('@proto/recording');
  const { host, agent } = createMemoryPair();
  const lines: string[] = [];
  const recorded = recordTransport(host, { side: 'host', write: (text) => void lines.push(text) });
  const leaving = runAgent(agent, createReferenceAgent());
  const answer = await answerOver(recorded);
  await leaving;
  return { answer, recording: lines.join('') };
}

async function answerOver(transport: import('@proto/core/transport').Transport): Promise<unknown> {
  const { query } = await import('@proto/host');
  for await (const message of query({ prompt: '/echo hello', transport })) {
    if (message.type === 'result' && message.subtype === 'success') return message.result;
  }
  return undefined;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let found = 0;
  for await (const _ of items) found++;
  return found;
}

/** Of the entries that make a session together. */
const session: Use = { run: async () => (await recordedSession()).answer, expected: 'hello' };

export const USES: Readonly<Record<string, Use>> = {
  '@proto/acp': {
    async run() {
      const { connectEditor, localSessions } = await import('@proto/acp');
      const { createMemoryPair, encodeBatch, flattenIncoming } = await import('@proto/core/transport');
      const { host: editor, agent } = createMemoryPair();
      const start = () => Promise.reject(new Error('no session is started'));
      const { closed } = connectEditor(agent, { sessions: localSessions({ start: start as never }) });
      const initialize = {
        type: 'request',
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: 1 },
      };
      await editor.send(encodeBatch(initialize));
      for await (const item of flattenIncoming(editor.incoming)) {
        if (item.kind !== 'message') continue;
        const { result } = Object(JSON.parse(item.text));
        await editor.close();
        await closed;
        return result.protocolVersion;
      }
      return undefined;
    },
    expected: 1,
  },
  '@proto/adapters': {
    async run() {
      const { buildInvocation, createBackendRegistry } = await import('@proto/adapters');
      const codex = createBackendRegistry().get('codex');
      return codex && buildInvocation(codex, { prompt: 'hello' }).command;
    },
    expected: 'codex',
  },
  '@proto/agent': session,
  '@proto/core': {
    async run() {
      const { createPendingRequests } = await import('@proto/core');
      const sent: unknown[] = [];
      const pending = createPendingRequests({ send: (frame) => void sent.push(frame['request_id']) });
      const answer = pending.request({ subtype: 'get_plan' });
      const response = { subtype: 'success', request_id: sent[0], response: { steps: 3 } };
      return [pending.settle({ type: 'control_response', response }), await answer];
    },
    expected: ['settled', { steps: 3 }],
  },
  '@proto/core/drift': {
    async run() {
      const { createDriftReport } = await import('@proto/core/drift');
      const report = createDriftReport({ direction: 'from-agent' });
      report.read('{"type":"new"}');
      return report.drift.map(({ code }) => code);
    },
    expected: ['unknown_type'],
  },
  '@proto/core/framing': {
    async run() {
      const { createLineDecoder } = await import('@proto/core/framing');
      return createLineDecoder().push(new TextEncoder().encode('{"a":"é"}\n{"b'));
    },
    expected: ['{"a":"é"}'],
  },
  // Only the other packages may import it.
  '@proto/core/internal': session,
  '@proto/core/messages': {
    async run() {
      const { parseMessage } = await import('@proto/core/messages');
      return parseMessage(PROMPT, { direction: 'from-host' }).kind;
    },
    expected: 'known',
  },
  '@proto/core/network': {
    async run() {
      const { createReplayBuffer } = await import('@proto/core/network');
      const { encodeBatch } = await import('@proto/core/transport');
      const buffer = createReplayBuffer();
      buffer.append(encodeBatch(PROMPT));
      buffer.append(encodeBatch(PROMPT));
      buffer.acknowledge(1);
      return [...buffer.unacknowledged()].map(({ first }) => first);
    },
    expected: [2],
  },
  '@proto/core/reconnect': {
    async run() {
      const { backoffMs } = await import('@proto/core/reconnect');
      return backoffMs(3, { baseMs: 100, capMs: 1000, jitter: 0 });
    },
    expected: 200,
  },
  '@proto/core/transport': session,
  '@proto/headless/auth': {
    async run() {
      const { runAuthCommand } = await import('@proto/headless/auth');
      const status = () => ({ loggedIn: false, authMethod: 'none', apiProvider: 'none' });
      return (await runAuthCommand({ name: 'status', format: 'json' }, 'my-agent', { status })).code;
    },
    expected: 1,
  },
  '@proto/host': session,
  '@proto/host/view': {
    async run() {
      const { createSessionView } = await import('@proto/host/view');
      const { createHostSession } = await import('@proto/host');
      const { createMemoryPair } = await import('@proto/core/transport');
      const { runAgent } = await import('@proto/agent');
      const { createReferenceAgent } = await import('@proto/reference-agent');
      const { host, agent } = createMemoryPair();
      void runAgent(agent, createReferenceAgent());
      const view = createSessionView();
      const session = createHostSession(host, view.callbacks);
      const ended = new Promise<void>((resolve) =>
        view.subscribe(() => {
          if (view.getSnapshot().turns.at(-1)?.result !== undefined) resolve();
        }),
      );
      void view.follow(session);
      await session.prompt('/echo hello').accepted;
      await ended;
      await session.close();
      return view.getSnapshot().turns.flatMap(({ items }) => items.map(({ kind }) => kind));
    },
    expected: ['text'],
  },
  '@proto/permissions': {
    async run() {
      const { createPermissionRules, decidePermission } = await import('@proto/permissions');
      const call = { tool: 'Bash', input: { command: 'rm -r .' } };
      return (await decidePermission(createPermissionRules({ deny: ['Bash(rm *)'] }), call, { cwd: '/' })).behavior;
    },
    expected: 'deny',
  },
  '@proto/recording': {
    async run() {
      const { createReplay, parseRecording } = await import('@proto/recording');
      const { recording } = await recordedSession();
      return answerOver(createReplay(parseRecording(recording), { as: 'agent' }).transport);
    },
    expected: 'hello',
  },
  '@proto/recording/check': {
    async run() {
      const { checkLines } = await import('@proto/recording/check');
      const { findings, report } = checkLines(bytesOf(`${JSON.stringify(PROMPT)}\n{}\n`), { direction: 'from-host' });
      return [await count(findings), report.lines, report.valid];
    },
    expected: [1, 2, 1],
  },
  '@proto/recording/timeline': {
    async run() {
      const { readEntries } = await import('@proto/recording/timeline');
      return (await count(readEntries(bytesOf((await recordedSession()).recording)))) > 3;
    },
    expected: true,
  },
  '@proto/recording/diff': {
    async run() {
      const { diffRecordings, recordingText } = await import('@proto/recording/diff');
      const { recording } = await recordedSession();
      const other = recording.replace('/echo hello', '/echo other');
      return count((await diffRecordings(recordingText(recording), recordingText(other))).differences);
    },
    expected: 1,
  },
  '@proto/transport-sse': {
    async run() {
      const { workerConflictOf } = await import('@proto/transport-sse');
      return workerConflictOf(new Headers()).reason;
    },
    expected: 'superseded_by_worker',
  },
  '@proto/transport-websocket': {
    async run() {
      const { selectProtocol } = await import('@proto/transport-websocket');
      return [selectProtocol(['other', 'sjp.v1']), selectProtocol([])];
    },
    expected: ['sjp.v1', false],
  },
  '@proto/ingress/event-log': {
    async run() {
      const { storeFull } = await import('@proto/ingress/event-log');
      return storeFull(1000).code;
    },
    expected: 'full',
  },
  '@proto/remote': {
    async run() {
      const { parseSessionAddress, sessionUrl } = await import('@proto/remote');
      return sessionUrl(parseSessionAddress('ws://127.0.0.1:4983').base, 'cse_1');
    },
    expected: 'http://127.0.0.1:4983/v1/code/sessions/cse_1',
  },
  '@proto/reference-agent': session,
  '@proto/terminal/commands': {
    async run() {
      const { shellScript } = await import('@proto/terminal/commands');
      return shellScript('bash', 'sjp').includes('sjp completion bash');
    },
    expected: true,
  },
};

/** Runs every use. Returns the entries whose use gave something else, and what it gave. */
export async function runUses(): Promise<Readonly<Record<string, unknown>>> {
  const wrong: Record<string, unknown> = {};
  for (const [entry, { run, expected }] of Object.entries(USES)) {
    const given = await run().catch((error: unknown) => String(Object(error).stack ?? error));
    if (JSON.stringify(given) !== JSON.stringify(expected)) wrong[entry] = given ?? 'nothing';
  }
  return wrong;
}
