import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UserError } from '../kernel/errors.ts'
import type { Service } from '../kernel/service.ts'
import type { Command, Invocation } from './command.ts'
import { remoteCommandOf, remoteFlagHelp, remoteFlags, runRemotely } from './remote-command.ts'
import { requireService, unsupported } from './service-argument.ts'
import { storageFlagHelp, storageFlags } from './storage-flags.ts'

const usage = 'nonet types <service> [file] [--data <dir> | --database <url>]'

export const typesCommand: Command = {
  name: 'types',
  summary: 'Write a typed client for the data that a service stores',
  usage,
  examples: ['nonet types cards ./src/content.ts', 'nonet types cards > content.ts'],
  arguments: 2,
  flags: { ...storageFlags, ...remoteFlags('types') },
  flagHelp: { ...remoteFlagHelp('types'), ...storageFlagHelp },
  async run(invocation) {
    const service = requireService(invocation.positionals[0], usage)
    process.stdout.write(await writeTypes(service, invocation))
    return 0
  }
}

/** What is printed: the client if no file was named, or `-`. */
export async function writeTypes(service: Service, invocation: Invocation): Promise<string> {
  const [, file = '-'] = invocation.positionals
  const generate = remoteCommandOf(service, 'types', invocation)
  if (generate === undefined) throw unsupported(service, 'types')
  const text = await runRemotely(service, 'types', generate, invocation, [''])
  if (file === '-') return text
  const path = resolve(file)
  await writeFile(path, text).catch((cause: Error) => {
    throw new UserError(`Cannot write ${path}: ${cause.message}`, { cause })
  })
  return `Wrote ${path}\n`
}
