/** The service rejected a change; the message is for people. */
export class ChangeRejected extends Error {
  override name = 'ChangeRejected'
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other, so that each change has the revision of the one before. */
export function inOrder<T>(task: () => Promise<T>): Promise<T> {
  const next = last.then(task, task)
  last = next.catch(() => undefined)
  return next
}

export interface Changed {
  card?: { id: string; revision?: number }
}

/** Sends a change as a form would; rejects with a sentence. */
export async function send(
  url: string,
  fields: Readonly<Record<string, string>> | FormData
): Promise<Changed> {
  const body =
    fields instanceof FormData
      ? new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))
      : new URLSearchParams(fields)
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body
  }).catch(() => {
    throw new ChangeRejected('Not saved: the service cannot be reached. Try again later.')
  })
  const text = await response.text()
  const parsed = parse(text)
  if (response.ok) return parsed
  throw new ChangeRejected(parsed.message ?? `Not saved: ${text.slice(0, 200)}`)
}

function parse(text: string): Changed & { message?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** The page as it is now, with the filter of the address bar. */
export async function fetchPage(): Promise<Document> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}
