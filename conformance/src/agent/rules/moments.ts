import { byKeys } from '../../by-keys.ts';
import { onceFor } from '../../once-for.ts';
import { type Placed, type Session } from '../session-log.ts';
import { blocksOfType, isMain } from './messages/message-rules.ts';
import { isInit, subtypeOf } from './timeline.ts';

// Messages of one kind, in their order. Rules look in these lists for what came before or after something else.

export const initsOf: (session: Session) => readonly Placed[] = onceFor(({ received }) =>
  received.filter(({ message }) => isInit(message)),
);

export const resultsOf: (session: Session) => readonly Placed[] = onceFor(({ received }) =>
  received.filter(({ message }) => message['type'] === 'result'),
);

/** What begins and ends turns: each `system/init` and each `result`. */
export const boundsOf: (session: Session) => readonly Placed[] = onceFor(({ received }) =>
  received.filter(({ message }) => isInit(message) || message['type'] === 'result'),
);

/** The `assistant` messages of the main conversation. */
export const repliesOf: (session: Session) => readonly Placed[] = onceFor(({ received }) =>
  received.filter(({ message }) => message['type'] === 'assistant' && isMain(message)),
);

/** For each id of a call, the messages that contain a result of the call. */
export const callResultsOf: (session: Session) => ReadonlyMap<unknown, readonly Placed[]> = onceFor(({ received }) =>
  byKeys(received, ({ message }) => blocksOfType(message, 'tool_result').map(({ tool_use_id: id }) => id)),
);

/** The requests of the host that change the mode. */
export const modeRequestsOf: (session: Session) => readonly Placed[] = onceFor(({ sent }) =>
  sent.filter(({ message }) => subtypeOf(message) === 'set_permission_mode'),
);

/** The beginning of the last turn, if a signal may have ended this turn. An agent that a signal ends need not report states or call hooks. */
export const endBySignal: (session: Session) => number = onceFor((session) =>
  session.signalledByStep === true ? (initsOf(session).at(-1)?.at ?? Infinity) : Infinity,
);
