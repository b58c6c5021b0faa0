import { errors } from './contract.ts'

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, one signature per secret. */
export async function signatureHeaders(
  secrets: string | undefined,
  body: string,
  now: Date
): Promise<Readonly<Record<string, string>>> {
  if (secrets === undefined) return {}
  const keys = findKeys(secrets)
  if (keys === undefined) throw errors.secretInvalid()
  const id = `msg_${crypto.randomUUID()}`
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signatures = await Promise.all(keys.map((key) => sign(key, content)))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' ')
  }
}

/** One key per secret; undefined if one of them is not a secret of 24 to 64 bytes. */
export function findKeys(secrets: string): readonly Uint8Array<ArrayBuffer>[] | undefined {
  const encoded = secrets
    .trim()
    .split(/\s+/)
    .map((secret) => SECRET.exec(secret)?.[1] ?? '')
  if (!encoded.every((text) => text.length % 4 === 0)) return undefined
  const keys = encoded.map((text) => Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)))
  return keys.every(({ length }) => length >= 24 && length <= 64) ? keys : undefined
}

async function sign(key: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>) {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', imported, content)
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
}
