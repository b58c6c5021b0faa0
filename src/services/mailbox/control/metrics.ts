import { type ApiRequest, SENT } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { API_HEADERS } from '../contract.ts'
import { readAllEventTotals } from '../store/event-counts.ts'
import { QUEUES, readQueue } from './queues.ts'
import { readStates } from './stats.ts'

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Numbers in the format of Prometheus, by the names that EmailEngine has for them. */
export async function metrics(
  context: MailboxContext,
  { response }: ApiRequest
): Promise<typeof SENT> {
  const { kernel } = context
  const states = await readStates(context)
  const sizes = await queueSizes(context)
  const events = await kernel.database.read(readAllEventTotals)
  const { connections } = await context.daemon()
  const text = [
    ...series('imap_connections', 'gauge', 'Accounts by state', 'status', states),
    '# HELP queue_size Messages that wait to be sent, and deliveries of webhooks',
    '# TYPE queue_size gauge',
    ...sizes,
    ...series('events', 'counter', 'Events of accounts', 'event', events),
    '# HELP imap_open_connections Connections to IMAP servers of this process',
    '# TYPE imap_open_connections gauge',
    `imap_open_connections ${connections.count()}`,
    ''
  ].join('\n')
  response.writeHead(200, { ...API_HEADERS, 'content-type': TYPE })
  response.end(text)
  return SENT
}

async function queueSizes(context: MailboxContext): Promise<readonly string[]> {
  const queues = await Promise.all(QUEUES.map((queue) => readQueue(context, queue)))
  return queues.flatMap(({ queue, jobs }) =>
    Object.entries(jobs).map(
      ([state, count]) => `queue_size{queue="${queue}",state="${state}"} ${count}`
    )
  )
}

/** Values of labels are names of ours, so they need no escapes. */
function series(
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  label: string,
  values: Readonly<Record<string, number>>
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...Object.entries(values).map(([value, count]) => `${name}{${label}="${value}"} ${count}`)
  ]
}
