// A host program on the published SDK, as users write it: `node sdk-host.mjs SCENARIO AGENT`. Prints the messages as one JSON value,
// and never calls process.exit: the process must end by itself.
import { scenarios } from './scenarios/index.mjs';

process.stdout.write(JSON.stringify(await scenarios[process.argv[2]]()));
