// Statements for the tests of both rules: of SQL within TypeScript, and of migrations.

export const refusedSql = [
  'select current_timestamp',
  'select CLOCK_TIMESTAMP() from rows',
  'select statement_timestamp()',
  "select 'now'::timestamptz",
  "select date 'now', 1",
  "select timestamp ' NOW '",
  "select 'today'::date",
  "select cast('tomorrow' as date)",
  "select 'yesterday 10:00'::timestamp",
  'select $$now$$::timestamptz',
  'select age(x)',
  'select age (date_trunc(x, y))',
  'select pg_catalog.now()',
  'select pg_catalog . "now"()',
  'select pg_catalog.gen_random_uuid()',
  'select id from rows order by random() limit 1',
  'select random ()',
  'select random(1, 10)',
  'select "random"()',
  'select random_normal()',
  'select uuidv7()',
  'select uuidv4()',
  'select gen_random_bytes(8)',
  'select array_shuffle(x)',
  'select id from rows tablesample system (1)',
];

export const allowedSql = [
  'select now(), current_timestamps',
  'select gen_random_uuid()',
  "select 'nowhere', 'now or never', page(1), ages(2)",
  "select to_tsvector('pg_catalog.simple', random)",
];
