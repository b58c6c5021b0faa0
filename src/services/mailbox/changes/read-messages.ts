import type { ImapFlow } from 'imapflow'
import type { MessageLine } from '../connections/fetch-line.ts'
import { collectLines } from '../connections/line-sinks.ts'
import type { UidRanges } from './uid-ranges.ts'

/** Receives what the server tells, in any order. */
export interface MessageSink {
  readonly message: (uid: number, flags: readonly string[], labels?: readonly string[]) => void
  /** UIDs of removed messages, and others that never were. */
  readonly vanished: (uids: UidRanges) => void
}

export interface ReadOptions {
  /** A modseq: only messages that changed later. */
  readonly changedSince?: string | undefined
}

/** UIDs and flags of messages of the selected mailbox; on Gmail labels too. */
export async function readMessages(
  client: ImapFlow,
  set: string,
  { changedSince }: ReadOptions,
  sink: MessageSink
): Promise<void> {
  const query = { uid: true, flags: true, labels: client.capabilities.has('X-GM-EXT-1') }
  const options = { uid: true, ...(changedSince && { changedSince: BigInt(changedSince) }) }
  const lines = {
    message({ uid, flags, labels }: MessageLine) {
      if (flags !== undefined) sink.message(uid, flags, labels)
    },
    vanished: sink.vanished
  }
  await collectLines(client, lines, async () => {
    // Only responses that are not simple lines, such as those with a literal.
    for await (const { uid, flags, labels } of client.fetch(set, query, options)) {
      if (uid > 0 && flags !== undefined) sink.message(uid, [...flags], labels && [...labels])
    }
  })
}
