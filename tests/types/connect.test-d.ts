import { connectSession, connectUri } from '@proto/core/transport';
import { sseScheme } from '@proto/transport-sse';
import { webSocketScheme } from '@proto/transport-websocket';

const readToken = () => 'token';
const session = { url: 'https://host/v1/code/sessions/ID', prefer: ['websocket', 'sse'] };
const schemes = [webSocketScheme, sseScheme] as const;

// The options of all schemes are accepted together, without a type argument.
connectSession({ ...session, schemes, options: { credential: readToken } });
connectSession({ ...session, schemes: [webSocketScheme, sseScheme], options: { credential: readToken } });
connectUri('wss://host/', [webSocketScheme, sseScheme], { credential: readToken });
connectUri('wss://host/', [webSocketScheme], { credential: readToken });
// @ts-expect-error No scheme has this option.
connectSession({ ...session, schemes, options: { credential: 7 } });
