// Starts qwen-code without `--verbose`, which hosts pass and qwen-code refuses: node qwen-code.mjs CLI [ARG…].
import { pathToFileURL } from 'node:url';

const [node, , cli = '', ...args] = process.argv;
process.argv = [node ?? '', cli, ...args.filter((arg) => arg !== '--verbose')];
await import(pathToFileURL(cli).href);
