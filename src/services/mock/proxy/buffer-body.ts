import { Readable } from 'node:stream'
import { JoinedBytes } from '../../../kernel/joined-bytes.ts'
import { discard } from './discard.ts'

/** A complete body, or a stream if the body was too large or too slow. */
export type BufferedBody = { bytes: Buffer; stream?: never } | { bytes?: never; stream: Readable }

type Step = IteratorResult<Buffer, undefined>

/** Buffers a body up to a maximum size and time. */
export async function bufferBody(
  source: Readable,
  maxBytes: number,
  maxMs: number
): Promise<BufferedBody> {
  const iterator: AsyncIterator<Buffer> = source[Symbol.asyncIterator]()
  const held = new JoinedBytes()
  const expired = Promise.withResolvers<undefined>()
  const timer = setTimeout(expired.resolve, maxMs, undefined)
  try {
    for (;;) {
      const next = iterator.next()
      const step: Step | undefined = await Promise.race([next, expired.promise])
      if (step?.done) return { bytes: held.take() }
      if (step !== undefined) held.add(step.value)
      if (step === undefined || held.size > maxBytes) {
        const pending = step === undefined ? next : undefined
        return { stream: resume(source, iterator, held.take(), pending) }
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

function resume(
  source: Readable,
  iterator: AsyncIterator<Buffer>,
  held: Buffer,
  pending: Promise<IteratorResult<Buffer>> | undefined
): Readable {
  async function* rest() {
    if (held.length > 0) yield held
    let step = await (pending ?? iterator.next())
    while (!step.done) {
      yield step.value
      step = await iterator.next()
    }
  }
  // Avoids an unhandled rejection if `pending` fails after the stream was closed.
  pending?.catch(() => {})
  const stream = Readable.from(rest(), { objectMode: false })
  return stream.once('close', () => discard(source))
}
