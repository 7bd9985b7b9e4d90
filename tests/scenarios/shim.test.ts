/** Runs a host that starts `sjp-shim` as its agent; the real agent belongs to `sjp serve`. */
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { afterAll } from 'vitest';
import { bin, serveAgents } from '../remote/served-agents.ts';
import { testScenarios } from './scenarios.ts';

const { variables, close } = await serveAgents();
afterAll(close);

const shimAt = (url: string) =>
  testScenarios(`sjp-shim at ${new URL(url).protocol}`, ({ args, env }) =>
    spawnAgent({ command: bin('shim'), args, env: inheritEnvironment({ ...env, ...variables, SJP_SHIM_URL: url }) }),
  );

shimAt(variables.SJP_SHIM_URL);
shimAt(variables.SJP_SHIM_URL.replace(/^http/, 'ws'));
