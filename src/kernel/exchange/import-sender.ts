import { UserError } from '../errors.ts'
import type { ConsoleEndpoint } from '../service.ts'
import { messageOf } from './console-message.ts'

/** Sends the requests of an import to the console routes of a service. */
export interface ImportSender {
  /** Rejects with a `UserError` if the console cannot be reached any more. */
  post: (
    path: string,
    body: string | AsyncIterable<Buffer>,
    headers?: Readonly<Record<string, string>>
  ) => Promise<Response>
  /** The JSON of the response. Rejects with the console's message if it is an error. */
  send: <T>(path: string, body: string) => Promise<T>
  sendJson: <T>(path: string, body: object) => Promise<T>
}

/** `stored` is the subject of the advice, such as "posts that are stored are". */
export function createImportSender(endpoint: ConsoleEndpoint, stored: string): ImportSender {
  const post: ImportSender['post'] = async (path, body, more) => {
    const headers = { ...endpoint.headers, ...more }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    return fetch(`${endpoint.url}/import/${path}`, init).catch((cause) => {
      throw new UserError(
        `nonet ended during the import; run the command again: ${stored} not stored twice`,
        { cause }
      )
    })
  }

  async function send<T>(path: string, body: string): Promise<T> {
    const response = await post(path, body)
    if (response.ok) return response.json() as Promise<T>
    throw new UserError(await messageOf(response))
  }

  return { post, send, sendJson: (path, body) => send(path, JSON.stringify(body)) }
}
