import { readAtMost } from './byte-limit.ts'
import type { Send } from './config.ts'

/** Sends one request with the runtime's `fetch`, which cannot pin the IP address of a host name. */
export const sendByFetch: Send = async (url, { method, headers, body, timeoutMs, maxBytes }) => {
  const response = await fetch(url, {
    method,
    headers,
    body: body ?? null,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs)
  })
  const bytes = await readAtMost(response.body, maxBytes)
  if (bytes.length > maxBytes) throw Object.assign(new Error('Too large'), { code: 'TOO_LARGE' })
  return {
    status: response.status,
    ok: response.ok,
    headers: response.headers,
    text: async () => new TextDecoder().decode(bytes)
  }
}
