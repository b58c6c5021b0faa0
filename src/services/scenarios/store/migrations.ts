import type { Migration } from '../../../kernel/database/database.ts'
import { migrationFrom } from '../../../kernel/database/migration-sql.ts'

// `ws` is an empty string for data of public mode: sessions and idempotency keys.
// A record with the id of a sample replaces the sample; with `deleted`, it hides the sample.
// A ticket is a one-time token: refresh token, reset link, challenge; only its hash is stored.
const TABLES = `
create table workspace (
  id text primary key,
  seed text not null,
  options text not null,
  rules text not null,
  rules_revision <integer> not null default 0,
  frozen <integer>,
  shift <integer> not null default 0,
  secret <bytes>,
  created <integer> not null,
  used <integer> not null,
  lifetime <integer> not null,
  records <integer> not null default 0,
  bytes <integer> not null default 0,
  seq <integer> not null default 0
);
create index workspace_used on workspace (used);
create table record (
  ws text not null,
  collection text not null,
  id <integer> not null,
  doc text not null,
  version <integer> not null,
  deleted <integer> not null default 0,
  email text,
  secret text,
  verified <integer> not null default 1,
  updated <integer> not null,
  primary key (ws, collection, id)
);
create unique index record_email on record (ws, email) where email is not null;
create table counter (
  ws text not null,
  name text not null,
  n <integer> not null,
  since <integer> not null,
  primary key (ws, name)
);
create table session (
  ws text not null,
  id text not null,
  person <integer> not null,
  created <integer> not null,
  expires <integer> not null,
  ended <integer>,
  primary key (ws, id)
);
create index session_expires on session (expires);
create table ticket (
  ws text not null,
  hash <bytes> not null,
  purpose text not null,
  person <integer> not null,
  session text,
  tries <integer> not null default 0,
  used <integer>,
  expires <integer>,
  primary key (ws, hash)
);
create index ticket_expires on ticket (expires) where expires is not null;
create table idempotency (
  ws text not null,
  name text not null,
  fingerprint text not null,
  status <integer>,
  headers text,
  body text,
  expires <integer> not null,
  primary key (ws, name)
);
create index idempotency_expires on idempotency (expires);
create table event (
  ws text not null,
  seq <integer> not null,
  type text not null,
  payload text not null,
  at <integer> not null,
  primary key (ws, seq)
);
create table journal (
  pk <counter>,
  ws text not null,
  entry text not null
);
create index journal_ws on journal (ws, pk);
create table mail (
  pk <counter>,
  ws text not null,
  entry text not null
);
create index mail_ws on mail (ws, pk);
create table upload (
  ws text not null,
  id text not null,
  meta text not null,
  content <bytes> not null,
  at <integer> not null,
  primary key (ws, id)
);
create table signing_key (
  kid text primary key,
  algorithm text not null,
  jwk text not null,
  created <integer> not null
);
`

// `pupil` is the hash of a browser's cookie. `tag` names the workspace on the teacher's screen, where
// its id must not be seen: everyone who knows the id can use the workspace.
const PUPILS = `
alter table workspace add column pupil <bytes>;
alter table workspace add column tag text;
alter table workspace add column name text;
create unique index workspace_pupil on workspace (pupil) where pupil is not null;
create unique index workspace_tag on workspace (tag) where tag is not null;
`

export const migrations: readonly Migration[] = [migrationFrom(TABLES), migrationFrom(PUPILS)]

/** Tables with the data of a workspace, except its own row. */
export const WORKSPACE_TABLES = [
  'record',
  'counter',
  'session',
  'ticket',
  'idempotency',
  'event',
  'journal',
  'mail',
  'upload'
] as const
