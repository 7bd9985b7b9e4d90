/** Why the process ends: the work is done, a signal came, or something else went wrong. */
export interface ExitReason {
  readonly code: number;
  readonly reason: 'ended' | 'signal' | 'other';
}

/** What is to be done before the process ends. */
export type CleanUp = (why: ExitReason) => void | Promise<void>;

/** How a process leaves, and how long it may take over that. */
export interface EndingOptions {
  readonly exit: (code: number) => void;
  /** Hears what a clean-up threw. */
  readonly onError: (error: unknown) => void;
  /** How long the clean-ups may take together. Default `DEFAULT_CLEAN_UP_MS`. */
  readonly cleanUpMs?: number;
}

/** The one end of a process, whoever brings it about. */
export interface Ending {
  /** The first reason given; the code of the process is its code. */
  readonly why: ExitReason | undefined;
  /** Registers a clean-up: each runs once, the last registered first. */
  onExit(cleanUp: CleanUp): void;
  /** Settles why the process will end, without ending it yet. */
  decide(why: ExitReason): void;
  /** Runs the clean-ups, then leaves. A second call waits for the first. */
  end(why: ExitReason): Promise<void>;
}

/** A host kills an agent some seconds after it was asked to end, so clean-ups have less. */
export const DEFAULT_CLEAN_UP_MS = 2000;

/** Makes the end of a process; nothing happens before it is asked to end. */
export function createEnding({ exit, onError, cleanUpMs = DEFAULT_CLEAN_UP_MS }: EndingOptions): Ending {
  const cleanUps: CleanUp[] = [];
  let decided: ExitReason | undefined;
  let ended: Promise<void> | undefined;

  async function runCleanUps(why: ExitReason): Promise<void> {
    for (let next = cleanUps.pop(); next !== undefined; next = cleanUps.pop()) {
      try {
        await next(why);
      } catch (error) {
        onError(error);
      }
    }
  }

  async function leave(why: ExitReason): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, cleanUpMs);
    });
    await Promise.race([runCleanUps(why), timeUp]);
    clearTimeout(timer);
    exit(why.code);
  }

  return {
    get why() {
      return decided;
    },
    onExit: (cleanUp) => void cleanUps.push(cleanUp),
    decide: (why) => void (decided ??= why),
    end(why) {
      decided ??= why;
      ended ??= leave(decided);
      return ended;
    },
  };
}
