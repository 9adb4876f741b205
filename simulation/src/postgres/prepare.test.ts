import { test } from '@tara/server/testing/test';
import { expect } from 'vitest';
import { Backend } from './backend.ts';
import { prepareDatabase } from './prepare.ts';

test('a database is refused in which something reads the time or draws past the simulation, with the names of all', async ({
  connection,
  onTestFinished,
}) => {
  await connection.sql.unsafe(`
    create table notes (at timestamptz default now(), id uuid default gen_random_uuid());
    create table days (
      day text default 'today'::text::date,
      at timestamptz default clock_timestamp(),
      constraint is_past check (at < localtimestamp),
      constraint is_named check (day <> 'now or never')
    );
    create view ages as select age(at::date) from notes;
    create view readings as select at, now() as read_at from notes;
    create function draw() returns float8 language sql as $$ select random () $$;
    create function read_own() returns timestamptz language sql as $$ select pg_catalog.now() $$;
    create function read_bound() returns timestamptz language sql return now();
    create function read_time() returns timestamptz language sql as $$ select now() -- not clock_timestamp(), nor 'now'
      $$;
    create function stamp() returns trigger language plpgsql as $$ begin return new; end $$;
    create trigger stamp_today before insert on days for each row
      when (new.at > current_date) execute function stamp();
    create function read_public() returns timestamptz language sql set search_path = public as $$ select now() $$`);
  const backend = await Backend.open(connection.url, {});
  onTestFinished(() => backend.close());
  const outcome = await prepareDatabase(backend).catch((error: unknown) => String(error));
  const [, names = ''] = /They do not follow the simulated time: (.*)$/.exec(String(outcome)) ?? [];
  expect(names.split(', ').sort()).toEqual(
    ['ages', 'days', 'days', 'draw()', 'is_past', 'read_own()', 'read_public()', 'stamp_today'].sort(),
  );
});
