import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Form } from './contract.ts'

/** Maximum number of submissions in memory; the oldest is removed first. */
export const MAX_CAUGHT = 100

/** Headers shown with a submission, for authors of webhooks. */
const HEADERS_OF_INTEREST = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature'
]

export interface Caught extends Form {
  id: string
  when: string
  /** Additional fields; undefined if there are none. */
  fields?: Readonly<Record<string, unknown>> | undefined
  headers: Readonly<Record<string, string>>
}

export interface Catch {
  add: (form: Form, additional: object, headers: IncomingHttpHeaders) => Caught
  /** Submissions, newest first. */
  list: () => readonly Caught[]
  clear: () => void
}

/** Default webhook: keeps the last submissions in memory. */
export function createCatch(now: () => Date): Catch {
  let caught: readonly Caught[] = []
  return {
    add(form, additional, headers) {
      const submission = {
        id: randomUUID(),
        when: now().toISOString(),
        ...form,
        ...(Object.keys(additional).length === 0 ? {} : { fields: { ...additional } }),
        headers: ofInterest(headers)
      }
      caught = [submission, ...caught].slice(0, MAX_CAUGHT)
      return submission
    },
    list: () => caught,
    clear() {
      caught = []
    }
  }
}

function ofInterest(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    HEADERS_OF_INTEREST.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, String(value)]]
    })
  )
}
