export { DEFAULT_STEP_MS, type Party, type Scope } from '@proto/testkit/internal';
