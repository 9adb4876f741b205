// `npm run simulate money -- --seeds 1000`: lives of requests and their money in one process.
import { simulate } from './lives/program.ts';

process.exit(await simulate('money'));
