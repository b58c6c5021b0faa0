import type { ImapFlow } from 'imapflow'
import { parseStatusList } from 'imapflow/lib/commands/status-fields.js'
import { encodePath } from 'imapflow/lib/tools.js'
import type { MailboxStatus } from '../changes/needs-comparison.ts'
import { isRejected } from '../messages/rejected-command.ts'
import { internalsOf, mailboxOf, noticesOf } from './notify-adapter.ts'

const ITEMS = ['MESSAGES', 'UIDNEXT', 'UIDVALIDITY']

/**
 * STATUS of a mailbox; undefined if the server rejects it. With NOTIFY, lines about other mailboxes
 * may arrive meanwhile, which `status` of imapflow would take for this one.
 */
export async function readStatus(
  client: ImapFlow,
  path: string
): Promise<MailboxStatus | undefined> {
  const items = client.capabilities.has('CONDSTORE') ? [...ITEMS, 'HIGHESTMODSEQ'] : ITEMS
  const found: Record<string, unknown> = {}
  try {
    const { next } = await internalsOf(client).exec(
      'STATUS',
      [
        { type: 'STRING', value: encodePath(client, path) },
        items.map((value) => ({ type: 'ATOM', value }))
      ],
      {
        untagged: {
          async STATUS({ attributes = [] }) {
            const [name, list] = attributes
            const told = mailboxOf(client, name)
            if (told !== undefined && told !== path) noticesOf(client)?.onStatus(told)
            if (told !== path || !Array.isArray(list)) return
            parseStatusList(list, (key, value) => {
              found[key] = value
            })
          }
        }
      }
    )
    next()
    return found
  } catch (error) {
    if (isRejected(error)) return undefined
    throw error
  }
}
