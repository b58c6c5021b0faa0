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
    const shown =
      invocation.flags.schema === true
        ? configurationSchema()
        : redactConfiguration(configurationOf(invocation, invocation.positionals))
    process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`)
    return 0
  }
}
