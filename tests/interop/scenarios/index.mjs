import { hooks } from './hooks.mjs';
import { methods } from './methods.mjs';
import { permissions } from './permissions.mjs';
import { results } from './results.mjs';
import { sessions } from './sessions.mjs';
import { tools } from './tools.mjs';
import { turns } from './turns.mjs';

/** The scenarios, by their names. */
export const scenarios = { ...turns, ...permissions, ...hooks, ...tools, ...results, ...sessions, ...methods };
