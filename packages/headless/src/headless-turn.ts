import type { RunTurn } from '@proto/agent';
import type { HeadlessOptions, HeadlessRunTurn, HeadlessTurn } from './options.ts';
import type { ReadySession } from './set-up.ts';
import type { SettingsSource } from './settings-source.ts';

/** What the turns of a process share. */
export interface TurnSetting {
  readonly options: HeadlessOptions;
  readonly started: ReadySession['started'];
  readonly takeLoss: ReadySession['takeLoss'] | undefined;
  readonly settings: SettingsSource | undefined;
  /** Aborts when the process ends now. */
  readonly ended: AbortSignal;
}

/** The turn of an agent executable as the session runs it: told of its command line, its settings and the end of its process. */
export function headlessTurn(runTurn: HeadlessRunTurn, setting: TurnSetting): RunTurn {
  const { options, settings, started, takeLoss, ended } = setting;
  let isFirst = true;
  return async function* (turn) {
    const notices = await started;
    if (isFirst) yield* notices;
    isFirst = false;
    // Onto the turn, not into a copy of it: what belongs to a turn may be read late.
    const whole = Object.assign(turn, {
      options,
      setStatus: (status: string | null) => turn.emit({ type: 'system', subtype: 'status', status }),
      signal: AbortSignal.any([turn.signal, ended]),
    });
    Object.defineProperty(whole, 'settings', { enumerable: true, get: () => settings?.current() ?? {} });
    yield* runTurn(whole as typeof whole & Pick<HeadlessTurn, 'settings'>);
    const loss = takeLoss?.();
    if (loss !== undefined) yield loss;
  };
}
