// `npm run simulate chat -- --seeds 1000`: lives of chats, and of who listens to them, in one process.
import { simulate } from './lives/program.ts';

process.exit(await simulate('chat'));
