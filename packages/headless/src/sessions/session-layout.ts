import { projectDirectory, type Variables } from '../environment-variables.ts';
import type { HeadlessOptions } from '../flags/options.ts';
import { hostProjectDirectory } from './host-transcript.ts';

type SessionLayout = NonNullable<HeadlessOptions['sessionLayout']>;

/** The variable that chooses the layout for every agent of the user. */
const VARIABLE = 'SJP_SESSION_LAYOUT';

/**
 * The flag determines the layout. If the flag is absent, the variable determines it. If the variable is absent too, the program determines it. Throws
 * if the value of the variable is not a layout.
 */
export function withSessionLayout(
  options: HeadlessOptions,
  { [VARIABLE]: named }: Variables,
  byDefault: SessionLayout | undefined,
): HeadlessOptions {
  const sessionLayout = options.sessionLayout ?? (named ? layoutNamed(named) : byDefault);
  return sessionLayout === undefined ? options : { ...options, sessionLayout };
}

function layoutNamed(name: string): SessionLayout {
  if (name === 'own' || name === 'published') return name;
  throw new Error(`${VARIABLE} must be 'own' or 'published', not '${name}': correct or unset it`);
}

/**
 * The published layout requires an explicit folder, because otherwise an agent could write into the folder of another agent that the user works with.
 */
export function sessionDirectory(layout: SessionLayout | undefined, cwd: string, env: Variables): string {
  if (layout !== 'published') return projectDirectory(cwd, env);
  if (env['CLAUDE_CONFIG_DIR']) return hostProjectDirectory(cwd, env);
  throw new Error(
    'the published session layout needs CLAUDE_CONFIG_DIR: set it to the configuration folder in which your tools look for sessions',
  );
}
