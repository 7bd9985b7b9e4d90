// A host program on the published SDK, as users write it: `node sdk-host.mjs SCENARIO AGENT`. Prints the messages as one JSON value,
// and never calls process.exit: the process must end by itself.
import { hooks } from './scenarios/hooks.mjs';
import { methods } from './scenarios/methods.mjs';
import { permissions } from './scenarios/permissions.mjs';
import { results } from './scenarios/results.mjs';
import { sessions } from './scenarios/sessions.mjs';
import { tools } from './scenarios/tools.mjs';
import { turns } from './scenarios/turns.mjs';

const scenarios = { ...turns, ...permissions, ...hooks, ...tools, ...results, ...sessions, ...methods };
process.stdout.write(JSON.stringify(await scenarios[process.argv[2]]()));
