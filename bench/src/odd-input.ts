import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { createOutboundStream, createSession } from '@proto/core';
import { createLineDecoder, parseLine } from '@proto/core/framing';
import { parseMessage } from '@proto/core/messages';
import { createMemoryPair } from '@proto/core/transport';
import { nodeTextDecoder } from '@proto/transport-stdio';
import { byteLines, chunks, createFixtures, messages } from './fixtures.ts';
import { limit2 } from './framers.ts';
import { type Candidate, compare } from './measure.ts';
import { type Row, report } from './report.ts';
import { ANSWER, ASK, checkAnswer } from './rpc/permission.ts';

const { delta250, cjk1k, toolResult, code } = createFixtures();
const REQUESTS = 10_000;
const REQUEST = { subtype: 'can_use_tool', ...ASK };

/** X1: unusual input that the other suites do not have. It must not cost many times as much as usual input. */
export async function oddInput(): Promise<void> {
  await smallChunks();
  await badLines();
  await veryLongLine();
  await invalidMessages();
  await requests();
  await changedAfterwards();
}

/** Chunks of a few bytes, which split characters of several bytes, compared with `readline`. */
async function smallChunks(): Promise<void> {
  for (const [name, make] of Object.entries({ '250B': delta250, 'CJK 1KB': cjk1k, '100KB': toolResult })) {
    for (const size of [1, 3, 7, 63, 4093]) {
      const made = messages(make, name === '100KB' ? 100_000 : 64 * 1024);
      const cut = chunks(made, size);
      const candidates = { readline: byReadline(cut), ours: byDecoder(cut) };
      await atLeast(`${name} in chunks of ${size} bytes`, 'readline', candidates, made.length, 1);
    }
  }
}

/** One line in ten is not a message, or is longer than the limit. */
async function badLines(): Promise<void> {
  const good = messages(delta250, 512 * 1024);
  const bad = good.map((line, index) => (index % 10 === 0 ? line.slice(0, -7) : line));
  const cut = chunks(bad, 65_536);
  const candidates = { readline: byReadline(cut), ours: byDecoder(cut) };
  await atLeast('1 line in 10 malformed', 'readline', candidates, bad.length, 1);
  const long = good.map((line, index) => (index % 10 === 0 ? JSON.stringify({ type: 'x', text: code(3000) }) : line));
  const mixed = chunks(long, 65_536);
  const limited = { 'no limit': byDecoder(mixed), limit: byDecoder(mixed, 1024) };
  await atLeast('1 line in 10 above the limit', 'no limit', limited, long.length, 0.6);
}

async function veryLongLine(): Promise<void> {
  const line = [JSON.stringify({ type: 'user', text: code(15_000_000) })];
  for (const size of [65_536, 1000]) {
    const candidates = { LIMIT2: limit2(byteLines(line)), ours: byDecoder(chunks(line, size)) };
    await atLeast(`a line of 16 MB in chunks of ${size} bytes`, 'LIMIT2', candidates, 1, 0.6);
  }
}

/** One message in ten lacks a required member, so zod is used to find the reason. */
async function invalidMessages(): Promise<void> {
  const values = messages(delta250, 256 * 1024).map((text) => JSON.parse(text) as Record<string, unknown>);
  const { length } = values;
  const broken = values.map((value, index) => (index % 10 === 0 ? { ...value, session_id: undefined } : value));
  const check = (all: readonly unknown[]) => () => {
    let count = 0;
    for (const value of all) if (parseMessage(value, { direction: 'from-agent' }).kind !== 'unknown') count++;
    return count;
  };
  const candidates = { valid: check(values), 'one in ten': check(broken) };
  await atLeast('1 message in 10 invalid', 'valid', candidates, length, 0.02);
}

/** More than a hundred open requests, fewer than a hundred, and requests of which half are aborted. */
async function requests(): Promise<void> {
  const { host, agent } = createMemoryPair();
  createSession(agent, { handlers: { can_use_tool: () => ANSWER } });
  const session = createSession(host);
  const underWay = (window: number): Candidate => {
    return async () => {
      let left = REQUESTS;
      const ask = async () => {
        while (left-- > 0) checkAnswer(await session.request(REQUEST));
      };
      await Promise.all(Array.from({ length: window }, ask));
      return REQUESTS;
    };
  };
  const halfAborted = async () => {
    let aborted = 0;
    const asked = Array.from({ length: REQUESTS }, (_, index) => {
      const controller = new AbortController();
      const answer = session.request(REQUEST, { signal: controller.signal });
      if (index % 2 === 0) controller.abort();
      return answer.then(checkAnswer, () => void aborted++);
    });
    await Promise.all(asked);
    return aborted * 2;
  };
  const windows = [1, 64, 1024, REQUESTS];
  const candidates = Object.fromEntries(windows.map((window) => [`${window} requests at a time`, underWay(window)]));
  const base = '64 requests at a time';
  for (const name of Object.keys(candidates)) {
    if (name !== base)
      await atLeast(
        name,
        base,
        { [base]: candidates[base] as Candidate, [name]: candidates[name] as Candidate },
        REQUESTS,
        0.4,
      );
  }
  const all = candidates[`${REQUESTS} requests at a time`] as Candidate;
  await atLeast('half of 10 000 aborted', 'none', { none: all, 'half aborted': halfAborted }, REQUESTS, 0.4);
  session.abort();
}

/** The text of a message is made at the time of the call: later changes of the object have no effect and no cost. */
async function changedAfterwards(): Promise<void> {
  const message = JSON.parse(delta250()) as Record<string, unknown>;
  const burst = (change: boolean) => async () => {
    const stream = createOutboundStream();
    for (let index = 0; index < 1000; index++) {
      message['index'] = index;
      stream.enqueue(message);
      if (change) message['index'] = 'changed';
    }
    stream.end();
    let count = 0;
    for await (const { text } of stream) if ((JSON.parse(text) as { index: number }).index === count) count++;
    return count;
  };
  await atLeast('changed after enqueue', 'unchanged', { unchanged: burst(false), changed: burst(true) }, 1000, 0.8);
}

/** Reports the second candidate relative to the first. */
async function atLeast(
  name: string,
  base: string,
  candidates: Readonly<Record<string, Candidate>>,
  count: number,
  goal: number,
): Promise<void> {
  const result = await compare<string>(base, candidates, count, { rounds: 7, peers: Object.keys(candidates) });
  const [, ours = ''] = result.names;
  report({ id: 'X1', case: name, metric: 'ratio', value: result.of(ours).ratio, goal, tol: 0.1, base } satisfies Row);
}

function byDecoder(from: readonly Buffer[], maxLineBytes = Number.POSITIVE_INFINITY): Candidate {
  const decode = nodeTextDecoder();
  return () => {
    const decoder = createLineDecoder({ decode, maxLineBytes });
    let count = 0;
    for (const chunk of from) {
      for (const line of decoder.push(chunk)) {
        if (typeof line === 'string') parseLine(line);
        count++;
      }
    }
    return count;
  };
}

function byReadline(from: readonly Buffer[]): Candidate {
  return () => {
    const input = new PassThrough();
    let count = 0;
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('line', (line) => {
      try {
        JSON.parse(line);
      } catch {
        // A malformed line does not end the loop.
      }
      count++;
    });
    for (const chunk of from) input.write(chunk);
    input.end();
    return new Promise((resolve) => lines.once('close', () => resolve(count)));
  };
}
