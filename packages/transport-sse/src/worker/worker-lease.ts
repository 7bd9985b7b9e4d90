import { parseJson } from '@proto/core/framing';
import type { Clock } from '@proto/core/reconnect';
import { TransportError } from '@proto/core/transport';
import { type Recipient, RequestFailed, type RequestOptions, type Requests } from '../requests.ts';
import { meaningOfStream } from '../response-status.ts';
import { Scope } from '../scope.ts';
import { answerText } from './answer-text.ts';

const REGISTER_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const REGISTRATION: RequestOptions = {
  path: '/worker/register',
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: () => '{}',
  timeoutMs: REGISTER_TIMEOUT_MS,
  meaningOf: meaningOfStream,
};

export interface WorkerLeaseOptions {
  readonly requests: Pick<Requests, 'open'>;
  readonly clock: Clock;
  /** The epoch, if it is known. Default: the epoch of the credential. If the credential has no epoch, the worker registers. */
  readonly epoch: number | undefined;
  readonly signal: AbortSignal;
  /** A later epoch means that the server treats the worker as a new worker. */
  readonly onChange: (epoch: number) => void;
}

/** Each credential has an epoch, which is either part of the credential or assigned when the worker registers. */
export class WorkerLease {
  readonly #options: WorkerLeaseOptions;
  readonly #scope: Scope;
  #epoch: number | undefined;
  #registered: { readonly token: string | undefined; readonly epoch: Promise<number> } | undefined;

  constructor(options: WorkerLeaseOptions) {
    this.#options = options;
    this.#scope = new Scope(options.signal);
  }

  /** @throws {RequestFailed} if the worker cannot register */
  async epochFor({ credential }: Recipient): Promise<number> {
    const epoch = credential?.epoch ?? this.#options.epoch ?? (await this.#register(credential?.token));
    const last = (this.#epoch ??= epoch);
    if (epoch > last) this.#options.onChange((this.#epoch = epoch));
    return epoch;
  }

  async #register(token: string | undefined): Promise<number> {
    if (this.#registered?.token !== token || this.#registered === undefined) {
      this.#registered = { token, epoch: this.#ask() };
    }
    const { epoch } = this.#registered;
    try {
      return await epoch;
    } catch (error) {
      if (this.#registered?.epoch === epoch) this.#registered = undefined;
      throw error;
    }
  }

  async #ask(): Promise<number> {
    const { requests, clock } = this.#options;
    const text = await this.#scope.run(async (signal) => {
      const response = await requests.open(REGISTRATION, signal);
      return answerText(response, { clock, maxBytes: MAX_ANSWER_BYTES, timeoutMs: REGISTER_TIMEOUT_MS, signal });
    });
    const epoch = epochOf(text);
    if (epoch !== undefined) return epoch;
    throw new RequestFailed(
      new TransportError('connect-failed', 'sse: the server registered the worker without an epoch'),
      'retry',
    );
  }
}

/** Servers write the epoch as a number or as a string of digits. */
function epochOf(text: string): number | undefined {
  try {
    const { worker_epoch: epoch } = parseJson(text) as { worker_epoch?: unknown };
    const number = typeof epoch === 'string' && epoch !== '' ? Number(epoch) : epoch;
    return Number.isSafeInteger(number) ? (number as number) : undefined;
  } catch {
    return undefined;
  }
}
