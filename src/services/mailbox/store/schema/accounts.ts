/**
 * Accounts of the API; those of the sandbox are among them. `settings`, `last_error` and
 * `smtp_status` are JSON, `secrets` is sealed JSON. `egress` is 'any' or 'public'. `search` has
 * the id, the name and the email address in lower case, for searches. `state` was set at `state_at`,
 * by a process that may have ended since. `revision` is never that of an earlier account of the id.
 * `account_mailboxes` has the numbers in ids of messages, which are never used again: `key` is a
 * hash of the UIDVALIDITY and the path of a mailbox.
 */
export const ACCOUNT_TABLES = `
create table accounts (
  id <sorted> primary key,
  name text not null,
  email text,
  is_sandbox <integer> not null,
  settings text not null,
  secrets text,
  search text not null,
  state text not null,
  state_at <integer> not null,
  last_error text,
  smtp_status text,
  egress text not null,
  revision <integer> not null,
  created_at <integer> not null,
  sync_time <integer>
);
create table account_mailboxes (
  account <sorted> not null references accounts (id),
  number <integer> not null,
  key <sorted> not null,
  uid_validity text not null,
  path text not null,
  primary key (account, number),
  unique (account, key)
) <clustered>;
create table account_logs (
  number <counter>,
  account <sorted> not null references accounts (id),
  time <integer> not null,
  line text not null
);
create index account_logs_account on account_logs (account, number);
create index accounts_email on accounts (lower(email));
insert into accounts
  (id, name, email, is_sandbox, settings, search, state, state_at, egress, revision, created_at)
  select id, name, address, 1, '{}', id || ' ' || lower(name) || ' ' || address, 'init', created_at,
    'any', created_at, created_at
  from sandbox_accounts;
`
