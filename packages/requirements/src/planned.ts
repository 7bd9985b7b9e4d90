/** Rows not yet built, per document: delete an id here in the change that brings its first test. */
const plannedPerDocument = {
  R: `
    R-14.2
    R-32.2
  `,
};

/** Ids of the rows not yet built. A planned row must not be cited by a test, every other row must. */
export const planned: readonly string[] = Object.values(plannedPerDocument).flatMap((ids) => ids.trim().split(/\s+/));
