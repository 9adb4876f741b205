import type { Backend } from './backend.ts';
import { findSystemWords } from './system-words.ts';

/**
 * What makes a database simulated: its own `now()` and `gen_random_uuid()`, first in the search path, which the statements and
 * functions find; column defaults and views were bound to those of Postgres when they were made, and are made again. Jobs of
 * the tasks whose ids a connection names as `simulation.left_out` are not stored.
 */
export async function prepareDatabase(backend: Backend): Promise<void> {
  const [[name] = []] = await backend.run('select current_database()');
  await backend.run(`
    create schema simulation;
    -- Inlined, so that a condition with it can use an index.
    create function simulation.now() returns timestamptz language sql stable
      as $$ select current_setting('simulation.now')::timestamptz $$;
    create sequence simulation.draws;
    create function simulation.gen_random_uuid() returns uuid language sql volatile
      as $$ select md5(current_setting('simulation.seed') || ' ' || nextval('simulation.draws'))::uuid $$;
    alter database "${name}" set search_path = simulation, pg_catalog, public;
    -- A statement is planned once by each connection, for any values.
    alter database "${name}" set plan_cache_mode = force_generic_plan;
    alter database "${name}" set simulation.now = '2026-01-01T00:00:00Z';
    alter database "${name}" set simulation.seed = '0';
    alter database "${name}" set simulation.left_out = '{}';
    create function simulation.leave_out() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger leave_out before insert on graphile_worker._private_jobs for each row
      when (new.task_id = any (current_setting('simulation.left_out')::int[]))
      execute function simulation.leave_out();
    set search_path = simulation, pg_catalog, public;
    set simulation.now = '2026-01-01T00:00:00Z';
    set simulation.seed = '0';
    set simulation.left_out = '{}'`);
  await rebind(backend, defaults);
  await rebind(backend, views);
  await rebind(backend, functions);
  await rebind(
    backend,
    `select format('alter table %s set (autovacuum_enabled = false)', pg_class.oid::regclass) from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  const defined = await backend.run(definitions);
  const bound = defined.filter(([, text]) => findSystemWords(text ?? '').length > 0).map(([name]) => name);
  const elsewhere = await backend.run(`select oid::regprocedure::text from pg_proc
    where pronamespace = 'public'::regnamespace and proconfig::text ~ 'search_path'`);
  bound.push(...elsewhere.flat());
  if (bound.length > 0) throw new Error(`They do not follow the simulated time: ${bound.join(', ')}`);
}

/** The functions of Postgres, as its catalogue writes them where another one comes first in the search path. */
const own = 'pg_catalog\\.(now|gen_random_uuid)\\(\\)';

const simulated = (expression: string) =>
  `regexp_replace(${expression}, 'pg_catalog\\.(now|gen_random_uuid)\\(\\)', 'simulation.\\1()', 'g')`;

/** Statements that bind column defaults anew. */
const defaults = `
  select format('alter table %s alter column %I set default %s', adrelid::regclass, attname,
    ${simulated('pg_get_expr(adbin, adrelid)')})
  from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
  where pg_get_expr(adbin, adrelid) ~ '${own}' and attgenerated = ''`;

/** Statements that bind views anew. */
const views = `
  select format('create or replace view public.%I as %s', relname, ${simulated('pg_get_viewdef(oid)')})
  from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace and pg_get_viewdef(oid) ~ '${own}'`;

/** Statements that bind functions anew whose bodies were bound when they were made. */
const functions = `
  select ${simulated('pg_get_functiondef(oid)')} from pg_proc
  where prosqlbody is not null and pronamespace = 'public'::regnamespace and pg_get_functiondef(oid) ~ '${own}'`;

/** What runs beside the product's statements: column defaults, checks, views, triggers and functions, each with its text. */
const definitions = `
  select adrelid::regclass::text, pg_get_expr(adbin, adrelid)
    from pg_attrdef
  union all select conname::text, pg_get_constraintdef(oid)
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace
  union all select relname::text, pg_get_viewdef(oid)
    from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace
  union all select tgname::text, pg_get_triggerdef(pg_trigger.oid)
    from pg_trigger join pg_class on pg_class.oid = tgrelid and relnamespace = 'public'::regnamespace where not tgisinternal
  union all select oid::regprocedure::text, pg_get_functiondef(oid)
    from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')`;

async function rebind(backend: Backend, statements: string): Promise<void> {
  for (const [statement] of await backend.run(statements)) if (statement) await backend.run(statement);
}

/** Tables that keep their rows: what migrations and the queue filled. */
const fixedTables = `('schema_migrations', 'graphile_worker.migrations', 'graphile_worker._private_tasks',
  'graphile_worker._private_known_crontabs')`;

/** A copy of the rows that every life begins with, in a schema of its own. */
export interface Snapshot {
  /** Brings back those rows, and every sequence to its begin. */
  restore(): Promise<void>;
}

/**
 * Lives after which tables are emptied as files. That lets every connection plan each statement anew, which takes longer than a
 * life; in between rows are deleted, and what is left of them is in nobody's way.
 */
const truncateEvery = 100;

/** Remembers the rows that are there now. @param backend restores them: no trigger and no reference holds for it from then on */
export async function takeSnapshot(backend: Backend): Promise<Snapshot> {
  const tables = (
    await backend.run(`
      select oid::regclass::text from pg_class where relkind = 'r'
        and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
        and oid::regclass::text not in ${fixedTables} order by 1`)
  ).map(([name]) => name ?? '');
  await backend.run('create schema snapshot; set session_replication_role = replica');
  const copies: string[] = [];
  for (const [index, table] of tables.entries()) {
    const [[count] = []] = await backend.run(`select count(*) from ${table}`);
    if (count === '0') continue;
    const columns =
      await backend.run(`select quote_ident(attname) from pg_attribute where attrelid = '${table}'::regclass
      and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`);
    const names = columns.map(([name]) => name).join(', ');
    await backend.run(`create table snapshot.t${index} as select ${names} from ${table}`);
    copies.push(
      `insert into ${table} (${names}) overriding system value select ${names} from snapshot.t${index};`,
    );
  }
  const sequences = (
    await backend.run(`select oid::regclass::text from pg_class where relkind = 'S'
      and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace, 'simulation'::regnamespace) order by 1`)
  ).map(([name]) => name ?? '');
  // Its statements are planned once.
  await backend.run(`create function snapshot.restore() returns void language plpgsql as $$ begin
    ${tables.map((table) => `delete from ${table};`).join('\n')}
    ${copies.join('\n')}
    ${sequences.map((name) => `perform setval('${name}', 1, false);`).join('\n')}
  end $$`);
  let used = 0;
  return {
    restore: async () => {
      if (used % truncateEvery === 0) await truncateFilled(backend, tables);
      used += 1;
      await backend.run('select snapshot.restore()');
    },
  };
}

async function truncateFilled(backend: Backend, tables: readonly string[]): Promise<void> {
  const filled = await backend.run(
    `select oid::regclass::text from pg_class where relkind = 'r' and pg_relation_size(oid) > 0
      and oid::regclass::text in (${tables.map((table) => `'${table}'`).join(', ')}) order by 1`,
  );
  if (filled.length > 0) await backend.run(`truncate ${filled.flat().join(', ')} cascade`);
}
