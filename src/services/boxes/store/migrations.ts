import type { Migration } from '../../../kernel/database/database.ts'
import { migrationFrom } from '../../../kernel/database/migration-sql.ts'

// `boxes.pk` is random, so that the number of a deleted box is never that of another box.
const TABLES = `
create table boxes (
  pk <integer> primary key,
  id text not null unique,
  created <integer> not null,
  seq <integer> not null default 0,
  secret <bytes>,
  settings text
);
create table records (
  pk <counter>,
  box <integer> not null references boxes (pk),
  id text not null,
  collection text,
  created <integer> not null,
  updated <integer>,
  expires <integer>,
  rev <integer> not null default 1,
  seq <integer> not null default 0,
  raw text not null,
  doc jsonb not null,
  unique (box, id)
);
create index records_created on records (box, created, pk);
create index records_collection on records (box, collection, created, pk)
  where collection is not null;
create index records_updated on records (box, updated) where updated is not null;
create index records_expires on records (expires) where expires is not null;
`

// `boxes.seq` is the number before the first change of the box, and `forgotten` that of the last
// change cut from the log; null while the log is complete. Older boxes have no complete log.
// `boxes.settings` is null in a box without rules, on which the insert into plain boxes relies.
// In `entries`, `path` is the number of a declared index times four plus the flavour of the key.
const CHANGES_AND_RULES = `
alter table boxes add column forgotten <integer>;
alter table boxes add column private <integer> not null default 0;
update boxes set forgotten = 0;
alter table records drop column seq;
create index records_box_expires on records (box, expires) where expires is not null;
create table changes (
  box <integer> not null references boxes (pk),
  seq <integer> not null,
  op text not null,
  id text not null,
  collection text,
  rev <integer> not null,
  at <integer> not null,
  primary key (box, seq)
) <clustered>;
create table feed (id <integer> primary key, base <integer> not null);
insert into feed (id, base) select 1, 0 from boxes limit 1;
create table entries (
  box <integer> not null references boxes (pk),
  path <integer> not null,
  key <bytes> not null,
  rec <integer> not null,
  primary key (box, path, key, rec)
) <clustered>;
create table schemas (
  box <integer> not null references boxes (pk),
  collection text not null,
  text text not null,
  primary key (box, collection)
);
create table keys (
  box <integer> not null references boxes (pk),
  id text not null,
  digest <bytes> not null,
  scopes text not null,
  label text,
  created <integer> not null,
  revoked <integer>,
  primary key (box, id),
  unique (box, digest)
);
`

export const migrations: readonly Migration[] = [
  migrationFrom(TABLES),
  migrationFrom(CHANGES_AND_RULES)
]
