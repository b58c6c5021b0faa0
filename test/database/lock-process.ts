/** A process that waits for a lock and prints what its listener is told; arguments: URL, schema. */
import { createPostgresSignals } from '../../src/kernel/database/postgres-channel.ts'
import { openPostgresLock } from '../../src/kernel/database/postgres-lock.ts'
import { SHORT_TIMING } from './lock-timing.ts'

const [url = '', schema = ''] = process.argv.slice(2)
const location = { url, schema, durable: true }
const channel = createPostgresSignals(location)
openPostgresLock(
  { location, sockets: new Set(), channel },
  'work',
  (isHeld) => process.stdout.write(isHeld ? 'held\n' : 'lost\n'),
  SHORT_TIMING
)
