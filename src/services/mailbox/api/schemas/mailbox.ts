import type { InputSchemas } from '../route.ts'
import { BOOLEAN, object, oneOrMore, text } from './parts.ts'

/** A path, or a special use such as `\Sent`. Servers reject control characters; some end the line. */
export const PATH = text(1024, { minLength: 1, pattern: '^[^\\u0000-\\u001f\\u007f]+$' })
/** A path, or the names of its levels. */
const LEVELS = oneOrMore(PATH, { minItems: 1, maxItems: 100 })

export const mailboxSchemas = {
  listMailboxes: { query: { counters: BOOLEAN } },
  addMailbox: { body: object({ path: LEVELS }, ['path']) },
  changeMailbox: {
    body: object({ path: PATH, newPath: LEVELS, subscribed: BOOLEAN }, ['path'])
  },
  removeMailbox: { query: { path: PATH }, requiredQuery: ['path'] }
} satisfies Partial<Record<string, InputSchemas>>
