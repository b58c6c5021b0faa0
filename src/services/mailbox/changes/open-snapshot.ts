import type { ImapFlow, MailboxObject } from 'imapflow'
import { openMailbox } from '../messages/open-mailbox.ts'

/** A mailbox as it was when it was selected; what came later is found by the next comparison. */
export interface MailboxSnapshot {
  readonly path: string
  readonly uidValidity: string
  readonly uidNext: number
  readonly exists: number
  /** Undefined if the mailbox has no modification sequences. */
  readonly highestModseq: string | undefined
  /** Between the levels of the path. */
  readonly delimiter: string | undefined
}

/** Selects a mailbox without changing it. Throws `FolderNotFound`. */
export async function openSnapshot(client: ImapFlow, path: string): Promise<MailboxSnapshot> {
  const opened = await openMailbox(client, path, 'read')
  const { mailbox } = client
  const delimiter = (mailbox ? mailbox.delimiter : '') || undefined
  return { ...opened, highestModseq: modseqOf(mailbox), delimiter }
}

function modseqOf(mailbox: MailboxObject | false): string | undefined {
  if (!mailbox || mailbox.noModseq === true || mailbox.highestModseq === undefined) return undefined
  return mailbox.highestModseq > 0n ? String(mailbox.highestModseq) : undefined
}
