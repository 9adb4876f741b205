-- The device whose session changed the password goes on, with its choices: whoever changes it says which it is.
create or replace function remove_devices() returns trigger language plpgsql as $$
begin
  delete from devices where account_id = new.id
    and session_id is distinct from nullif(current_setting('tara.session_id', true), '');
  return null;
end $$;
