import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Names, StandIns } from './stand-ins.ts';

const PROMPT = `${JSON.stringify({ type: 'user', message: { role: 'user', content: '/bash echo hello' } })}\n`;

/** How to run a command that does not end by itself with exit code 0. */
interface Way {
  /** The exit code of a command that ends by itself. */
  readonly code?: number;
  /** The output that shows that the command works. Then its input is closed, and with `stop` it gets a signal. */
  readonly until?: RegExp;
  readonly stop?: boolean;
  /** What is written to the input. Without this and `until` the input is empty. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A client of the command: the command works if the client works. It is started when the output matches `until`. */
  readonly client?: (output: RegExpMatchArray, names: Names) => string;
}

const PATIENCE_MS = 45_000;

const ASKS = /"subtype":"can_use_tool"/;
const FEW_CASES = { SJP_INCLUDE: 'agent/command-line/version' };

/** The ways to run commands, by a pattern of the command line. The first match is used. */
const WAYS: readonly (readonly [RegExp, Way])[] = [
  // The recording differs from another recording, and an answer was changed on purpose.
  [/^sjp diff before\.jsonl after\.jsonl/, { code: 6 }],
  [/^sjp cassette play .*--deny/, { code: 6 }],
  [/^SJP_DEMO_FAULT=drop sjp demo/, { code: 1 }],
  [/^(?:npx .*)?sjp conformance agent (?!.*--(?:include|cases|random))/, { env: FEW_CASES }],
  [/^sjp conformance host/, { env: { SJP_INCLUDE: 'host/control/initialize' } }],
  [/^sjp conformance server/, { env: { SJP_INCLUDE: 'server/apart/requests' } }],
  [/^sjp (?:inspect|bridge) (?:- |"exec:|-- )/, { input: PROMPT, until: ASKS }],
  [/^sjp inspect /, { until: /inspector {2}http:.*ticket=/, stop: true }],
  [
    /^sjp bridge --listen/,
    {
      until: /listening {2}(ws:\S+)\ntoken {6}(\S+)/,
      client: ([, url, token]) => `sjp bridge - ${url} --token-file ${token}`,
      stop: true,
    },
  ],
  [
    /^sjp bridge sse/,
    { until: /^/, client: (_, { workers, waiting }) => `sjp connect ${workers} --session ${waiting}`, stop: true },
  ],
  [/^sjp serve /, { until: /http:\/\/127\.0\.0\.1:/, stop: true }],
  [/^sjp connect .*--format text/, { input: 'hello\n', until: /You said: hello/ }],
  [/^sjp connect /, { input: PROMPT, until: /control_request/, stop: true }],
];

/** A client that sends a prompt, and gets a question of the agent. */
const ASKING: Way = { input: PROMPT, until: ASKS, stop: true };

/** The lines of a help text that are examples. */
export function examplesOf(help: string): readonly string[] {
  const [, block = ''] = /^Examples?:\n((?: {2}.*\n)+)/m.exec(help) ?? [];
  return block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Replaces the names in an example by names of this machine. */
function localize(line: string, names: Names): string {
  return line
    .replace(/sse\+https:\S+\/worker\b/, `sse+${names.workers}/v1/code/sessions/${names.waiting}/worker`)
    .replace('wss://box.example/agent', names.socket)
    .replace('http://127.0.0.1:8080', names.tested)
    .replace('ws://127.0.0.1:9000', 'ws://127.0.0.1:0')
    .replace(/--listen 127\.0\.0\.1:\d+/, '--listen 127.0.0.1:0')
    .replace(/https?:\/\/(?:127\.0\.0\.1:4983|sessions\.example|box\.example)/g, names.server)
    .replace(/cse_7Kq/g, names.session)
    .replace(/--deny \d+/, `--deny ${names.permission}`)
    .replace('--cases turn.yaml', '--cases case.yaml');
}

/** The result of a command. */
export interface Outcome {
  readonly works: boolean;
  /** The exit code and the output, for the text of a failure. */
  readonly text: string;
}

/** Runs a command in a folder, and returns whether it works. `before` is the text before the command on its line. */
export async function runExample(line: string, folder: string, standIns: StandIns, before = ''): Promise<Outcome> {
  const way = WAYS.find(([pattern]) => pattern.test(line))?.[1] ?? {};
  // A session with a permission request. The sessions of other examples with this file do not contain such a request.
  if (line.startsWith('sjp cassette play ')) copyFileSync(join(folder, 'cassette.jsonl'), join(folder, 'fix.jsonl'));
  return run(localize(before + line, standIns.names), way, folder, standIns);
}

async function run(line: string, way: Way, folder: string, standIns: StandIns): Promise<Outcome> {
  const { code = 0, until, stop = false, input, client } = way;
  const hasInput = input !== undefined || until !== undefined;
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    env: { ...standIns.env, ...way.env },
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const patience = setTimeout(() => kill(child, 'SIGKILL'), PATIENCE_MS);
  child.stdin?.on('error', () => {});
  if (input !== undefined) child.stdin?.write(input);
  const output = new Output(child);
  try {
    const match = until === undefined ? undefined : await output.match(until);
    const served = match && client ? await run(client(match, standIns.names), ASKING, folder, standIns) : undefined;
    child.stdin?.end();
    if (stop) kill(child, 'SIGTERM');
    const [status, signal] = await ended;
    const isShown = match !== null && (served?.works ?? true);
    const problem = isShown ? '' : `, without ${until}${served === undefined ? '' : `; its client: ${served.text}`}`;
    return { works: isShown && (stop || status === code), text: `${signal ?? status}${problem}\n${output.text}` };
  } finally {
    clearTimeout(patience);
  }
}

/** What a command has written to stdout and stderr. */
class Output {
  text = '';
  #hasEnded = false;
  #onChange = () => {};

  constructor(child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.text += text;
        this.#onChange();
      });
    }
    child.once('close', () => {
      this.#hasEnded = true;
      this.#onChange();
    });
  }

  /** Waits for a text. Fulfils with null if the command ends without it. */
  async match(pattern: RegExp): Promise<RegExpMatchArray | null> {
    for (;;) {
      const match = pattern.exec(this.text);
      if (match !== null || this.#hasEnded) return match;
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    }
  }
}

/** Ends a command and the programs that it has started. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
}
