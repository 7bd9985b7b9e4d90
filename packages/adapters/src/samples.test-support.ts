import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { createBackendRegistry } from './backends/backend-registry.ts';
import type { AgentBackend } from './backends/backend.ts';
import type { AgentEvent, AgentEventOf, SessionResult } from './events/agent-event.ts';
import type { OutputSource } from './events/output-source.ts';
import { readEvents } from './events/read-events.ts';
import type { MalformedLine } from './events/record-decoder.ts';

const folder = new URL('../testdata/', import.meta.url);

interface Expectation {
  readonly backend: string;
  readonly exitCode: number;
  readonly lines: number;
  readonly blankLines?: number;
  readonly malformed: number;
  readonly sessionId?: string;
  readonly model?: string;
  readonly text: string;
  readonly textEvents: { readonly delta: number; readonly whole: number };
  readonly thinking: string;
  readonly toolCalls: readonly object[];
  readonly toolResults: readonly object[];
  readonly errors: readonly string[];
  readonly unknownTypes: readonly string[];
  readonly usage?: { input: number; cacheRead: number; cacheWrite: number; output: number; cost?: number };
  readonly complete: { ok: boolean; reason: string; error?: string; resultText?: string };
}

/** A recording: the output of a backend, and the facts that a correct reader must find in it. */
export interface Sample {
  readonly name: string;
  readonly backend: AgentBackend;
  readonly bytes: Uint8Array;
  readonly expected: Expectation;
}

const expectations = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<string, Expectation>;
const registry = createBackendRegistry();

export const samples: readonly Sample[] = Object.entries(expectations).map(([name, expected]) => {
  const backend = registry.get(expected.backend);
  if (backend === undefined) throw new Error(`${name}: no backend ${expected.backend}`);
  return { name, backend, bytes: readFileSync(new URL(name, folder)), expected };
});

export function sampleNamed(name: string): Sample {
  const sample = samples.find((each) => each.name === name);
  if (sample === undefined) throw new Error(`no sample ${name}`);
  return sample;
}

export interface Run {
  readonly events: readonly AgentEvent[];
  readonly malformed: readonly MalformedLine[];
  readonly result: SessionResult;
}

export async function run(backend: AgentBackend, output: OutputSource, exitCode: number | null = 0): Promise<Run> {
  const events: AgentEvent[] = [];
  const malformed: MalformedLine[] = [];
  const exit = { exitCode, signal: null };
  const onMalformed = (line: MalformedLine) => malformed.push(line);
  for await (const event of readEvents(backend, { prompt: '' }, output, exit, { onMalformed })) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'complete') throw new Error('the last event is not complete');
  return { events, malformed, result: last.result };
}

export function runLines(backend: AgentBackend, lines: readonly unknown[], exitCode: number | null = 0): Promise<Run> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return run(backend, [text], exitCode);
}

export function ofType<Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type) {
  return events.filter((event): event is AgentEventOf<Type> => event.type === type);
}

/** The facts about a run, in the format of `expected.json`. */
export function factsOf({ events, malformed, result }: Run) {
  const parent = ({ parentId }: { parentId?: string | undefined }) =>
    parentId === undefined ? {} : { parent: parentId };
  const texts = ofType(events, 'text').filter(({ parentId }) => parentId === undefined);
  const start = ofType(events, 'session_start')[0];
  return {
    lines: result.stats.lines,
    blankLines: result.stats.blank,
    malformed: malformed.length,
    sessionId: result.sessionId,
    model: start?.model,
    text: texts.map(({ text }) => text).join(''),
    thinking: ofType(events, 'thinking')
      .map(({ text }) => text)
      .join(''),
    toolCalls: ofType(events, 'tool_call').map((event) => {
      const { id, name, input } = event;
      return { id, name, input, ...parent(event) };
    }),
    toolResults: ofType(events, 'tool_result').map((event) => {
      const { id, output, isError } = event;
      return { id, output, isError, ...parent(event) };
    }),
    errors: ofType(events, 'error').map(({ message }) => message),
    unknownTypes: Object.keys(result.stats.unknown),
  };
}

export function expectSound(events: readonly AgentEvent[]): void {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'tool_call') open.add(event.id);
    if (event.type === 'tool_result') expect(open).toContain(event.id);
  }
  expect(ofType(events, 'complete')).toHaveLength(1);
  expect(events.at(-1)?.type).toBe('complete');
}
