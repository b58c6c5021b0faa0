import type { InputSchemas } from '../route.ts'
import { LOCALE, MESSAGE_FIELDS, TIME_ZONE } from './compose.ts'
import { PATH } from './mailbox.ts'
import { BOOLEAN, DATE_TIME, object, oneOrMore, text } from './parts.ts'
import { SEARCH_KEYS } from './search.ts'
import { MAX_BODY_BYTES, RAW, REFERENCE } from './submit.ts'

const MAX_FLAGS = 100
const SYSTEM_FLAGS = ['Seen', 'Answered', 'Flagged', 'Deleted', 'Draft'].map(anyCase).join('|')
/** RFC 9051: a system flag or a keyword, which is an atom. */
const FLAG = text(255, {
  minLength: 1,
  pattern: `^(?:\\\\(?:${SYSTEM_FLAGS})|[!#$&'+,\\-./0-9:;<=>?@A-Z\\[^_\`a-z|~]+)$`
})
const FLAGS = oneOrMore(FLAG, { maxItems: MAX_FLAGS })
/** Of Gmail; a system label begins with a backslash. */
const LABELS = oneOrMore(
  text(225, { minLength: 1, pattern: '^(?:\\\\[A-Za-z]+|[^\\\\\\p{Cc}][^\\p{Cc}]*)$' }),
  {
    maxItems: MAX_FLAGS
  }
)

/** Patterns of JSON Schema cannot ignore case. */
function anyCase(word: string): string {
  return [...word].map((letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('')
}

function changes(values: object): object {
  return { ...object({ add: values, delete: values, set: values }), minProperties: 1 }
}

const UPDATE = { flags: changes(FLAGS), labels: changes(LABELS) }
const BULK = { query: { path: PATH }, requiredQuery: ['path'] }

export const changeSchemas = {
  changeMessage: { body: { ...object(UPDATE), minProperties: 1 } },
  removeMessage: { query: { force: BOOLEAN } },
  moveMessage: { body: object({ path: PATH, source: PATH }, ['path']) },
  changeMessages: {
    ...BULK,
    body: object({ search: SEARCH_KEYS, update: { ...object(UPDATE), minProperties: 1 } }, [
      ...['search', 'update']
    ])
  },
  moveMessages: { ...BULK, body: object({ search: SEARCH_KEYS, path: PATH }, ['search', 'path']) },
  removeMessages: {
    query: { path: PATH, force: BOOLEAN },
    requiredQuery: ['path'],
    body: object({ search: SEARCH_KEYS }, ['search'])
  },
  uploadMessage: {
    maxBodyBytes: MAX_BODY_BYTES,
    body: object(
      {
        path: PATH,
        flags: FLAGS,
        internalDate: DATE_TIME,
        reference: REFERENCE,
        raw: RAW,
        ...MESSAGE_FIELDS,
        locale: LOCALE,
        tz: TIME_ZONE
      },
      ['path']
    )
  }
} satisfies Partial<Record<string, InputSchemas>>
