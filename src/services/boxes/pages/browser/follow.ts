/** The change stream of a box, read with `fetch` because `EventSource` cannot send a key. */

const KEY_OF = 'nonet-boxes-key '
const RETRY_MS = 2_000

/** A key stays in its tab: the session storage ends with it and is not shared. */
export function keyOf(box: string): string | null {
  return sessionStorage.getItem(KEY_OF + box)
}

export function rememberKey(box: string, key: string): void {
  sessionStorage.setItem(KEY_OF + box, key)
}

export function headersFor(box: string, accept: string): Record<string, string> {
  const key = keyOf(box)
  return key === null ? { accept } : { accept, 'x-api-key': key }
}

export interface Follower {
  readonly connected: () => void
  /** A change as JSON, or undefined if changes may have been missed. */
  readonly changed: (data: string | undefined) => void
  readonly lost: () => void
}

/** Reads until it is aborted; connects again after an error. */
export async function follow(box: string, signal: AbortSignal, follower: Follower): Promise<void> {
  let last: string | undefined
  while (!signal.aborted) {
    try {
      const headers = headersFor(box, 'text/event-stream')
      if (last !== undefined) headers['last-event-id'] = last
      const response = await fetch(`/${encodeURIComponent(box)}`, { headers, signal })
      if (response.ok && response.body !== null) {
        follower.connected()
        // The page is older than the stream, which begins with the changes from now on.
        if (last === undefined) follower.changed(undefined)
        for await (const { id, data, isReset } of eventsOf(response.body)) {
          last = id ?? last
          if (data !== '') follower.changed(isReset ? undefined : data)
        }
      }
    } catch {
      // The loop tries again, unless it was aborted.
    }
    if (signal.aborted) return
    follower.lost()
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

interface ServerEvent {
  readonly id: string | undefined
  readonly data: string
  readonly isReset: boolean
}

async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield parseEvent(block.split('\n'))
  }
}

function parseEvent(lines: readonly string[]): ServerEvent {
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length))
  return {
    id: valuesOf('id: ')[0],
    data: valuesOf('data: ').join('\n'),
    isReset: valuesOf('event: ')[0] === 'reset'
  }
}
