import type { StoredUpload } from '../records/stored-upload.ts'
import type { FieldType, ListRole } from '../store/rows.ts'

/** Objects of an import as they are stored: checked, with limits applied. Times are ISO 8601. */
export interface ImportedBoard {
  id: string
  /** Undefined for a new one. */
  shortLink?: string
  name: string
  description: string
  isClosed: boolean
  permission: 'private' | 'org' | 'public'
  prefs: Readonly<Record<string, string | boolean>>
  labelNames: Readonly<Record<string, string>>
  /** The rest is of exports of nonet. */
  slug?: string
  timeZone?: string
  completedField?: string | null
  urlField?: string | null
  lastNumber?: number
  owner?: ImportedMember
}

export interface ImportedMember {
  id: string
  userName: string
  fullName: string
}

export interface ImportedList {
  id: string
  name: string
  isClosed: boolean
  pos: number
  /** Undefined if the file does not tell it. */
  role?: ListRole
}

export interface ImportedLabel {
  id: string
  name: string
  color: string | null
}

export interface ImportedField {
  id: string
  name: string
  type: FieldType
  pos: number
  cardFront: boolean
  /** 64 hexadecimal digits. */
  group?: string
  options: readonly { id: string; text: string; color: string; pos: number }[]
}

export interface ImportedItem {
  id: string
  field: string
  /** Undefined for an option of a list. */
  value?: Readonly<Record<string, string>>
  option?: string
}

export interface ImportedAttachment {
  id: string
  name: string
  mediaType: string
  pos: number
  createdAt: string
  alt?: string
  /** Of a link. Without it the attachment is an upload. */
  url?: string
  /** The name of the file as it was uploaded, and its size in the file that is imported. */
  fileName?: string
  bytes?: number
  /** Undefined if the import has not found the file. */
  upload?: StoredUpload
}

export interface ImportedChecklist {
  id: string
  name: string
  pos: number
  items: readonly {
    id: string
    name: string
    isComplete: boolean
    pos: number
    due: string | null
  }[]
}

export interface ImportedCard {
  id: string
  shortLink?: string
  list: string
  /** Undefined if the file has none, for the next one of the board. */
  number?: number
  name: string
  description: string
  isClosed: boolean
  pos: number
  due: string | null
  isDueComplete: boolean
  dueReminder: number | null
  start: string | null
  cover: {
    attachment: string | null
    isManual: boolean
    color: string | null
    size: 'normal' | 'full'
    brightness: 'light' | 'dark'
  }
  isTemplate: boolean
  cardRole: string | null
  /** JSON. */
  location: string | null
  /** Whether the member of the board is one of the card. */
  hasMember: boolean
  changedAt: string
  labels: readonly string[]
  items: readonly ImportedItem[]
  attachments: readonly ImportedAttachment[]
  checklists: readonly ImportedChecklist[]
  /** Of exports of nonet: when the card is published, null for no such time. */
  publishAt?: string | null
  /** Of exports of nonet: as long as the card was published once. */
  publication?: {
    slug: string
    /** Whether the slug was chosen by hand. */
    isSlugSet: boolean
    publishedAt: string
    formerSlugs: readonly string[]
  }
}

export interface ImportedAction {
  id: string
  type: string
  card?: string
  list?: string
  /** JSON. */
  data: string
  createdAt: string
}
