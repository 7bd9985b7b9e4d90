import { Engine, type Progress } from './engine.ts';

/** A call to the engine, from the page. */
export interface EngineCall {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A message from the worker: the result of a call, or the progress of reading. */
export type EngineAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: string }
  | { readonly progress: Progress };

/** Serves an engine to the page that has started this worker. */
export function serveEngine(): void {
  const send = (answer: EngineAnswer) => self.postMessage(answer);
  const engine = new Engine((progress) => send({ progress }));
  self.onmessage = async ({ data: { id, method, args } }: MessageEvent<EngineCall>) => {
    try {
      const call = engine[method as keyof Engine] as (...given: unknown[]) => Promise<unknown>;
      send({ id, value: await call.apply(engine, [...args]) });
    } catch (error) {
      send({ id, failure: error instanceof Error ? error.message : String(error) });
    }
  };
}

type Methods = {
  [Name in keyof Engine as Engine[Name] extends (...args: never[]) => Promise<unknown> ? Name : never]: Engine[Name];
};

/** The functions of the engine that the page can call. */
export interface EngineClient {
  call<Name extends keyof Methods>(method: Name, ...args: Parameters<Methods[Name]>): ReturnType<Methods[Name]>;
}

/** Starts the engine in a worker that runs the script of the page again. */
export function startEngine(script: string, onProgress: (progress: Progress) => void): EngineClient {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(trusted(address));
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  worker.onmessage = ({ data }: MessageEvent<EngineAnswer>) => {
    if ('progress' in data) return onProgress(data.progress);
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failure' in data) call?.reject(new Error(data.failure));
    else call?.resolve(data.value);
  };
  return {
    call: (method, ...args) => {
      const id = ++last;
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, method, args } satisfies EngineCall);
      return answer as ReturnType<Methods[typeof method]>;
    },
  };
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** Marks the address of the script as trusted, because the content security policy forbids all other scripts. */
function trusted(address: string): string {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  return types?.createPolicy('inspector-worker', { createScriptURL: (url) => url }).createScriptURL(address) ?? address;
}
