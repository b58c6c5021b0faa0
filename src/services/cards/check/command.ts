import { UserError } from '../../../kernel/errors.ts'
import type { ConsoleEndpoint, Finding, RemoteCommand } from '../../../kernel/service.ts'

/** The command `nonet check cards`. */
export const checkCommand: RemoteCommand<readonly Finding[]> = {
  flags: {
    board: { type: 'string', about: 'slug, id or short link of one board of cards (default: all)' }
  },
  async run({ url, headers }: ConsoleEndpoint, { flags }) {
    const { messageOf } = await import('../../../kernel/exchange/console-message.ts')
    const { board } = flags
    const query = typeof board === 'string' ? `?${new URLSearchParams({ board })}` : ''
    const response = await fetch(`${url}/check${query}`, { headers })
    if (!response.ok) throw new UserError(await messageOf(response))
    const { findings }: { findings: Finding[] } = await response.json()
    return findings
  }
}
