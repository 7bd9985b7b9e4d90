import type { SendOptions, WorkerLink } from '@proto/core/internal';
import type { Batch } from '@proto/core/transport';
import { Around } from './around.test-support.ts';

/** Point 12. */
export class HasASetter extends Around {
  headers: Readonly<Record<string, string>> = {};

  setHeaders(headers: Readonly<Record<string, string>>): void {
    this.headers = headers;
  }
}

/** Point 12. */
export class HasAnAccessor extends Around {
  #onMessage: unknown;

  get onMessage(): unknown {
    return this.#onMessage;
  }

  set onMessage(callback: unknown) {
    this.#onMessage = callback;
  }
}

/** Point 12. */
export class TakesAFlag extends Around {
  override send(batch: Batch, options?: SendOptions, _urgent?: boolean): Promise<void> {
    return this.inner.send(batch, options);
  }
}

/** Point 12. */
export class HasHalfAWorker extends Around {
  override get worker(): WorkerLink {
    return { restored: Promise.resolve(null) } as WorkerLink;
  }
}
