import { Readable } from 'node:stream'
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
  const held: Buffer[] = []
  const expired = Promise.withResolvers<undefined>()
  const timer = setTimeout(expired.resolve, maxMs, undefined)
  try {
    for (let size = 0; ; ) {
      const next = iterator.next()
      const step: Step | undefined = await Promise.race([next, expired.promise])
      if (step?.done) return { bytes: Buffer.concat(held) }
      if (step !== undefined) {
        held.push(step.value)
        size += step.value.length
      }
      if (step === undefined || size > maxBytes) {
        return { stream: resume(source, iterator, held, step === undefined ? next : undefined) }
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

function resume(
  source: Readable,
  iterator: AsyncIterator<Buffer>,
  held: readonly Buffer[],
  pending: Promise<IteratorResult<Buffer>> | undefined
): Readable {
  async function* rest() {
    yield* held
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
