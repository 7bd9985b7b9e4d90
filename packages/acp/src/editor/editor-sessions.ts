import type { ResumeSessionRequest, SessionInfo } from '@agentclientprotocol/sdk';
import type { WireMessage } from '@proto/core/framing';
import type { Transport } from '@proto/core/transport';
import type { HostSessionOptions } from '@proto/host';

/** What an editor says when it opens a session: its folder, further folders for the agent, and the MCP servers of the user. */
export type EditorRequest = Pick<ResumeSessionRequest, 'cwd' | 'additionalDirectories' | 'mcpServers'>;

/** The agent of a session that an editor has opened. */
export interface EditorAgent {
  readonly sessionId: string;
  /** The connection to the agent. It is closed when the editor closes the session. */
  readonly transport: Transport;
  /** Members of the `initialize` request. Default: none. */
  readonly initialize?: HostSessionOptions['initialize'];
  /** The permission mode in which the agent begins. Default `default`. */
  readonly mode?: string;
  /**
   * Present if the transport delivers the whole conversation from its beginning, including the prompts of all other clients. Fulfils when everything
   * that was said before the editor opened the session has been delivered.
   */
  readonly caughtUp?: Promise<void>;
}

/** A conversation, as editors list it. `updatedAt` is when the conversation was last changed, as an ISO 8601 text. */
export type ListedConversation = Pick<SessionInfo, 'sessionId' | 'cwd' | 'title' | 'updatedAt'>;

/** The conversations that an editor can list, load and delete. `createStoredSessions` of `@proto/headless` returns those in session files. */
export interface Conversations {
  /** The conversations of a working directory, or of all working directories, the newest first. */
  list(cwd: string | undefined): Promise<readonly ListedConversation[]>;
  /**
   * The `user` and `assistant` messages of a conversation. `undefined` if the conversation does not exist. Absent if the transport of the agent
   * delivers these messages.
   */
  read?(sessionId: string, cwd: string): Promise<readonly WireMessage[] | undefined>;
  /** Deletes a conversation. A conversation that does not exist is not an error. */
  delete(sessionId: string): Promise<void>;
}

/** The sessions that an editor can open: `localSessions`, or sessions of a server. */
export interface EditorSessions {
  /** Whether the agents run where the editor runs, so that they can use the MCP servers and the additional folders of the editor. */
  readonly isLocal: boolean;
  /** Starts a conversation. */
  create(request: EditorRequest): Promise<EditorAgent>;
  /** Continues a conversation. `undefined` if the conversation does not exist. */
  open(sessionId: string, request: EditorRequest): Promise<EditorAgent | undefined>;
  /** Default: the editor cannot list, load or delete conversations. */
  readonly conversations?: Conversations;
}
