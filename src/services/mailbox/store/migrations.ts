import { credentialsMigration } from '../../../kernel/credentials/table.ts'
import type { Migration } from '../../../kernel/database/database.ts'
import { migrationFrom } from '../../../kernel/database/migration-sql.ts'
import { filesMigration } from '../../../kernel/files/table.ts'
import { outboxMigration } from '../../../kernel/outbox/table.ts'
import { secretsMigration } from '../../../kernel/secrets/table.ts'
import { ACCOUNT_TABLES } from './schema/accounts.ts'
import { CHANGE_TABLES } from './schema/changes.ts'
import { CONTROL_TABLES } from './schema/control.ts'
import { SUBMISSION_TABLES } from './schema/submissions.ts'
import { TOKEN_REFRESH_TABLES } from './schema/token-refreshes.ts'
import { WEBHOOK_TABLES } from './schema/webhooks.ts'

/** What `sandbox_accounts.password` is sealed for, by the id of the account. */
export function passwordPurpose(id: string | number): string {
  return `sandbox account ${id}`
}

/** What `accounts.secrets` is sealed for, by the id of the account. */
export function accountPurpose(id: string | number): string {
  return `account ${id}`
}

/** What `settings.secret` is sealed for, by the name of the setting. */
export function settingPurpose(name: string | number): string {
  return `setting ${name}`
}

/** What `events.receiver` is sealed for, by the id of the event. */
export function receiverPurpose(id: string | number): string {
  return `receiver of event ${id}`
}

/** What `sandbox_certificate.key` is sealed for. */
export const CERTIFICATE_PURPOSE = 'certificate key'

// Times are in Unix milliseconds. Names of mailboxes are Unicode, with `/` between the levels; INBOX
// is in capitals. The id of a mailbox is its first `uid_validity`: the Unix seconds of its creation,
// or one more than that of the last mailbox, so neither is ever used again.
// `modseq` of a mailbox is that of its last change; `uid_next` and `modseq` never become smaller.
// `messages` and `bytes` of an account are the totals of its rows in `sandbox_messages`.
// `sandbox_contents` has each message once, whichever mailboxes contain it: `hash` and `size` are
// of its file, `structure` is the JSON of `MessageFacts.root`, `facts` that of the others, and
// `subject`, `sender`, `recipients` and `preview` are folded for searches. `refs` counts the rows in `sandbox_messages`.
// `sandbox_messages.number` grows in the order of arrival; a message that is moved keeps it.
// `flags` has the flags of a message, separated by spaces and sorted; system flags first.
// `sandbox_expunged` has removed messages, for clients that return (QRESYNC): `expunged_records` of
// the mailbox; those with a modseq up to its `expunged_horizon` are no longer there.
// `sandbox_counters` has the last number of messages and the last id of mailboxes.
// `sandbox_certificate` has one row.
const TABLES = `
create table sandbox_accounts (
  id <sorted> primary key,
  address <sorted> not null unique,
  name text not null,
  password text not null,
  created_at <integer> not null,
  messages <integer> not null,
  bytes <integer> not null
);
create table sandbox_mailboxes (
  id <integer> primary key,
  account <sorted> not null references sandbox_accounts (id),
  name <sorted> not null,
  uid_validity <integer> not null,
  uid_next <integer> not null,
  modseq <integer> not null,
  expunged_records <integer> not null,
  expunged_horizon <integer> not null,
  special_use text,
  unique (account, name)
);
create table sandbox_subscriptions (
  account <sorted> not null references sandbox_accounts (id),
  name <sorted> not null,
  primary key (account, name)
);
create table sandbox_contents (
  id <sorted> primary key,
  hash <sorted> not null,
  size <integer> not null,
  refs <integer> not null check (refs >= 0),
  thread text not null,
  facts text not null,
  structure text not null,
  envelope_from text not null,
  envelope_to text not null,
  subject text not null,
  sender text not null,
  recipients text not null,
  preview text not null
);
create table sandbox_messages (
  number <integer> primary key,
  mailbox <integer> not null references sandbox_mailboxes (id),
  uid <integer> not null,
  account <sorted> not null,
  content <sorted> not null,
  size <integer> not null,
  internal_date <integer> not null,
  saved_at <integer> not null,
  flags text not null,
  is_seen <integer> not null,
  is_deleted <integer> not null,
  modseq <integer> not null,
  unique (mailbox, uid)
);
create index sandbox_messages_account on sandbox_messages (account, number);
create index sandbox_messages_modseq on sandbox_messages (mailbox, modseq);
create table sandbox_expunged (
  mailbox <integer> not null references sandbox_mailboxes (id),
  uid <integer> not null,
  modseq <integer> not null,
  primary key (mailbox, uid)
) <clustered>;
create index sandbox_expunged_modseq on sandbox_expunged (mailbox, modseq);
create table sandbox_counters (
  name text primary key,
  value <integer> not null
);
create table sandbox_certificate (
  id <integer> primary key,
  certificate text not null,
  key text not null,
  created_at <integer> not null
)`

/** Released migrations are never changed; append to this list. */
export const migrations: readonly Migration[] = [
  filesMigration(),
  credentialsMigration(),
  secretsMigration(),
  migrationFrom(TABLES),
  outboxMigration(),
  migrationFrom(ACCOUNT_TABLES),
  migrationFrom(SUBMISSION_TABLES),
  migrationFrom(CONTROL_TABLES),
  migrationFrom(TOKEN_REFRESH_TABLES),
  migrationFrom(CHANGE_TABLES),
  migrationFrom(WEBHOOK_TABLES)
]
