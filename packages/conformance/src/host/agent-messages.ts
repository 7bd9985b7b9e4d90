export { AgentMessages, INITIALIZE_ANSWER } from '@proto/testkit/internal';
