/**
 * What the service last knew about the mailboxes of accounts, and the events that followed from
 * changes. `message_index` has the UIDs and flags of a mailbox, compressed; `highest_modseq` is
 * text because it may have 63 bits, null without CONDSTORE. `revision` grows with each change of the
 * row: a transaction that read an earlier one changes nothing. `watched_accounts` has a row as soon
 * as all mailboxes of an account were read once; `wanted_until` is when the last reader of events
 * needs it, for accounts of the sandbox, `sync_at` when a comparison was last requested. `events.id`
 * is made of what the event is about, so a change has one id however often it is found; `number`
 * grows in the order of the commits and is never used again, `size` is that of `body` in bytes,
 * `message_key` is a hash of the id of a message that arrived, `job` is that of its webhook, and
 * `receiver` is sealed JSON, for events of accounts that are gone. `moved_messages` has moves made by
 * the API until both of their events are stored: ids of a message before and after. Accounts that were
 * registered before there were these tables report mail that arrives from now on.
 */
export const CHANGE_TABLES = `
create table watched_accounts (
  account <sorted> primary key references accounts (id),
  initialized_at <integer>,
  wanted_until <integer> not null,
  sync_at <integer>,
  details text not null
);
create table watched_mailboxes (
  account <sorted> not null references accounts (id),
  path <sorted> not null,
  uid_validity text not null,
  uid_next <integer> not null,
  highest_modseq text,
  messages <integer> not null,
  special_use text,
  details text not null,
  message_index <bytes> not null,
  revision <integer> not null,
  compared_at <integer> not null,
  primary key (account, path)
);
create table events (
  number <counter>,
  id <sorted> not null unique,
  account <sorted> not null,
  name <sorted> not null,
  path text,
  size <integer> not null,
  message_key <sorted>,
  job text,
  receiver text,
  created_at <integer> not null,
  body text not null
);
create index events_account on events (account, number);
create index events_time on events (created_at);
create index events_message on events (account, message_key);
create table moved_messages (
  account <sorted> not null references accounts (id),
  source <sorted> not null,
  target <sorted> not null,
  created_at <integer> not null,
  primary key (account, source)
);
create index moved_messages_target on moved_messages (account, target);
insert into watched_accounts (account, initialized_at, wanted_until, details)
  select id, null, 0, '{"wantedFrom":' || <now> || '}' from accounts where is_sandbox = 0;
`
