import { createRequire } from 'node:module';

// The browser SDK reads this global of its page when it is loaded; Node 20 lacks it. The package has no types.
Object.assign(globalThis, { WebSocket: createRequire(import.meta.url)('ws') as unknown });

const { query } = await import('@anthropic-ai/claude-agent-sdk/browser');
const { attachBridgeSession, createCodeSession, fetchRemoteCredentials } = await import(
  '@anthropic-ai/claude-agent-sdk/bridge'
);

/** The published clients of remote sessions. */
export { attachBridgeSession, createCodeSession, fetchRemoteCredentials, query };
