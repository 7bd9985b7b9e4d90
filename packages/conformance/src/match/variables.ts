export { TemplateError, Variables } from '@proto/testkit/internal';
