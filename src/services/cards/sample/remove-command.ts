import { UserError } from '../../../kernel/errors.ts'
import type { ConsoleEndpoint, RemoteCommand } from '../../../kernel/service.ts'

/** The command `nonet reset cards --sample`. */
export const removeSampleCommand: RemoteCommand = {
  flags: { sample: { type: 'boolean', about: 'delete only the sample board of cards' } },
  async run({ url, headers }: ConsoleEndpoint) {
    const response = await fetch(`${url}/import/remove-sample`, { method: 'POST', headers })
    if (!response.ok) {
      throw new UserError(`The running nonet rejected the request: ${await response.text()}`)
    }
    const { removed }: { removed: boolean } = await response.json()
    return removed ? 'Deleted the sample board' : 'There is no sample board'
  }
}
