import { pipeline } from 'node:stream/promises'
import { attachmentDisposition } from '../../../kernel/content-disposition.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { type Handler, SENT } from '../api/route.ts'
import { AccountNotFound, DOWNLOAD_HEADERS } from '../contract.ts'
import { readLogLines } from '../store/account-logs.ts'

const LINES_AT_ONCE = 1000

/** Line by line, as a download: time, number of the connection, direction, text. */
const accountLog: Handler = async ({ kernel, daemon }, { params, response }) => {
  const { account: id = '' } = params
  const { accounts, connections } = await daemon()
  if ((await accounts.find(id)) === undefined) throw new AccountNotFound()
  await connections.flushLogs()
  const content = readLog(kernel.database, id)
  // The first lines are read before the head is sent, so that an error of the storage has a status.
  const first = await content.next()
  response.writeHead(200, {
    ...DOWNLOAD_HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': attachmentDisposition(`logs-${id}.txt`)
  })
  if (first.done === true) response.end()
  else await pipeline(joined(first.value, content), response).catch(() => response.destroy())
  return SENT
}

async function* readLog(database: Database, account: string): AsyncGenerator<string, undefined> {
  let after = 0
  for (;;) {
    const lines = await database.read(() => readLogLines(account, after, LINES_AT_ONCE))
    const last = lines.at(-1)
    if (last === undefined) return undefined
    after = last.number
    yield lines.map(({ time, line }) => `${new Date(time).toISOString()} ${line}\n`).join('')
  }
}

async function* joined(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

export const connectionsHandlers = { accountLog } satisfies Record<string, Handler>
