/** Each frame is one JSON text. */
export type Frame =
  | { readonly kind: 'hello'; readonly received: number; readonly whole: boolean }
  | { readonly kind: 'message'; readonly sequence: number; readonly text: string }
  | { readonly kind: 'ack' | 'ping' | 'pong'; readonly received: number }
  | { readonly kind: 'news'; readonly event: string; readonly data: unknown }
  | { readonly kind: 'bye' };

export interface LinkEnd {
  send(frame: Frame): void;
  /** The other end is notified. */
  drop(): void;
}

export interface LinkEvents {
  onText(text: string): void;
  onDown(): void;
}

/** Accepts one end of a new connection, and returns the callbacks for this end. */
export type Attach = (end: LinkEnd) => LinkEvents;

/** Texts arrive in order, in later ticks, or not at all. */
export class Link {
  readonly #near: LinkEvents;
  readonly #far: LinkEvents;
  #up = true;
  #silent = false;

  constructor(near: Attach, far: Attach) {
    this.#near = near(this.#end(() => this.#far));
    this.#far = far(this.#end(() => this.#near));
  }

  cut(): void {
    if (!this.#up) return;
    this.#up = false;
    this.#near.onDown();
    this.#far.onDown();
  }

  silence(): void {
    this.#silent = true;
  }

  /** Sends a text to the first side that the other side did not send. */
  inject(text: string): void {
    this.#carry(() => this.#near, text);
  }

  #end(other: () => LinkEvents): LinkEnd {
    return { send: (frame) => this.#carry(other, JSON.stringify(frame)), drop: () => this.cut() };
  }

  #carry(to: () => LinkEvents, text: string): void {
    queueMicrotask(() => {
      if (this.#up && !this.#silent) to().onText(text);
    });
  }
}
