import { FLAG_EFFECTS } from './flag-effects.ts';
import { FLAGS } from './flags.ts';
import type { FlagOptions } from './options.ts';

/** The text of `--explain-flags`: the flags that are taken without effect, by an agent that reads some options itself. */
export function explainFlags(read: readonly (keyof FlagOptions)[] = []): string {
  const names = Object.keys(FLAGS) as (keyof FlagOptions)[];
  const unread = names.filter((name) => !read.includes(name));
  const idle = unread.filter((name) => FLAG_EFFECTS[name] === 'none' || FLAG_EFFECTS[name] === 'agent');
  const refused = unread.filter((name) => FLAG_EFFECTS[name] === 'promise');
  return [
    'Accepted, but without effect here:',
    ...idle.map(lineOf),
    ...(refused.length === 0 ? [] : ['Refused, because this agent does not say that it keeps to them:']),
    ...refused.map(lineOf),
    '',
  ].join('\n');
}

function lineOf(name: keyof FlagOptions): string {
  return `  ${FLAGS[name].notation}`;
}
