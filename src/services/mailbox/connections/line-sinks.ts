import type { ImapFlow } from 'imapflow'
import type { UidRanges } from '../changes/uid-ranges.ts'
import { type MessageLine, parseFetchLine } from './fetch-line.ts'
import { parseFoundLine, parseVanishedLine } from './uid-lines.ts'

/** Takes responses that are about many messages; imapflow would be slow, or expand all ranges. */
export interface LineSink {
  /** In the order of the responses; a message may be told several times. */
  readonly message?: (line: MessageLine) => void
  readonly vanished?: (uids: UidRanges) => void
  /** By SEARCH. */
  readonly found?: (uids: UidRanges) => void
}

const sinks = new WeakMap<ImapFlow, LineSink>()

/** Responses go to the sink while `run` sends commands; what it leaves is imapflow's. */
export async function collectLines<T>(
  client: ImapFlow,
  sink: LineSink,
  run: () => Promise<T>
): Promise<T> {
  sinks.set(client, sink)
  try {
    return await run()
  } finally {
    sinks.delete(client)
  }
}

/** Whether a response was for a sink. */
export function takeLine(client: ImapFlow, payload: Buffer): boolean {
  const sink = sinks.get(client)
  if (sink === undefined) return false
  return takeMessage(sink, payload) || takeVanished(sink, payload) || takeFound(sink, payload)
}

function takeMessage({ message }: LineSink, payload: Buffer): boolean {
  const line = message && parseFetchLine(payload)
  if (line === undefined) return false
  message?.(line)
  return true
}

function takeVanished({ vanished }: LineSink, payload: Buffer): boolean {
  const uids = vanished && parseVanishedLine(payload)
  if (uids === undefined) return false
  vanished?.(uids)
  return true
}

function takeFound({ found }: LineSink, payload: Buffer): boolean {
  const uids = found && parseFoundLine(payload)
  if (uids === undefined) return false
  found?.(uids)
  return true
}
