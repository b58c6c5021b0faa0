import { describeOriginals } from '../host/originals.ts'
import { configurationSchema, redactConfiguration } from '../host/redacted-configuration.ts'
import type { Command } from './command.ts'
import { configurationOf, settingFlagHelp, settingFlags } from './setting-flags.ts'

export const config: Command = {
  name: 'config',
  summary: 'Print the effective configuration with secrets masked',
  usage: 'nonet config [options of up] [--schema]',
  examples: ['nonet config', 'nonet config --schema > nonet.schema.json'],
  arguments: Number.POSITIVE_INFINITY,
  flags: { ...settingFlags, schema: { type: 'boolean' } },
  flagHelp: { schema: 'print the JSON Schema of nonet.config.json instead', ...settingFlagHelp },
  async run(invocation) {
    if (invocation.flags.schema === true) {
      print(configurationSchema())
      return 0
    }
    const configuration = configurationOf(invocation, invocation.positionals)
    print(redactConfiguration(configuration))
    const { originals } = configuration
    if (originals.size > 0) {
      // Not on standard output, which has the format of the configuration file.
      process.stderr.write(`nonet: set by --as-original: ${describeOriginals(originals)}\n`)
    }
    return 0
  }
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}
