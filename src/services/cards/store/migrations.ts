import { credentialsMigration } from '../../../kernel/credentials/table.ts'
import type { Migration } from '../../../kernel/database/database.ts'
import { migrationFrom } from '../../../kernel/database/migration-sql.ts'
import { filesMigration } from '../../../kernel/files/table.ts'
import { outboxMigration } from '../../../kernel/outbox/table.ts'
import { searchMigration } from '../../../kernel/search/table.ts'
import { secretsMigration } from '../../../kernel/secrets/table.ts'
import { SESSION_MIGRATION } from '../../../kernel/session-table.ts'

/** The table of texts to search, by the sort key of the card; it has all cards. */
export const SEARCH_TABLE = 'texts'

/** What `signing_key.sealed` is sealed for. */
export const SIGNING_KEY_PURPOSE = 'signing key'

/** What `webhooks.secret` is sealed for, by the id of the webhook. */
export function webhookPurpose(id: string | number): string {
  return `webhook ${id}`
}

// Ids have 24 hexadecimal digits, of which the first eight are the time of creation in seconds.
// Times are ISO 8601 in UTC with milliseconds; `closed` and other flags are 0 or 1. `pos` sorts, with
// equal ones by id. Columns with ids of `<sorted>` columns are `<sorted>` too: PostgreSQL uses no index
// to compare columns of different collations. JSON columns are `prefs`, `label_names`, `location`, `members`, `data`, `value`.
// Every row tells its board, so that each query is limited to the boards that a client may see.
// `boards.owner` is the member whose tokens see the board. `boards.slug` is unique among those of a
// member. `boards.revision` changes with every change, `boards.public_revision` only with what the
// public may see; each has the time of its last change. `boards.last_number` is the last
// `cards.number`, which is not used again. `completed_field` and `url_field` are the custom fields
// of the two properties of the content API.
// `lists.role` is 'draft', 'published' or 'archive'.
// `cards.slug` and `cards.published_at` are set when the card is first public. `slugs` has former
// ones too. `cards.sort_key` has 19 digits and sorts by creation.
// `attachments.url` is set for links, `hash` for uploads: the file as it was sent. `image` is the
// file without metadata that is public. A row with neither is a file that an import did not find.
// `actions.number` sorts by time.
// `signing_key` has one row: the sealed key of preview tokens and signed URLs.
const TABLES = `
create table members (
  id text primary key,
  user_name text not null,
  folded_name text not null unique,
  full_name text not null,
  created_at text not null
);
create table boards (
  id text primary key,
  owner text not null references members (id),
  short_link text not null unique,
  slug text not null,
  name text not null,
  description text not null,
  closed <integer> not null,
  permission text not null,
  prefs text not null,
  label_names text not null,
  time_zone text not null,
  completed_field text,
  url_field text,
  revision <integer> not null,
  changed_at text not null,
  public_revision <integer> not null,
  public_changed_at text not null,
  last_number <integer> not null,
  action_count <integer> not null,
  is_sample <integer> not null,
  unique (owner, slug)
);
create index boards_public on boards (slug) where permission = 'public';
create table lists (
  id <sorted> primary key,
  board text not null references boards (id),
  name text not null,
  closed <integer> not null,
  pos double precision not null,
  role text not null
);
create index lists_board on lists (board, pos, id);
create table labels (
  id <sorted> primary key,
  board text not null references boards (id),
  name text not null,
  color text
);
create index labels_board on labels (board, id);
create table fields (
  id <sorted> primary key,
  board text not null references boards (id),
  name text not null,
  type text not null,
  pos double precision not null,
  card_front <integer> not null,
  field_group text not null
);
create index fields_board on fields (board, pos, id);
create table options (
  id <sorted> primary key,
  board text not null references boards (id),
  field <sorted> not null references fields (id),
  text text not null,
  color text not null,
  pos double precision not null
);
create index options_field on options (field, pos, id);
create index options_board on options (board);
create table cards (
  id <sorted> primary key,
  board text not null references boards (id),
  list <sorted> not null references lists (id),
  number <integer> not null,
  short_link text not null unique,
  sort_key <sorted> not null unique,
  name text not null,
  description text not null,
  closed <integer> not null,
  pos double precision not null,
  due text,
  due_complete <integer> not null,
  due_reminder <integer>,
  start text,
  cover_attachment text,
  cover_is_manual <integer> not null,
  cover_color text,
  cover_size text not null,
  cover_brightness text not null,
  is_template <integer> not null,
  card_role text,
  location text,
  members text not null,
  creator text not null,
  slug text,
  published_at text,
  revision <integer> not null,
  changed_at text not null,
  unique (board, number)
);
create index cards_list on cards (board, list, closed, pos, id);
create index cards_in_list on cards (list, closed, pos, id);
create table slugs (
  board text not null references boards (id),
  slug text not null,
  card <sorted> not null references cards (id),
  primary key (board, slug)
) <clustered>;
create index slugs_card on slugs (card);
create table card_labels (
  card <sorted> not null references cards (id),
  label <sorted> not null references labels (id),
  board text not null references boards (id),
  primary key (card, label)
) <clustered>;
create index card_labels_label on card_labels (label);
create index card_labels_board on card_labels (board);
create table items (
  id <sorted> primary key,
  board text not null references boards (id),
  card <sorted> not null references cards (id),
  field <sorted> not null references fields (id),
  value text,
  option text,
  unique (card, field)
);
create index items_board on items (board);
create index items_field on items (field);
create table attachments (
  id <sorted> primary key,
  board text not null references boards (id),
  card <sorted> not null references cards (id),
  member text not null,
  name text not null,
  file_name text,
  url text,
  bytes <integer>,
  media_type text not null,
  pos double precision not null,
  created_at text not null,
  hash text,
  image text,
  image_type text,
  image_bytes <integer>,
  width <integer>,
  height <integer>,
  color text,
  alt text
);
create index attachments_card on attachments (card, pos, id);
create index attachments_board on attachments (board);
create index attachments_hash on attachments (hash) where hash is not null;
create index attachments_image on attachments (image) where image is not null;
create table checklists (
  id <sorted> primary key,
  board text not null references boards (id),
  card <sorted> not null references cards (id),
  name text not null,
  pos double precision not null
);
create index checklists_card on checklists (card, pos, id);
create index checklists_board on checklists (board);
create table check_items (
  id <sorted> primary key,
  board text not null references boards (id),
  card <sorted> not null references cards (id),
  checklist <sorted> not null references checklists (id),
  name text not null,
  is_complete <integer> not null,
  pos double precision not null,
  due text
);
create index check_items_checklist on check_items (checklist, pos, id);
create index check_items_board on check_items (board);
create index check_items_card on check_items (card);
create table actions (
  number <counter>,
  id text not null unique,
  board text not null references boards (id),
  card <sorted>,
  list <sorted>,
  member text not null,
  type text not null,
  data text not null,
  created_at text not null
);
create index actions_board on actions (board, number);
create index actions_card on actions (card, number) where card is not null;
create index actions_list on actions (list, number) where list is not null;
create table signing_key (
  id <integer> primary key,
  sealed text not null
);
`

