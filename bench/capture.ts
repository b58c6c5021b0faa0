import { get } from 'node:http'

export interface Captured {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Base64, because the body may be compressed. */
  body: string
}

/** Captures the headers and bytes that nonet sends, for the raw server to send them again. */
export function capture(
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<Captured> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { ...headers }, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const { date: _, connection: __, 'keep-alive': ___, ...sent } = answer.headers
        resolve({
          status: answer.statusCode ?? 0,
          headers: sent,
          body: Buffer.concat(chunks).toString('base64')
        })
      })
    }).on('error', reject)
  })
}
