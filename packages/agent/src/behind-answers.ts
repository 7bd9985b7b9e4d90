/** Fulfils behind the answers to the requests that are settled by now: hosts expect an answer ahead of what it causes. */
export function behindAnswers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
