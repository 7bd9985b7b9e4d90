import type { RunTurn, WireMessage } from '@proto/core';
import type { HeadlessOptions, HeadlessRunTurn } from './options.ts';
import type { ReadySession } from './set-up.ts';
import type { SettingsSource } from './settings-source.ts';

/** What becomes of the process a turn runs in. */
export interface ProcessSignals {
  /** It ends now. */
  readonly ended: AbortSignal;
  /** The user interrupts it, behind the end of its input. */
  readonly interrupted: AbortSignal;
}

/** What a turn is told of its process. */
export interface TurnSetting {
  readonly options: HeadlessOptions;
  readonly settings: SettingsSource | undefined;
  readonly started: ReadySession['started'];
  /** What could not be kept of the session, for the host. */
  readonly takeLoss: ReadySession['takeLoss'];
}

const INTERRUPTED: WireMessage = {
  type: 'user',
  message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
  parent_tool_use_id: null,
};

/**
 * The turn of an agent executable as the session runs it: with the options of the command line, and aborted with the process. The
 * session itself hears its host no more once the input has ended, and one-shot runs are like that from their start.
 */
export function processTurn(
  runTurn: HeadlessRunTurn,
  { options, settings, started, takeLoss }: TurnSetting,
  signals: ProcessSignals,
): RunTurn {
  const { ended, interrupted } = signals;
  let isFirst = true;
  return async function* (turn) {
    // What waited behind the interrupted turn.
    if (interrupted.aborted) throw new Error('interrupted');
    // Onto the turn, not into a copy of it: what belongs to a turn may be read late.
    const signal = AbortSignal.any([turn.signal, ended, interrupted]);
    const setStatus = (status: string | null) => turn.emit({ type: 'system', subtype: 'status', status });
    try {
      const notices = await started;
      if (isFirst) yield* notices;
      isFirst = false;
      yield* runTurn(Object.assign(turn, { options, settings: settings?.current() ?? {}, setStatus, signal }));
    } catch (error) {
      if (!interrupted.aborted) throw error;
    }
    const loss = takeLoss?.();
    if (loss !== undefined) yield loss;
    if (!interrupted.aborted) return;
    yield INTERRUPTED;
    throw new Error('interrupted');
  };
}
