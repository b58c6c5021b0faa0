import { createHash } from 'node:crypto'
import { formatUuid } from '../../../kernel/uuid.ts'

/** Of the events of nonet; a UUID of version 5 is the hash of a namespace and a name. */
const NAMESPACE = Buffer.from('6f2e1c9a5b7d4e3f8a1b0c2d4e6f8a9b', 'hex')

/** The same for the same parts, whenever and wherever the event is found. */
export function eventIdOf(parts: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest()
  return formatUuid(hash, 5)
}
