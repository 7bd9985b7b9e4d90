import { createPendingRequests } from '@proto/core';
import { scriptHost } from '@proto/test-support';

export const createScriptedHost = () => scriptHost(createPendingRequests);

export type ScriptedHost = ReturnType<typeof createScriptedHost>;
