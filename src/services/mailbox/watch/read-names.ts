import { createHash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import { isRejected } from '../messages/rejected-command.ts'
import { internalsOf, mailboxOf, type UntaggedResponse } from './notify-adapter.ts'

/**
 * A short text that differs if mailboxes were added, removed or renamed. Some servers, Dovecot 2.3
 * among them, do not always tell of it with NOTIFY.
 */
export async function readNames(client: ImapFlow): Promise<string> {
  const names: string[] = []
  const untagged = {
    async LIST({ attributes = [] }: UntaggedResponse) {
      const [flags, , name] = attributes
      const path = mailboxOf(client, name)
      const isThere = !JSON.stringify(flags ?? []).includes('\\\\NonExistent')
      if (path !== undefined && isThere) names.push(path)
    }
  }
  try {
    const { next } = await internalsOf(client).exec('LIST', ['', '*'], { untagged })
    next()
  } catch (error) {
    if (!isRejected(error)) throw error
  }
  return createHash('sha1').update(JSON.stringify(names.sort())).digest('base64')
}
