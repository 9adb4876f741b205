export { createMailbox, type Mailbox } from './mailbox.ts';
export type { Mail, OutgoingMail } from './store.ts';
