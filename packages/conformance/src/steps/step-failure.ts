export { StepFailure } from '@proto/testkit/internal';
