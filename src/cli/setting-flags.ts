import { ALL_SETTINGS, configure, fromEnvironment, fromFile } from '../host/configuration.ts'
import { type Configuration, keysOfAws, type RawSettings } from '../host/configuration-reader.ts'
import { describeOriginals, originalsOf } from '../host/originals.ts'
import { allServices } from '../host/service-registry.ts'
import { HOST_SETTINGS, type HostSetting } from '../host/settings.ts'
import { flagName } from '../kernel/flag-name.ts'
import type { Command, Flags, Invocation } from './command.ts'
import { requireService } from './service-argument.ts'

const keyOf = new Map(
  [...ALL_SETTINGS].flatMap(([key, setting]) => flagsOf(key, setting).map((flag) => [flag, key]))
)

function flagsOf(key: string, setting: HostSetting): string[] {
  if ('hasFlag' in setting) return []
  const alias = 'alias' in setting ? setting.alias : undefined
  return alias === undefined ? [flagName(key)] : [flagName(key), alias]
}

function flagType(setting: HostSetting): Command['flags'][string] {
  switch (setting.kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'array':
    case 'perService':
      return { type: 'string', multiple: true }
    default:
      return { type: 'string' }
  }
}

/** A flag for each setting of the host and the services, and one for the configuration file. */
export const settingFlags: Command['flags'] = {
  config: { type: 'string' },
  ...Object.fromEntries(
    [...ALL_SETTINGS].flatMap(([key, setting]) =>
      flagsOf(key, setting).map((flag) => [flag, flagType(setting)])
    )
  )
}

export const settingFlagHelp: Readonly<Record<string, string>> = {
  config: 'configuration file (default: nonet.config.json if it exists)',
  ...Object.fromEntries(
    [...ALL_SETTINGS].flatMap(([key, setting]) => {
      if ('hasFlag' in setting) return []
      // A setting that is on by default is shown as `--no-…`.
      return setting.kind === 'boolean' && setting.default
        ? [[`no-${flagName(key)}`, setting.aboutOff]]
        : [[flagName(key), describeSetting(setting)]]
    })
  ),
  'as-original': `${HOST_SETTINGS.asOriginal.about}: ${describeOriginals(originalsOf(allServices))}`
}

function describeSetting(setting: HostSetting): string {
  if (setting.kind === 'perService') return `${setting.about} (${setting.example})`
  if (setting.kind === 'boolean') return setting.about
  const { default: value } = setting
  const shown = Array.isArray(value) ? value.join(', ') : value
  return shown === undefined || shown === ''
    ? setting.about
    : `${setting.about} (default: ${shown})`
}

function fromFlags(flags: Flags): RawSettings {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([flag, value]) => {
      const key = keyOf.get(flag)
      return key === undefined || value === undefined ? [] : [[key, value]]
    })
  )
}

/** Flags take precedence over the environment, the environment over the file. */
export function configurationOf(
  { flags }: Pick<Invocation, 'flags'>,
  services: readonly string[] = []
): Configuration {
  for (const name of services) requireService(name, 'nonet up [service…]')
  const file = typeof flags.config === 'string' ? flags.config : undefined
  const sources = [fromFile(file), fromEnvironment(process.env), fromFlags(flags)]
  const hasKey = sources.some(({ filesAccessKey }) => filesAccessKey !== undefined)
  return configure(
    hasKey ? {} : keysOfAws(process.env),
    ...sources,
    services.length === 0 ? {} : { services }
  )
}
