import { credentialsMigration } from '../../../kernel/credentials/table.ts'
import type { Migration } from '../../../kernel/database/database.ts'
import { migrationFrom } from '../../../kernel/database/migration-sql.ts'
import { filesMigration } from '../../../kernel/files/table.ts'
import { searchMigration } from '../../../kernel/search/table.ts'

/** The table of texts to search, by the sort key of the post; it has public posts only. */
export const SEARCH_TABLE = 'texts'

// Ids are decimal numbers of up to 19 digits, which are never numbers in JavaScript.
// `names` has former names; a name can be the current one of another account.
// `posts.digest` tells whether an import changes a post. `posts.imported_visibility` is that of the
// last import, so that another import does not show what was hidden here. `posts.was_public` tells
// whether a deleted post was public before.
// `originals` has the posts as they are in their archives.
// `months` counts the public posts of each month ('2026-11'), without empty ones, so that profiles
// need no scan and accounts without public posts are known.
// `sources` tells which file of an archive is stored; its keys are the import command's.
// `uploads` tells the types and sizes of files.
// `revision` has one row, which changes with everything that clients see.
const TABLES = `
create table accounts (
  id text primary key,
  user_name text not null,
  folded_name <sorted> not null unique,
  name text not null,
  bio text not null,
  website text,
  location text,
  avatar text,
  header text,
  created_at text,
  source text not null,
  imported_at text not null
);
create index accounts_avatar on accounts (avatar) where avatar is not null;
create index accounts_header on accounts (header) where header is not null;
create table names (
  folded_name text not null,
  account text not null references accounts (id),
  ended_at <sorted>,
  primary key (folded_name, account)
);
create index names_account on names (account);
create table posts (
  id text primary key,
  sort_key <sorted> not null unique,
  account text not null references accounts (id),
  visibility text not null,
  imported_visibility text not null,
  was_public <integer> not null,
  kind text not null,
  month <sorted> not null,
  text text not null,
  entities text not null,
  lang text,
  created_at text not null,
  edited_at text,
  reply_id text,
  reply_user text,
  quoted_id text,
  quoted_url text,
  likes <integer>,
  reposts <integer>,
  replies <integer>,
  quotes <integer>,
  sensitive <integer> not null,
  summary text,
  source text not null,
  original_url text,
  version <integer> not null,
  digest text not null,
  imported_at text not null
);
create index posts_account on posts (account, visibility, sort_key);
create index posts_month on posts (account, visibility, month, sort_key);
create index posts_public on posts (sort_key) where visibility = 'public';
create index posts_reply on posts (reply_id, sort_key) where reply_id is not null;
create table originals (
  post text primary key references posts (id),
  raw text not null
);
create table media (
  post text not null references posts (id),
  position <integer> not null,
  type text not null,
  hash text not null,
  media_type text not null,
  width <integer> not null,
  height <integer> not null,
  alt text,
  poster text,
  duration_ms <integer>,
  bitrate <integer>,
  primary key (post, position)
) <clustered>;
create index media_hash on media (hash);
create index media_poster on media (poster) where poster is not null;
create table months (
  account text not null references accounts (id),
  month <sorted> not null,
  posts <integer> not null,
  primary key (account, month)
) <clustered>;
create table sources (
  source_key text primary key,
  hash text not null
);
create table uploads (
  hash text primary key,
  media_type text not null,
  width <integer> not null,
  height <integer> not null,
  size <integer> not null
);
create table revision (
  id <integer> primary key,
  version <integer> not null,
  changed_at text not null
);
`

/**
 * Redirects read this index alone, whose entries are small because the id is a number in it: of a
 * million posts it has 25 MB, which SQLite can cache, while tables and indexes with text cannot be.
 */
const AUTHORS: Migration = {
  sqlite: `create index posts_author on posts (cast(id as integer), visibility, account)
    where visibility = 'public'`,
  postgres: `create index posts_author on posts (id) include (account) where visibility = 'public'`
}

// `posts.deleted_at` is set while a post that was deleted here can be restored.
// `edits` has what the owner changed, so that another import does not undo it: the name is `lang`,
// `sensitive` or `alt <hash>`.
// `post_keys` has the first responses to requests with an `Idempotency-Key`.
const POSTING = `
alter table posts add column deleted_at <sorted>;
create index posts_deleted on posts (deleted_at) where deleted_at is not null;
create index posts_local on posts (sort_key) where source = 'local';
create table edits (
  post text not null references posts (id),
  name text not null,
  value text,
  primary key (post, name)
) <clustered>;
create table post_keys (
  account text not null references accounts (id),
  name text not null,
  fingerprint text not null,
  post text not null references posts (id),
  record text not null,
  created_at <sorted> not null,
  primary key (account, name)
);
create index post_keys_created on post_keys (account, created_at);
create index post_keys_post on post_keys (post);
`

export const migrations: readonly Migration[] = [
  migrationFrom(TABLES),
  AUTHORS,
  filesMigration(),
  searchMigration(SEARCH_TABLE),
  credentialsMigration(),
  migrationFrom(POSTING)
]
