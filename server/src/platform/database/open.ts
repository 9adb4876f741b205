import type { Config } from '../../config.ts';
import { migrateJobs } from '../jobs/migrate.ts';
import type { Log } from '../log.ts';
import { holdDatabase } from '../nodes/hold.ts';
import { type JoinedNode, joinNodes } from '../nodes/join.ts';
import { nodeParts } from '../nodes/parts.ts';
import { settleTls } from './address.ts';
import { type Connection, connectByWork } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { refuseHalfMoved } from './move/mark.ts';

/** The database of this node: there, brought forward, and held by no node that this one could not serve beside. */
export interface OpenDatabase extends Connection {
  url: string;
  /** This node in its list of nodes. */
  node: JoinedNode;
  /** Whether it is a Citus cluster, whose tables can be distributed. */
  sharded: boolean;
  /** Whether it answers now; for `/readyz`. */
  isReady(): Promise<boolean>;
  /** Folder of the embedded one. */
  folder: string | undefined;
  /** Keeps the log of the embedded database small, or lets it grow again. */
  keepLogSmall(isSmall: boolean): Promise<void>;
}

interface OpenOptions {
  config: Config;
  log: Log;
  migrations: string;
  /** Called when another node took the database: this one must stop. */
  onLost: () => void;
}

/** Opens the configured database, or the embedded one in `DATA_DIR`. */
export async function openDatabase({ config, log, migrations, onLost }: OpenOptions): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir, log });
  try {
    const url = embedded?.url ?? (await settleTls(config.databaseUrl ?? ''));
    const parts = nodeParts(config);
    const hold = await holdDatabase(url, { log, parts, onLost });
    await refuseHalfMoved(url);
    await migrateJobs(url);
    await migrate(url, migrations, log);
    const node = await joinNodes(hold.sql, { role: config.role, log, parts, onLost });
    const connection = connectByWork(url, config.databaseConnections);
    await connection.learnTypes();
    const citus = await connection.sql`select from pg_extension where extname = 'citus'`;
    const { close } = connection;
    return Object.assign(connection, {
      url,
      node,
      sharded: citus.length > 0,
      isReady: hold.isReady,
      folder: embedded?.folder,
      keepLogSmall: async (isSmall: boolean) => embedded?.keepLogSmall(isSmall),
      close: async () => {
        await close();
        await node.leave();
        await hold.release();
        await embedded?.stop();
      },
    });
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}
