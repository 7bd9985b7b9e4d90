/** Rows not yet built, per document: delete an id here in the change that brings its first test. */
const plannedPerDocument = {
  S0: `
    S0-51
    S0-69
  `,
  S1: `
    S1-19
  `,
  S2: `
    S2-48
    S2-51 S2-53 S2-54 S2-55 S2-56 S2-57 S2-58
    S2-60 S2-61
    S2-74 S2-79
    S2-80 S2-81 S2-82 S2-84
  `,
  R: `
    R-10.1 R-10.2
    R-11.2 R-11.3
    R-12.4
    R-14.2 R-14.3
    R-18.4
    R-20.1
    R-25.3
    R-27.1
    R-31.1
    R-32.1 R-32.2
  `,
};

/** Ids of the rows not yet built. A planned row must not be cited by a test, every other row must. */
export const planned: readonly string[] = Object.values(plannedPerDocument).flatMap((ids) => ids.trim().split(/\s+/));
