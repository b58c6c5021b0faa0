// imapflow alone: each request fetches what a listing of 20 messages needs, so many times.
import { createServer } from 'node:http'
import { ImapFlow } from 'imapflow'

const PAGE_SIZE = 20
const ITEMS = {
  ...{ uid: true, flags: true, envelope: true, bodyStructure: true, internalDate: true },
  ...{ size: true, threadId: true, labels: true }
}

const [port, options = '{}'] = process.argv.slice(2)
const client = new ImapFlow({ ...JSON.parse(options), logger: false, disableAutoIdle: true })
await client.connect()
const { exists } = await client.mailboxOpen('INBOX')

createServer(async ({ url = '' }, response) => {
  for (let left = Number(url.slice(1)); left > 0; left--) {
    const found = await client.fetchAll(`${exists - PAGE_SIZE + 1}:${exists}`, ITEMS)
    if (found.length !== PAGE_SIZE) throw new Error(`${found.length} messages`)
  }
  response.end()
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
