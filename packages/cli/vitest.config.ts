import shared from '../../vitest.shared.ts';

/** These tests wait for the processes they start, so two at a time, whatever else runs. */
export default { ...shared, test: { ...shared.test, maxWorkers: 2 } };
