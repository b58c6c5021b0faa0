const MIB = 1024 * 1024

/** Bytes of the JSON of a board; it is parsed in memory. */
export const MAX_EXPORT_BYTES = 128 * MIB
/** Arrays and objects inside of each other; exports have about ten. */
export const MAX_EXPORT_DEPTH = 64

/** UTF-16 units; longer texts are cut. */
export const TEXT_LIMITS = {
  name: 16_384,
  description: 16_384,
  label: 1_024,
  attachment: 256,
  alt: 16_384,
  value: 16_384
} as const

/** Of lists, labels and custom fields of a board, each. */
export const MAX_PARTS = 500
export const MAX_OPTIONS = 50
/** Of a card; the setting `maxAttachments` is lower as a rule. */
export const MAX_ATTACHMENTS = 1_000
export const MAX_CHECKLISTS = 100
export const MAX_CHECK_ITEMS = 200
/** Bytes of the JSON of an action's data. */
export const MAX_ACTION_BYTES = 64 * 1024
export const MAX_URL_LENGTH = 4_096
