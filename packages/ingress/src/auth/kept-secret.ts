import type { EventLog } from '../log/event-log.ts';
import { onceDone } from '../once-done.ts';

/** Where the ingress keeps what is its own, and no session's. */
const OWN_STREAM = '@ingress';

/** A secret that outlives a restart. */
export interface KeptSecret {
  /** Made at random where the log has none. */
  read(): Promise<string>;
  /** Writes it again, if anybody has read it: what nobody writes to is dropped. */
  renew(): Promise<void>;
}

/** The secret of an ingress, in its log. */
export function createKeptSecret(log: EventLog): KeptSecret {
  let secret: string | undefined;
  const keep = (text: string) => log.writeDocument(OWN_STREAM, 'secret', text);
  const read = onceDone(async () => {
    const kept = await log.readDocument(OWN_STREAM, 'secret');
    const known = kept ?? crypto.randomUUID() + crypto.randomUUID();
    if (kept === undefined) await keep(known);
    return (secret = known);
  });
  return {
    read,
    async renew() {
      if (secret !== undefined) await keep(secret);
    },
  };
}
