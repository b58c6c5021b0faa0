import {
  checkOwnDataFolder,
  findRunningInstance,
  type RunningInstance
} from '../host/data-folder.ts'
import { allServices } from '../host/service-registry.ts'
import { resetStorage } from '../host/storage.ts'
import { UserError } from '../kernel/errors.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import {
  remoteCommandOf,
  remoteFlagHelp,
  remoteFlags,
  runRemotely,
  usesRemoteFlags
} from './remote-command.ts'
import { fetchConsole } from './running-process.ts'
import { requireService } from './service-argument.ts'
import { bucketFor, storageFlagHelp, storageFlags, storageOf } from './storage-flags.ts'

const usage =
  'nonet reset [service] [--data <dir> | --database <url>] [--files <url>] [--box <id> [--key]] [--sample]'

export const reset: Command = {
  name: 'reset',
  summary: 'Delete the stored data of one service or all services',
  usage,
  examples: [
    'nonet reset',
    'nonet reset reference',
    'nonet reset boxes --box demo --key',
    'nonet reset statuses --sample'
  ],
  arguments: 1,
  flags: { ...storageFlags, ...remoteFlags('reset') },
  flagHelp: { ...remoteFlagHelp('reset'), ...storageFlagHelp },
  async run(invocation) {
    const [name] = invocation.positionals
    if (usesRemoteFlags('reset', invocation)) return resetPart(name, invocation)
    const services = name === undefined ? allServices : [requireService(name, usage)]
    const storage = await storageOf(invocation)
    const running = await findRunningInstance(storage.folder)
    if (running !== undefined) await resetRunning(running, name)
    else {
      checkOwnDataFolder(storage.folder)
      const files = await bucketFor(invocation, storage)
      for (const service of services) await resetStorage(service, { ...storage, files })
    }
    process.stdout.write(`Reset ${services.map((service) => service.name).join(', ')}\n`)
    return 0
  }
}

/** Deletes a part of a service's data, such as one box. */
async function resetPart(name: string | undefined, invocation: Invocation): Promise<number> {
  const service = requireService(name, usage)
  const work = remoteCommandOf(service, 'reset', invocation)
  if (work === undefined)
    throw new UsageError(`reset ${service.name}: partial reset is not supported`)
  process.stdout.write(`${await runRemotely(service, 'reset', work, invocation, [''])}\n`)
  return 0
}

/** Sends the request to the running process, because it has the files open. */
async function resetRunning(running: RunningInstance, name: string | undefined): Promise<void> {
  const path = name === undefined ? '/reset' : `/reset/${name}`
  const response = await fetchConsole(running, path, { method: 'POST' })
  if (!response.ok) {
    throw new UserError(`The running nonet rejected the request: ${await response.text()}`)
  }
}
