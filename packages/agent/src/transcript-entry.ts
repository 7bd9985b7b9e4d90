import type { WireMessage } from '@proto/core/framing';

/** Where in a transcript an entry stands, and which process has written it. */
export interface TranscriptPlace {
  /** The entry it stands behind; null at the start. */
  readonly parentUuid: string | null;
  readonly sessionId: string;
  /** The working directory. */
  readonly cwd: string;
  /** Of the agent, such as `2.1.328`. */
  readonly version: string;
  /** What a subagent says stands apart from the conversation. Default false. */
  readonly isSidechain?: boolean;
}

/** A message as an entry of a transcript, as session files and `transcript_mirror` messages have it. */
export function transcriptEntry(message: WireMessage, { isSidechain = false, ...place }: TranscriptPlace): WireMessage {
  const { session_id: _, ...said } = message;
  return { isSidechain, ...place, timestamp: new Date().toISOString(), ...said, type: message.type };
}
