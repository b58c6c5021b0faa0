/** What a client of server-sent events sees, nothing of ours in between. */
export interface ServerEvent {
  id: string | undefined
  event: string
  data: string
}

/** The events of one connection; it ends with it, or when the signal says so. */
export async function* readEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal
): AsyncGenerator<ServerEvent> {
  const answer = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal })
  if (answer.status !== 200 || answer.body === null) {
    throw new Error(`${answer.status} ${await answer.text()}`)
  }
  let text = ''
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield parseEvent(block)
  }
}

/** As the standard says: lines without a colon or with an empty name do not count here. */
function parseEvent(block: string): ServerEvent {
  const event: ServerEvent = { id: undefined, event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? []
    if (name === 'id') event.id = value
    if (name === 'event') event.event = value
    if (name === 'data') event.data += event.data === '' ? value : `\n${value}`
  }
  return event
}
