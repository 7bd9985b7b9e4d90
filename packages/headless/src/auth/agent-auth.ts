/** Who is signed in to the service that an agent works with. Published hosts read these members, and show others as they are. */
export interface AuthReport {
  readonly loggedIn: boolean;
  /** How the user has signed in, such as `api_key`; `none` without a sign-in. */
  readonly authMethod: string;
  /** The service. Published hosts show a name that they do not know as it is. */
  readonly apiProvider: string;
  /** Where the key comes from, such as the name of a variable. Never the key. */
  readonly apiKeySource?: string;
  readonly email?: string;
  readonly orgName?: string;
  readonly subscriptionType?: string;
}

/** The sign-in of an agent, for the commands `auth status`, `auth login` and `auth logout`. An error is one line on stderr and exit code 1. */
export interface AgentAuth {
  status(): AuthReport | Promise<AuthReport>;
  /** Signs the user in, and returns a sentence to print. Without this function the command is refused. */
  logIn?(): string | Promise<string>;
  /** Signs the user out, and returns a sentence to print. It also succeeds if nobody was signed in. Without this function nothing happens. */
  logOut?(): string | Promise<string>;
}

/** A command of the command line about the sign-in. */
export type AuthCommand =
  | { readonly name: 'status'; readonly format: 'json' | 'text' }
  | { readonly name: 'login' }
  | { readonly name: 'logout' };

/** The text for stdout, the text for stderr, and the exit code of a command. */
export interface AuthOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: 0 | 1;
}

/** Runs a command about the sign-in of the program `name`. An agent without `auth` needs no sign-in. Never rejects. */
export async function runAuthCommand(command: AuthCommand, name: string, auth?: AgentAuth): Promise<AuthOutput> {
  try {
    return await outputOf(command, name, auth);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(`Error: ${reason.replace(/\s*\n\s*/g, ' ')}`);
  }
}

async function outputOf(command: AuthCommand, name: string, auth: AgentAuth | undefined): Promise<AuthOutput> {
  if (command.name === 'login') {
    if (auth?.logIn === undefined) return failed(`Error: ${name} cannot sign in by this command.`);
    return done(await auth.logIn());
  }
  if (command.name === 'logout') return done((await auth?.logOut?.()) ?? `${name} has no sign-in of its own.`);
  const report = (await auth?.status()) ?? { loggedIn: true, authMethod: 'none', apiProvider: name };
  const text = command.format === 'json' ? JSON.stringify(report, undefined, 2) : textOf(report, name, auth);
  // Hosts read the report also after the exit code 1.
  return { ...done(text), code: report.loggedIn ? 0 : 1 };
}

function textOf(report: AuthReport, name: string, auth: AgentAuth | undefined): string {
  if (auth === undefined) return `${name} needs no sign-in.`;
  const { loggedIn, authMethod, apiProvider, apiKeySource, email } = report;
  if (!loggedIn) return `Not signed in.${auth.logIn === undefined ? '' : ` Run ${name} auth login to sign in.`}`;
  return `Signed in to ${apiProvider}: ${email ?? apiKeySource ?? authMethod}`;
}

const done = (text: string): AuthOutput => ({ stdout: `${text}\n`, stderr: '', code: 0 });
const failed = (text: string): AuthOutput => ({ stdout: '', stderr: `${text}\n`, code: 1 });
