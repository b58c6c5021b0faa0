import type { IncomingMessage } from 'node:http'
import { isForwarded } from '../../../kernel/forwarded.ts'
import { OutboundError } from '../../../kernel/outbound.ts'
import type { CardContext } from '../context.ts'
import { CallbackFailed, CallbackUnreachable, ValueInvalid } from '../contract.ts'
import { webUrl } from '../records/web-url.ts'

const MAX_URL = 2_048
const TIMEOUT_MS = 10_000

/** As it was sent, because signatures contain it; without user-info and fragment. */
export function callbackValue(text: string | undefined): string {
  const url = text === undefined ? undefined : webUrl(text)
  if (url === undefined || url.length > MAX_URL) throw new ValueInvalid('callbackURL')
  const { username, password, hash } = new URL(url)
  if (username !== '' || password !== '' || hash !== '') throw new ValueInvalid('callbackURL')
  return url
}

/** The receiver must respond to HEAD with 200; redirects are not followed. */
export async function checkCallback(
  { kernel }: Pick<CardContext, 'kernel'>,
  url: string,
  raw: IncomingMessage
): Promise<void> {
  const request = {
    method: 'HEAD',
    timeoutMs: TIMEOUT_MS,
    // HEAD has no body, whatever `Content-Length` says.
    maxBytes: Number.MAX_SAFE_INTEGER,
    forwarded: isForwarded(raw)
  }
  const { status } = await kernel.outbound.fetch(url, request).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error
    throw new CallbackUnreachable(url, error.code)
  })
  if (status !== 200) throw new CallbackFailed(url, status)
}