// `first_start` has one row as soon as a sample was stored or a board imported.
const FIRST_START = `
create table first_start (
  id <integer> primary key,
  created_at text not null
);
`

/** 1 if the slug was chosen by hand: it then stays when the name of the card changes. */
const SLUG_IS_SET = 'alter table cards add column slug_is_set <integer> not null default 0'

// `cards.publish_at` is set while the card waits for its publication: until then it is not public.
// `webhooks.token` is the id of the token that made it. `model` is the id of what is watched, and
// `board` the same if that is a board; `model_type` is 'board', 'list', 'card' or 'member'.
// `base_url` is that of the URLs in deliveries. `is_forwarded` is 1 if a proxy passed the request on
// that made it. `format` is 'trello' or 'standard', `events` a JSON array that is empty for all.
// `secret` is sealed.
// `undo` has the last move or deletion of each member and board that can be undone until `ends_at`,
// in Unix milliseconds. `about` and `data` are JSON: what the page shows, and what was before.
// `announced` has the published cards as the last event of publication told them;
// `boards.announce_since` is the time, in Unix milliseconds, of the first change that none has told.
const BOARD_PAGE = `
alter table cards add column publish_at text;
alter table boards add column announce_since <integer>;
create table webhooks (
  id <sorted> primary key,
  token text not null,
  member text not null,
  board text references boards (id),
  model text not null,
  model_type text not null,
  description text not null,
  callback_url text not null,
  base_url text not null,
  is_forwarded <integer> not null,
  active <integer> not null,
  format text not null,
  events text not null,
  secret text not null,
  consecutive_failures <integer> not null,
  first_failure_at text,
  created_at text not null
);
create index webhooks_board on webhooks (board);
create index webhooks_model on webhooks (model);
create index webhooks_token on webhooks (token);
create table undo (
  id text primary key,
  board text not null references boards (id),
  member text not null,
  kind text not null,
  about text not null,
  data text not null,
  ends_at <integer> not null,
  unique (board, member)
);
create table announced (
  board text not null references boards (id),
  card <sorted> not null,
  slug text not null,
  title text not null,
  revision <integer> not null,
  primary key (board, card)
) <clustered>;
`

export const migrations: readonly Migration[] = [
  migrationFrom(TABLES),
  filesMigration(),
  searchMigration(SEARCH_TABLE),
  credentialsMigration(),
  secretsMigration(),
  migrationFrom(SLUG_IS_SET),
  migrationFrom(FIRST_START),
  outboxMigration(),
  SESSION_MIGRATION,
  migrationFrom(BOARD_PAGE)
]
