-- Emails are ASCII, so that no two of them are equal once they are lower-cased or folded. Of rows of before, an unconfirmed
-- email that is not gives way; a confirmed one is a person's, whom somebody has to ask.
do $$
declare
  conflict record;
begin
  select one.id, one.email, other.id as other_id into conflict
    from accounts one
    left join accounts other on other.id <> one.id and other.email_verified_at is not null
      and other.email = lower(normalize(one.email, nfkc))
    where one.email !~ '^[!-~]+$' and one.email_verified_at is not null
    limit 1;
  if found then
    raise exception 'The account % has the confirmed email %, which is not ASCII%. Ask its owner for another email and store it, then start again.',
      conflict.id, conflict.email,
      case when conflict.other_id is null then '' else ' and is equal to that of the account ' || conflict.other_id end;
  end if;
end $$;

create temporary table folded_emails on commit drop as
  select id, lower(normalize(email, nfkc)) as email from accounts where email !~ '^[!-~]+$';
delete from tokens where account_id in (select id from folded_emails);
delete from challenges where email !~ '^[!-~]+$';
-- One that becomes an email of nobody else stays its account's; else the account goes on without one.
update accounts set email = null where id in (select id from folded_emails);
update accounts set email = folded.email
  from (select distinct on (email) id, email from folded_emails order by email, id) as folded
  where accounts.id = folded.id and folded.email ~ '^[!-~]+$'
    and not exists (select from accounts other where other.email = folded.email);

alter table accounts add constraint accounts_email_ascii check (email ~ '^[!-~]+$');
