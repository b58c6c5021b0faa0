/** An event as a client of server-sent events receives it. */
export interface ServerEvent {
  id: string | undefined
  event: string
  data: string
}

/** The events of one connection, once it is open; ends with it or when the signal aborts. */
export async function* readEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onOpen = () => {}
): AsyncGenerator<ServerEvent> {
  const answer = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal })
  if (answer.status !== 200 || answer.body === null) {
    throw new Error(`${answer.status} ${await answer.text()}`)
  }
  onOpen()
  let text = ''
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield parseEvent(block)
  }
}

/** Lines without a colon or with an empty name are ignored, by the standard. */
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
