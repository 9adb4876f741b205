import { readConfigOrExit } from './config.ts';
import { stopAbandoned } from './platform/database/embedded.ts';
import { FolderInUse, lockFolder } from './platform/database/folder-lock.ts';
import { openLog } from './platform/log.ts';

// Run by `npm start` when it is stopped after its server was killed: the embedded database outlives that, and nothing else
// would stop it before the next start.
const { dataDir, logLevel } = readConfigOrExit();
try {
  const lock = lockFolder(dataDir);
  await stopAbandoned(dataDir, openLog({ level: logLevel })).finally(() => lock.release());
} catch (error) {
  // Another server runs on the folder, with the database.
  if (!(error instanceof FolderInUse)) throw error;
}
