import { UserError } from '../../../kernel/errors.ts'
import type {
  ConsoleEndpoint,
  RemoteCommand,
  RemoteCommandOptions
} from '../../../kernel/service.ts'

/** The command `nonet types cards [file]`. */
export const typesCommand: RemoteCommand = {
  flags: {
    board: {
      type: 'string',
      about: 'id, short link or slug of the board of cards (default: the only one)'
    },
    url: {
      type: 'string',
      about: 'URL of the service that the client calls (default: the running one)'
    }
  },
  run: requestTypes
}

async function requestTypes(
  { url, headers }: ConsoleEndpoint,
  { flags }: RemoteCommandOptions
): Promise<string> {
  const query = new URLSearchParams()
  if (typeof flags.board === 'string') query.set('board', flags.board)
  if (typeof flags.url === 'string') query.set('url', flags.url)
  const response = await fetch(`${url}/types?${query}`, { headers })
  if (response.ok) return response.text()
  const { messageOf } = await import('../../../kernel/exchange/console-message.ts')
  throw new UserError(await messageOf(response))
}
