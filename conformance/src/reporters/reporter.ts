import type { Report } from '../results/result.ts';
import { badge } from './badge.ts';
import { github } from './github.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { summary } from './text.ts';

export type Reporter = (report: Report) => string;

const reporters: Readonly<Record<string, Reporter>> = {
  text: summary,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit,
  markdown,
  github,
  badge,
};

/** Without a file, the text is written to the standard output. */
export interface ReporterChoice {
  readonly name: string;
  readonly reporter: Reporter;
  readonly file?: string;
}

/** Reads `NAME` or `NAME=FILE`. Returns `undefined` for a reporter that does not exist. */
export function parseReporter(text: string): ReporterChoice | undefined {
  const at = text.indexOf('=');
  const name = at === -1 ? text : text.slice(0, at);
  const file = at === -1 ? '' : text.slice(at + 1);
  const reporter = Object.hasOwn(reporters, name) ? reporters[name] : undefined;
  if (reporter === undefined || (at !== -1 && file === '')) return undefined;
  return file === '' ? { name, reporter } : { name, reporter, file };
}
