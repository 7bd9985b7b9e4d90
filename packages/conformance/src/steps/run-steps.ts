export { runSteps, StepError } from '@proto/testkit/internal';
