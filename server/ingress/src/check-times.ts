import { checkDurations } from '@proto/core/network';

/**
 * Checks the times of an options object. The times in `expiring` are written into tokens and claims, so they must be above 0 and finite.
 *
 * @throws {RangeError} that names the option
 */
export function checkTimes(
  options: object | undefined,
  positive: readonly string[],
  expiring: readonly string[],
): void {
  checkDurations(options, positive);
  for (const [name, ms] of Object.entries(options ?? {})) {
    if (ms === Infinity && expiring.includes(name)) {
      throw new RangeError(`${name} must be a finite number of milliseconds`);
    }
  }
}
