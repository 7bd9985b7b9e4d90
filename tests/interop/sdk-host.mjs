// A host program as users write them, on the published SDK: `node sdk-host.mjs SCENARIO AGENT`. Prints what it saw as one JSON
// value, and never calls process.exit: it has to end by itself.
import { hooks } from './scenarios/hooks.mjs';
import { methods } from './scenarios/methods.mjs';
import { permissions } from './scenarios/permissions.mjs';
import { results } from './scenarios/results.mjs';
import { sessions } from './scenarios/sessions.mjs';
import { tools } from './scenarios/tools.mjs';
import { turns } from './scenarios/turns.mjs';

const scenarios = { ...turns, ...permissions, ...hooks, ...tools, ...results, ...sessions, ...methods };
process.stdout.write(JSON.stringify(await scenarios[process.argv[2]]()));
