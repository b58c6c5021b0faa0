import { isLoopbackIp } from '../../../../kernel/ip-ranges.ts'

export const TOKEN_URL_MESSAGE =
  'must be a URL with https, without a user name; http is allowed for this machine only'

/** Whether secrets may be sent to the URL: encrypted, or without leaving this machine. */
export function isTokenUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}

function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || isLoopbackIp(host)
}
