import type { Command } from '../action.ts';
import { jsonOf } from './json-argument.ts';

/** `/json JSON`: gives that value where the host wants one of a certain form, whether it has the form or not. */
export const json: Command = (argument) => [{ kind: 'structure', value: jsonOf('/json', argument) }];
