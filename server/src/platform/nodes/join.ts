import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { admissionRefusal, isShared, type NodeParts, SecondNode } from './admission.ts';
import type { NodeSql } from './hold.ts';

/** ms between two notes of a node that it lives. */
const noteEveryMs = 3000;
/** ms without a note after which a node is dead to the others, by the database's clock. */
export const deadAfterMs = 30_000;
/** ms without an answered note after which a node takes itself for dead: before the others do, by its own clock. */
const silentAfterMs = 25_000;
/** ms that the database has to answer where something waits for it. */
const answerTimeoutMs = 10_000;
/** ms that a node waits for one that enters: it may have been paused in between. */
const entryTimeoutMs = 2_000;
/** The same while this node stops. */
const shortTimeoutMs = 1000;

/** Another node that lives. */
export interface ListedNode {
  readonly id: string;
  readonly role: string;
  /** ms since it started, when it was read. */
  readonly ageMs: number;
}

/** SQL of a node's age, by the database's clock. */
const age = '(extract(epoch from now() - started_at) * 1000)::float8';

/** This node among those that serve the database. */
export interface JoinedNode {
  readonly id: string;
  /** The others that lived when this node noted last that it lives. */
  others(): readonly ListedNode[];
  /**
   * Names the pool by which this node takes jobs from now on, or none: jobs of every pool that no living node has are given
   * back. @throws when the database does not answer
   */
  setPool(poolId: string | null): Promise<void>;
  /**
   * Calls the listener when this node was silent for so long that its jobs are given to others, as after it was paused. Its
   * pool is none then. Returns what ends that.
   */
  onSilent(listener: () => void): () => void;
  /** Whether another living node serves members; false when the database does not say. */
  hasSuccessor(): Promise<boolean>;
  /** Leaves the list: what this node still holds is given back. */
  leave(): Promise<void>;
}

interface JoinOptions {
  readonly role: string;
  readonly log: Log;
  /** What it shares: with anything of its own it holds the database alone, and every other node of the list is dead. */
  readonly parts: NodeParts;
  /** Called when this node was silent, and another one that came meanwhile does not bear it: this one must stop. */
  readonly onLost: () => void;
}

/** Any number of our own, beside those of other locks: two nodes that enter at once each find the other. */
const entryLock = 7_420_003;

/**
 * Enters this node into the list of those that serve the database, and notes that it lives until it leaves.
 * @throws SecondNode when it does not share what the others share
 */
export async function joinNodes(
  sql: NodeSql,
  { role, log, parts, onLost }: JoinOptions,
): Promise<JoinedNode> {
  const id = newId();
  const listeners = new Set<() => void>();
  let poolId: string | null = null;
  let isSilent = false;
  let hasLeft = false;
  let others: readonly ListedNode[] = [];
  /** When the last note was sent that arrived. */
  let notedAt = performance.now();

  async function enter(): Promise<void> {
    const sentAt = performance.now();
    await sql.begin(async (transaction) => {
      await transaction.unsafe(`set local lock_timeout = ${entryTimeoutMs}`);
      await transaction.unsafe('select pg_advisory_xact_lock($1)', [entryLock]);
      const living = await transaction.unsafe<(NodeParts & ListedNode)[]>(
        `select id, role, ${age} as "ageMs", bus, store from nodes where id <> $1 and seen_at > now() - $2 * interval '1 millisecond'`,
        [id, deadAfterMs],
      );
      others = living;
      const refusal = admissionRefusal(parts, living);
      if (refusal !== null) throw new SecondNode(refusal);
      await transaction.unsafe(
        `insert into nodes (id, role, pool_id, bus, store) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set seen_at = now(), pool_id = excluded.pool_id`,
        [id, role, poolId, parts.bus, parts.store],
      );
    });
    notedAt = sentAt;
    isSilent = false;
  }

  const becomeSilent = () => {
    if (isSilent) return;
    isSilent = true;
    poolId = null;
    log.warn('this node was silent for so long that its jobs are given to others');
    for (const listener of listeners) listener();
  };

  async function note(): Promise<void> {
    if (isSilent) return enter();
    const sentAt = performance.now();
    // One that was dead in between has lost its jobs, though nobody removed it.
    const [row] = await sql.unsafe<[{ isNoted: boolean; others: ListedNode[] }]>(
      `with noted as (
         update nodes set seen_at = now()
         where id = $1 and seen_at > now() - $2 * interval '1 millisecond' returning id)
       select exists (select from noted) as "isNoted",
         (select coalesce(json_agg(json_build_object('id', id, 'role', role, 'ageMs', ${age})), '[]') from nodes
          where id <> $1 and seen_at > now() - $2 * interval '1 millisecond') as others`,
      [id, deadAfterMs],
    );
    if (row.isNoted) {
      notedAt = sentAt;
      others = row.others;
      return;
    }
    becomeSilent();
    if (!hasLeft) await enter();
  }

  let noting = false;
  const beat = async () => {
    // Of a node that was paused this comes before the answers of its statements.
    if (performance.now() - notedAt > silentAfterMs) becomeSilent();
    if (noting) return;
    noting = true;
    try {
      await note();
    } catch (error) {
      if (error instanceof SecondNode) {
        log.fatal({ err: error }, 'this node was silent for too long, and may not come back');
        onLost();
      } else log.debug({ err: error }, 'this node could not note that it lives');
    } finally {
      noting = false;
    }
  };

  // Those of the list had held the database before. The ones that are dead already are removed by who does their jobs.
  if (!isShared(parts))
    await sql.unsafe(`delete from nodes where seen_at > now() - $1 * interval '1 millisecond'`, [
      deadAfterMs,
    ]);
  await enter();
  const timer = setInterval(beat, noteEveryMs).unref();
  return {
    id,
    others: () => others,
    async setPool(next) {
      poolId = next;
      const tooLate = delay(answerTimeoutMs, null, { ref: false }).then(() => {
        throw new Error('The database does not note by which pool this node takes jobs.');
      });
      await Promise.race([enter(), tooLate]);
    },
    onSilent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async hasSuccessor() {
      const rows = sql.unsafe(
        `select from nodes where id <> $1 and role <> 'worker' and seen_at > now() - $2 * interval '1 millisecond' limit 1`,
        [id, deadAfterMs],
      );
      const hasRow = rows.then(
        ({ length }) => length > 0,
        () => false,
      );
      return Promise.race([hasRow, delay(shortTimeoutMs, false, { ref: false })]);
    },
    async leave() {
      if (hasLeft) return;
      hasLeft = true;
      clearInterval(timer);
      const removed = sql.unsafe('delete from nodes where id = $1', [id]).catch((error: unknown) => {
        log.debug({ err: error }, 'this node could not note that it leaves');
      });
      await Promise.race([removed, delay(shortTimeoutMs, undefined, { ref: false })]);
    },
  };
}
