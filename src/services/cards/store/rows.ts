/** Rows of the tables, as both engines return them; `migrations.ts` describes the columns. */

export interface MemberRow {
  id: string
  user_name: string
  folded_name: string
  full_name: string
  created_at: string
}

export interface BoardRow {
  id: string
  owner: string
  short_link: string
  slug: string
  name: string
  description: string
  closed: number
  permission: 'private' | 'org' | 'public'
  prefs: string
  label_names: string
  time_zone: string
  completed_field: string | null
  url_field: string | null
  revision: number
  changed_at: string
  public_revision: number
  public_changed_at: string
  last_number: number
  action_count: number
  is_sample: number
  /** Unix milliseconds. */
  announce_since?: number | null
}

export type ListRole = 'draft' | 'published' | 'archive'

export interface ListRow {
  id: string
  board: string
  name: string
  closed: number
  pos: number
  role: ListRole
}

export interface LabelRow {
  id: string
  board: string
  name: string
  color: string | null
}

export type FieldType = 'checkbox' | 'list' | 'number' | 'text' | 'date'

export interface FieldRow {
  id: string
  board: string
  name: string
  type: FieldType
  pos: number
  card_front: number
  field_group: string
}

export interface OptionRow {
  id: string
  board: string
  field: string
  text: string
  color: string
  pos: number
}

export interface CardRow {
  id: string
  board: string
  list: string
  number: number
  short_link: string
  sort_key: string
  name: string
  description: string
  closed: number
  pos: number
  due: string | null
  due_complete: number
  due_reminder: number | null
  start: string | null
  cover_attachment: string | null
  cover_is_manual: number
  cover_color: string | null
  cover_size: 'normal' | 'full'
  cover_brightness: 'light' | 'dark'
  is_template: number
  card_role: string | null
  location: string | null
  members: string
  creator: string
  slug: string | null
  /** Whether the slug was chosen by hand; undefined for 0. */
  slug_is_set?: number
  published_at: string | null
  /** Set while the card waits for its publication. */
  publish_at: string | null
  revision: number
  changed_at: string
}

export interface ItemRow {
  id: string
  board: string
  card: string
  field: string
  /** JSON such as `{"text":"…"}`; null for options of a list. */
  value: string | null
  option: string | null
}

export interface AttachmentRow {
  id: string
  board: string
  card: string
  member: string
  name: string
  file_name: string | null
  url: string | null
  bytes: number | null
  media_type: string
  pos: number
  created_at: string
  hash: string | null
  image: string | null
  image_type: string | null
  image_bytes: number | null
  width: number | null
  height: number | null
  color: string | null
  alt: string | null
}

export interface ChecklistRow {
  id: string
  board: string
  card: string
  name: string
  pos: number
}

export interface CheckItemRow {
  id: string
  board: string
  card: string
  checklist: string
  name: string
  is_complete: number
  pos: number
  due: string | null
}

export interface ActionRow {
  number: number
  id: string
  board: string
  card: string | null
  list: string | null
  member: string
  type: string
  data: string
  created_at: string
}

/** What a webhook can watch. */
export type ModelType = 'board' | 'list' | 'card' | 'member'
export type WebhookFormat = 'trello' | 'standard'

export interface WebhookRow {
  id: string
  token: string
  member: string
  board: string | null
  model: string
  model_type: ModelType
  description: string
  callback_url: string
  base_url: string
  is_forwarded: number
  active: number
  format: WebhookFormat
  /** A JSON array. */
  events: string
  /** Sealed. */
  secret: string
  consecutive_failures: number
  first_failure_at: string | null
  created_at: string
}
