import { createHash, randomBytes } from 'node:crypto'
import { createConnectBackoff } from './connect-backoff.ts'
import {
  createLocalChannel,
  type NotificationChannel,
  type Subscriber
} from './notification-channel.ts'
import {
  ignoreConnectionLoss,
  openClient,
  type PostgresClient,
  type PostgresLocation,
  readerOptions,
  type Sockets
} from './postgres-connection.ts'

/** Topics are collected for one NOTIFY, because each takes a lock shared by all commits. */
const FLUSH_MS = 15
const RETRY_MS = 250
/** PostgreSQL limits a payload to 8000 bytes. */
const MAX_NOTICE = 7_000
const MAX_WAITING = 5_000
const MISSED = '*'

/** Uses a separate connection, opened for the first topic published or the first subscriber. */
export function createPostgresSignals(
  location: PostgresLocation,
  sockets: Sockets = new Set()
): NotificationChannel & { close: () => Promise<void> } {
  const channel = `nonet_${createHash('sha256').update(location.schema).digest('hex').slice(0, 32)}`
  const origin = randomBytes(8).toString('hex')
  const local = createLocalChannel()
  const listeners = new Set<Subscriber>()
  const pass = createConnectBackoff()
  let waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let current: Promise<PostgresClient> | undefined
  let closed = false

  function hearNotice(payload = ''): void {
    const [from, ...words] = payload.split(' ')
    if (from === origin) return
    for (const word of words) for (const hear of listeners) hear(word === MISSED ? undefined : word)
  }

  async function connect(): Promise<PostgresClient> {
    const client = await openClient(readerOptions(location, sockets), `listen ${channel}`)
    return client.on('notification', ({ payload }) => hearNotice(payload))
  }

  function open(): Promise<PostgresClient> {
    const opened = pass(connect)
    const lose = () => {
      if (current !== opened) return
      current = undefined
      schedule(RETRY_MS)
    }
    opened.then((client) => {
      client.on('error', lose).on('end', lose)
      // Notifications sent before this connection was opened have been missed.
      for (const hear of listeners) hear(undefined)
    }, lose)
    return opened
  }

  function schedule(delayMs: number): void {
    if (closed || (waiting.size === 0 && listeners.size === 0)) return
    timer ??= setTimeout(flush, delayMs).unref()
  }

  function flush(): void {
    timer = undefined
    current ??= open()
    current.then(send, () => schedule(RETRY_MS))
  }

  async function send(client: PostgresClient): Promise<void> {
    const words = [...waiting]
    waiting = new Set()
    for (const notice of noticesOf(words)) {
      await client.query('select pg_notify($1, $2)', [channel, `${origin} ${notice}`]).catch(() => {
        waiting.add(MISSED)
      })
    }
  }

  return {
    publish(word) {
      local.publish(word)
      if (waiting.size >= MAX_WAITING) waiting = new Set([MISSED])
      waiting.add(word)
      schedule(FLUSH_MS)
    },
    subscribe(listener) {
      listeners.add(listener)
      const end = local.subscribe(listener)
      schedule(0)
      return () => {
        end()
        listeners.delete(listener)
      }
    },
    async close() {
      clearTimeout(timer)
      if (waiting.size > 0) await current?.then(send).catch(ignoreConnectionLoss)
      closed = true
      await current?.then((client) => client.end()).catch(ignoreConnectionLoss)
    }
  }
}

function* noticesOf(words: readonly string[]): Generator<string> {
  let notice = ''
  for (const word of words) {
    if (notice.length + word.length > MAX_NOTICE) {
      yield notice
      notice = ''
    }
    notice += notice === '' ? word : ` ${word}`
  }
  if (notice !== '') yield notice
}
