/** Why the process ends. */
export interface ExitReason {
  /** The exit code of the process. */
  readonly code: number;
  /**
   * The reason for the end: `ended` if the session has ended with exit code 0, `signal` if the process received a signal, `other` if the session
   * failed or could not begin.
   */
  readonly reason: 'ended' | 'signal' | 'other';
}

/** A function that runs before the process ends. */
export type CleanUp = (why: ExitReason) => void | Promise<void>;

export interface EndingOptions {
  readonly exit: (code: number) => void;
  /** Called with the error of a failed clean-up. */
  readonly onError: (error: unknown) => void;
}

/** A process ends only once, for the first reason given. */
export interface Ending {
  /** The first reason given. Undefined while the process runs. */
  readonly why: ExitReason | undefined;
  /** Registers a clean-up. Each clean-up runs once. The last registered clean-up runs first. */
  onExit(cleanUp: CleanUp): void;
  /** Sets the reason for the end of the process, without ending the process. */
  decide(why: ExitReason): void;
  /** A second call waits for the first call. */
  end(why: ExitReason): Promise<void>;
}

// How long all clean-ups together may take. A host kills an agent a few seconds after it has asked the agent to end.
const CLEAN_UP_MS = 2000;

export function createEnding({ exit, onError }: EndingOptions): Ending {
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
      timer = setTimeout(resolve, CLEAN_UP_MS);
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
