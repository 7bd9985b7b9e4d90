const LIFETIME_MS = 10 * 60_000;

/** Creates the exchange of codes for a token: a code works once, within ten minutes, and a new code invalidates the previous code. */
export function createPairing(token, now = Date.now) {
  let open;
  return {
    newCode() {
      open = { code: crypto.randomUUID(), expiresAt: now() + LIFETIME_MS };
      return open.code;
    },
    /** Returns the token for the open code; undefined for any other. */
    redeem(code) {
      if (open === undefined || code !== open.code || now() >= open.expiresAt) return undefined;
      open = undefined;
      return token;
    },
  };
}
