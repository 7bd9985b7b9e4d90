/** A folder in which the commands of examples can run: the programs, files and servers that the examples name, all on this machine. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const bin = (name: string) => join(ROOT, `packages/cli/dist/${name}.js`);
const fixture = (name: string) => join(ROOT, 'conformance/fixtures', name);
const sample = (name: string) => join(ROOT, 'packages/adapters/testdata', name);
const node = (...words: readonly string[]) =>
  `"${process.execPath}" ${words.map((word) => `"${word}"`).join(' ')} "$@"`;

/** The flags of hosts, for agents that no host starts. */
const FLAGS = '-p --input-format stream-json --output-format stream-json --verbose --permission-prompt-tool stdio';
const TURN = `- expect-prompt: { $any: true }
- turn: There are two files.
`;

const CASE = `- id: agent/mine/hello
  title: The agent answers a prompt.
  spec: [CLI-1]
  steps:
    - prompt: hello
    - expect: { type: result }
`;
const ADAPTER = `import os
os.execvp("node", ["node", "${fixture('host-adapter.mjs')}"])
`;

/** The programs that examples name, as shell scripts. The agents of vendors are played by the reference agent or by a recorded output. */
const PROGRAMS: Readonly<Record<string, string>> = {
  sjp: `exec ${node(bin('main'))}`,
  'sjp-agent': `exec ${node(bin('agent'))}`,
  'sjp-shim': `exec ${node(bin('shim'))}`,
  claude: `exec ${node(bin('agent'))}`,
  'my-agent': `exec ${node(bin('agent'))}`,
  codex: `cat "${sample('codex-basic.jsonl')}"`,
  gemini: `cat > /dev/null; cat "${sample('gemini-basic.jsonl')}"`,
  opencode: `exec ${node(bin('main'))}`,
  git: 'echo "+ a line"',
  jq: `sed -un 's/.*"type":"control_request".*/control_request/p'`,
  npm: 'sjp run hello -- claude',
  npx: '[ "$1" = --package ] && shift 2; exec "$@"',
  ssh: 'shift; exec "$@"',
};

/** The values that replace the servers, sessions and frames in examples. */
export interface Names {
  /** A server of sessions, each with an agent. */
  readonly server: string;
  /** A session of that server. */
  readonly session: string;
  /** A server that starts no agents, and a session on this server that waits for a worker. */
  readonly workers: string;
  readonly waiting: string;
  /** An agent on a WebSocket. */
  readonly socket: string;
  /** A server that the conformance suite tests. */
  readonly tested: string;
  /** The number of the frame with the permission in the cassette. */
  readonly permission: string;
}

export interface StandIns {
  readonly env: NodeJS.ProcessEnv;
  readonly names: Names;
  /** Makes a folder with the files that examples name. */
  createFolder(): string;
  close(): Promise<void>;
}

export async function createStandIns(): Promise<StandIns> {
  const place = mkdtempSync(join(tmpdir(), 'examples-'));
  const home = join(place, 'home');
  const files = join(place, 'files');
  for (const folder of ['bin', 'home/.config/fish/completions', 'files/tapes']) {
    mkdirSync(join(place, folder), { recursive: true });
  }
  for (const [name, script] of Object.entries(PROGRAMS)) {
    writeFileSync(join(place, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(place, 'bin', name), 0o755);
  }
  const env: NodeJS.ProcessEnv = {
    PATH: [join(place, 'bin'), process.env['PATH']].join(delimiter),
    HOME: home,
    NO_COLOR: '1',
    // Ports that no other program uses.
    SJP_LISTEN: '127.0.0.1:0',
    SJP_INSPECT_PORT: '0',
  };
  const children: ChildProcess[] = [];
  /** Starts a server, and returns its first line. */
  const serve = async (script: string): Promise<string> => {
    const child = spawn('sh', ['-c', `exec ${script}`], { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return line;
  };
  const [agents, workers, socket, tested] = await Promise.all([
    serve('sjp serve --store memory --json -- my-agent').then(parseListening),
    serve('sjp serve --store memory --json').then(parseListening),
    serve(`sjp bridge --listen ws://127.0.0.1:0 --multi --json -- my-agent ${FLAGS}`).then(parseListening),
    serve(node(fixture('server.mjs'))),
  ]);
  writeFiles(files, home, agents.token);
  const permission = record(files, env);
  const session = await createSession(agents);
  return {
    env,
    names: {
      server: agents.base,
      session,
      workers: workers.base,
      waiting: await createSession(workers),
      permission,
      socket: socket.url,
      tested: tested.split(' ').at(-1) ?? '',
    },
    createFolder() {
      const folder = mkdtempSync(join(place, 'example-'));
      cpSync(files, folder, { recursive: true });
      return folder;
    },
    async close() {
      for (const child of children) {
        const gone = once(child, 'exit');
        child.kill();
        await gone;
      }
      rmSync(place, { recursive: true, force: true });
    },
  };
}

interface Listening {
  readonly base: string;
  readonly url: string;
  readonly token: string;
}

const parseListening = (line: string) => JSON.parse(line) as Listening;

/** Creates a session. */
async function createSession({ base, token }: Listening): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${base}/v1/code/sessions`, { method: 'POST', headers, body: '{}' });
  const { session } = (await response.json()) as { readonly session: { readonly id: string } };
  return session.id;
}

function writeFiles(files: string, home: string, token: string): void {
  const write = (name: string, text: string) => writeFileSync(join(files, name), text, { mode: 0o600 });
  write('token', token);
  writeFileSync(join(home, '.sjp-token'), token, { mode: 0o600 });
  write('package.json', '{ "name": "example", "private": true }\n');
  write('rules.json', '{ "allow": ["Read"], "default": "deny" }');
  write('prompt.txt', 'hello\n');
  write('prompts.ndjson', `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'hello' } })}\n`);
  write('turn.yaml', TURN);
  write('case.yaml', CASE);
  write('prompts.yaml', '- prompt: hello\n- expect: { type: result }\n');
  write('my-prompts.json', '{ "text": "hello", "echo": "/echo" }');
  write('known-failures.yaml', '[]\n');
  cpSync(fixture('host.mjs'), join(files, 'host.mjs'));
  cpSync(sample('codex-basic.jsonl'), join(files, 'codex.jsonl'));
  cpSync(fixture('server.tokens.yaml'), join(files, 'tokens.yaml'));
  write('my-host.mjs', `await import(${JSON.stringify(fixture('host.mjs'))});\n`);
  write('adapter.py', ADAPTER);
  write('my-adapter.py', ADAPTER);
  write('my-agent.js', `process.argv.splice(2, 1);\nimport(${JSON.stringify(bin('agent'))});\n`);
}

/** Makes the recordings, as the documents say. Returns the number of the frame with the permission. */
function record(files: string, env: NodeJS.ProcessEnv): string {
  const lines = [
    'sjp run "fix the failing test" --record fix.jsonl -- claude',
    'sjp run "fix the failing test" --record before.jsonl -- claude',
    'sjp run "fix the failing test twice" --record after.jsonl -- claude',
    'sjp run "fix the failing test" --format ndjson -- claude > wire.ndjson',
    'sjp run "/bash echo fixed" --permissions allow -- sjp cassette record cassette.jsonl -- claude',
    'cp cassette.jsonl tapes/fix.jsonl',
    'sjp explain cassette.jsonl --only span:permission',
  ];
  let explained = '';
  for (const line of lines) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: files, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${line} ended with ${status}: ${stderr}`);
    explained = stdout;
  }
  return /^ *(\d+).*asks can_use_tool/m.exec(explained)?.[1] ?? '';
}
