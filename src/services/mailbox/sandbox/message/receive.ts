import type { Files, StoredFile } from '../../../../kernel/files/files.ts'
import type { MessageFacts } from './facts.ts'
import { withMailLineEnds } from './line-ends.ts'
import { createMessageScanner } from './scanner.ts'

export interface ReceivedMessage {
  readonly file: StoredFile
  readonly facts: MessageFacts
}

/**
 * Stores a message and reads its facts in one pass; rejects as `Files.put` does, with `FileTooLarge`
 * for a message of more than `maxBytes`. Line feeds without a carriage return get one, so `size` of
 * the file is RFC822.SIZE.
 */
export async function receiveMessage(
  files: Files,
  source: AsyncIterable<Uint8Array>,
  { maxBytes }: { readonly maxBytes: number }
): Promise<ReceivedMessage> {
  const scanner = createMessageScanner()
  const file = await files.put(scanned(withMailLineEnds(source), scanner.write), { maxBytes })
  return { file, facts: scanner.finish() }
}

async function* scanned(
  source: AsyncIterable<Uint8Array>,
  scan: (chunk: Uint8Array) => void
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    scan(chunk)
    yield chunk
  }
}
