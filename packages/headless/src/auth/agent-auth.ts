/** Who is signed in to the service that an agent works with. Published hosts read these members, and show all further members unchanged. */
export interface AuthReport {
  /** Whether a user is signed in. If false, `auth status` exits with 1. */
  readonly loggedIn: boolean;
  /** How the user has signed in, such as `api_key`. `none` if the user has not signed in. */
  readonly authMethod: string;
  /** The name of the service. Published hosts show an unknown name unchanged. */
  readonly apiProvider: string;
  /** Where the key comes from, such as the name of a variable. Must never contain the key itself. */
  readonly apiKeySource?: string;
  /** The email address of the user's account. */
  readonly email?: string;
  /** The organization that the account belongs to. */
  readonly orgName?: string;
  /** The plan of the account. Absent if the account has no plan, for example with an API key. */
  readonly subscriptionType?: string;
}

/**
 * The sign-in functions of an agent, for the commands `auth status`, `auth login` and `auth logout`. If a function fails, its error is written as one
 * line to stderr, and the command exits with 1.
 */
export interface AgentAuth {
  /** Returns the report that `auth status` prints. */
  status(): AuthReport | Promise<AuthReport>;
  /** Signs the user in, and returns a sentence to print. If this function is absent, `auth login` is refused. */
  logIn?(): string | Promise<string>;
  /**
   * Signs the user out, and returns a sentence to print. Must also succeed if nobody is signed in. If this function is absent, `auth logout` does
   * nothing.
   */
  logOut?(): string | Promise<string>;
}

/** A sign-in command on the command line. */
export type AuthCommand =
  | { readonly name: 'status'; readonly format: 'json' | 'text' }
  | { readonly name: 'login' }
  | { readonly name: 'logout' };

/** The text for stdout, the text for stderr, and the exit code of a command. */
export interface AuthOutput {
  /** The text for stdout, with its line end. */
  readonly stdout: string;
  /** The error as one line with its line end. Empty if the command succeeded. */
  readonly stderr: string;
  /** The exit code. 1 after an error, or if `auth status` reports that nobody is signed in, otherwise 0. */
  readonly code: 0 | 1;
}

/** Runs a sign-in command of the program `name`. An agent without `auth` needs no sign-in. Never rejects. */
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
    if (auth?.logIn === undefined) return failed(`Error: ${name} cannot sign in with this command.`);
    return done(await auth.logIn());
  }
  if (command.name === 'logout') return done((await auth?.logOut?.()) ?? `${name} does not support signing in.`);
  const report = (await auth?.status()) ?? { loggedIn: true, authMethod: 'none', apiProvider: name };
  const text = command.format === 'json' ? JSON.stringify(report, undefined, 2) : textOf(report, name, auth);
  // Hosts read the report even if the exit code is 1.
  return { ...done(text), code: report.loggedIn ? 0 : 1 };
}

function textOf(report: AuthReport, name: string, auth: AgentAuth | undefined): string {
  if (auth === undefined) return `${name} does not require signing in.`;
  const { loggedIn, authMethod, apiProvider, apiKeySource, email } = report;
  if (!loggedIn) return `Not signed in.${auth.logIn === undefined ? '' : ` Run ${name} auth login to sign in.`}`;
  return `Signed in to ${apiProvider}: ${email ?? apiKeySource ?? authMethod}`;
}

const done = (text: string): AuthOutput => ({ stdout: `${text}\n`, stderr: '', code: 0 });
const failed = (text: string): AuthOutput => ({ stdout: '', stderr: `${text}\n`, code: 1 });
