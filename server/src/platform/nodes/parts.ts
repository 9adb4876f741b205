import { createHash } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { NodeParts } from './admission.ts';

const digest = (...values: (string | number | undefined)[]) =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32);

/** What a node shares by its settings. Users and passwords may differ; addresses of one server may not. */
export function nodeParts({ redis, s3 }: Pick<Config, 'redis' | 's3'>): NodeParts {
  const hosts = redis?.sentinels ?? [{ host: redis?.host, port: redis?.port }];
  const names = hosts.map(({ host, port }) => `${host}:${port}`).sort();
  return {
    bus: redis ? digest(...names, redis.name, redis.db) : null,
    store: s3 ? digest(new URL(s3.endpoint).href, s3.bucket) : null,
  };
}
