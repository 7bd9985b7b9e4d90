import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A package that declares another protocol in the same form as the published package. */
export const MADE: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'made',
    version: '1.0.0',
    claudeCodeVersion: '9.9.9',
    scripts: { preinstall: 'exit 1', prepare: 'exit 1', prepack: 'exit 1' },
  }),
  'made.mjs': 'throw new Error("nobody reads this");',
  'sdk.d.ts': `
import type { Elsewhere } from 'elsewhere';
declare namespace coreTypes { export { Mode, Hello } }
/** A comment, with "quotes" and ' one. */
export declare type Mode = 'slow' | 'fast';
export declare const HOOK_EVENTS: readonly ['Start', 'Stop'];
declare type Hello = {
    type: 'system';
    subtype: 'hello';
    /** Which one. */
    mode: Mode;
    tools: { name: string; status?: 'on' | 'off'; }[];
    from?: Origin;
    note: string | null;
};
declare type Bye = { type: 'bye'; code: number; };
declare type Failed = { type: 'result'; subtype: 'error_a' | 'error_b'; why?: string; };
declare type Origin = { kind: 'person'; } | { kind: 'task'; of?: 'timer' | 'event'; };
declare type Sent = Hello | Failed;
declare type ControlRequest = { type: 'control_request'; request_id: string; request: SDKControlRequestInner; };
declare type StdoutMessage = coreTypes.Sent | Bye | ControlRequest;
declare type SDKControlRequestInner = SetModeRequest | ReadRequest;
declare type SetModeRequest = { subtype: 'set_mode'; mode: coreTypes.Mode; };
declare type ReadRequest = { subtype: 'read'; path: string; };
declare type ReadResponse = { contents: string; more: Record<string, { size: number; }>; };
declare type BaseHookInput = { session_id: string; };
declare type StopHookInput = BaseHookInput & { hook_event_name: 'Stop'; why?: string; };
declare type StartHookInput = (BaseHookInput & { hook_event_name: 'Start'; }) & { source: 'new' | 'old'; };
declare type StopHookSpecificOutput = { hookEventName: 'Stop'; more?: string; };
declare type HookInput = StopHookInput | StartHookInput;
export declare interface Settings { theme?: 'dark' | 'light'; permissions?: { allow?: string[]; }; [k: string]: unknown; }
export declare function query(options: Elsewhere): void;
export { }
`,
  'sdk-tools.d.ts': `
export type Outputs =
  | TimerOutput
  | OtherOutput;
export interface TimerOutput { id: string; }
export type OtherOutput = { status: "done"; } | string;
`,
  'browser-sdk.d.ts': `
import type { Query, Message } from './elsewhere';
export type { Mode } from './elsewhere';
export type StreamOptions = { streamUrl: string; onGap?: () => void; };
export type Options = { prompt: string; } & ({ sse: StreamOptions; } | { websocket: string; });
/** Where a message comes from. */
export declare function eventOf(query: Query, message: Message): { event_id: string; created_at?: string; } | undefined;
export declare const READY: boolean;
`,
  'bridge.d.ts': `
export type State = 'idle' | 'running';
export type Handle = {
    readonly id: string;
    report(state: State): void;
};
export declare function attach(url: string, state?: State): Promise<Handle>;
export declare function isState(value: unknown): value is State;
export declare function log({ url }: { url: string; }, ...more: string[]): void;
`,
};

/** Creates folders for packages and inventories; `remove` deletes them. */
export class Folders {
  readonly #all: string[] = [];

  make(): string {
    const folder = mkdtempSync(join(tmpdir(), 'drift-'));
    this.#all.push(folder);
    return folder;
  }

  /** Creates a folder with a package. `changed` replaces files of the made package; `undefined` omits a file. */
  packageOf(changed: Readonly<Record<string, string | undefined>> = {}): string {
    const folder = join(this.make(), 'package');
    mkdirSync(folder);
    for (const [name, text] of Object.entries({ ...MADE, ...changed })) {
      if (text !== undefined) writeFileSync(join(folder, name), text);
    }
    return folder;
  }

  remove(): void {
    for (const folder of this.#all.splice(0)) rmSync(folder, { recursive: true });
  }
}

/** Returns the declarations with one text replaced by another; the text must occur exactly once. */
export function sdkWith(text: string, instead: string): string {
  const sdk = MADE['sdk.d.ts'] ?? '';
  if (sdk.split(text).length !== 2) throw new Error(`not there once: ${text}`);
  return sdk.replace(text, () => instead);
}

/** Creates a tarball as npm does: all files in one folder. */
export function tarballOf(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(`package/${name}`, 0);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('0', 156);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
}
