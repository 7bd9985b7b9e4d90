/** Calls back. What is thrown there is theirs to fix, and no reason to take the link down. */
export function callBack(back: () => void): void {
  try {
    back();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
