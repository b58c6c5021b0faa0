import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError } from '../kernel/errors.ts'
import { flagName } from '../kernel/flag-name.ts'
import { isObject } from '../kernel/json.ts'
import type { Options, Service, Setting } from '../kernel/service.ts'
import { type Originals, originalsOf } from './originals.ts'
import { portNameOf } from './ports.ts'
import { isServiceName, SERVICE_NAMES } from './service-names.ts'
import { HOST_SETTINGS, type HostSetting } from './settings.ts'

export const CONFIGURATION_FILE = 'nonet.config.json'

/** Shown instead of a secret. */
export const MASK = '********'

const MIN_TOKEN_LENGTH = 16

type Pairs = Readonly<Record<string, string>>
type SettingValue = string | number | boolean | readonly string[] | undefined

export interface Configuration {
  services: readonly Service[]
  portBase: number
  port: Readonly<Record<string, number>>
  host: readonly string[]
  lan: boolean
  publicUrl: Pairs
  trustedProxy: readonly string[]
  allowedHost: readonly string[]
  outboundAllow: readonly string[]
  requestTimeoutMs: number
  data: string
  database: string | undefined
  /** URL of a bucket. */
  files: string | undefined
  filesAccessKey: string | undefined
  filesSecretKey: string | undefined
  filesSessionToken: string | undefined
  ephemeral: boolean
  console: boolean
  adminToken: string | undefined
  secretKeyFile: string | undefined
  /** Undefined if there is a file. */
  secretKey: string | undefined
  quiet: boolean
  asOriginal: boolean
  /** Values that only `asOriginal` sets, by key as in `RawSettings`. */
  originals: Originals
  /** Options of each service by its name. */
  options: Readonly<Record<string, Options>>
}

/** Values by key, of services by `<service>.<key>`, before validation. */
export type RawSettings = Readonly<Record<string, unknown>>

export function environmentName(key: string): string {
  return `NONET_${flagName(key).replaceAll('-', '_').toUpperCase()}`
}

/** Reads the configuration of some services; sections of other services are ignored. */
export interface ConfigurationReader {
  /** All settings, by their keys in `RawSettings`. */
  settings: ReadonlyMap<string, HostSetting>
  fromEnvironment: (environment: NodeJS.ProcessEnv) => RawSettings
  /** Reads this file; by default `nonet.config.json` of the working folder, if it exists. */
  fromFile: (path: string | undefined) => RawSettings
  /** Reads settings in the format of the file: those of a service are in an object by its name. */
  fromObject: (parsed: Readonly<Record<string, unknown>>, where: string) => RawSettings
  configure: (...sources: readonly RawSettings[]) => Configuration
}

export function createReader(services: readonly Service[]): ConfigurationReader {
  const settings = settingsOf(services)

  function fromFile(path: string | undefined): RawSettings {
    const file = resolve(path ?? CONFIGURATION_FILE)
    if (path === undefined && !existsSync(file)) return {}
    return fromObject(parseFile(file), file)
  }

  function fromObject(parsed: Readonly<Record<string, unknown>>, where: string): RawSettings {
    const given: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(parsed)) {
      if (!isServiceName(key)) {
        if (!settings.has(key) && key !== '$schema' && key !== 'services') rejectKey(key, where)
        given[key] = value
        continue
      }
      if (!isObject(value)) throw new UserError(`${key} in ${where} must be an object`)
      if (!services.some(({ name }) => name === key)) continue
      for (const [inner, innerValue] of Object.entries(value)) {
        if (!settings.has(`${key}.${inner}`)) rejectKey(`${key}.${inner}`, where)
        given[`${key}.${inner}`] = innerValue
      }
    }
    return given
  }

  function configure(...sources: readonly RawSettings[]): Configuration {
    const given: RawSettings = Object.assign({}, ...sources, secretKeyOf(sources))
    const chosen = chooseServices(services, given.services)
    // A value that is set takes precedence.
    const originals: Originals = new Map(
      readAsOriginal(given) ? [...originalsOf(chosen)].filter(([key]) => isUnset(given[key])) : []
    )
    const read = (key: string) => {
      const value = given[key]
      return readValue(key, settings.get(key), isUnset(value) ? originals.get(key) : value)
    }
    const options = Object.fromEntries(
      services.map((service) => [
        service.name,
        Object.fromEntries(
          Object.keys(service.settings).map((key) => [key, read(`${service.name}.${key}`)])
        )
      ])
    )
    const host = Object.fromEntries(Object.keys(HOST_SETTINGS).map((key) => [key, read(key)]))
    checkToken(host.adminToken)
    return {
      ...(host as Omit<Configuration, 'services' | 'options' | 'port' | 'publicUrl' | 'originals'>),
      services: chosen,
      originals,
      port: readPorts(given.port, services),
      publicUrl: readPublicUrls(given.publicUrl),
      options
    }
  }

  return {
    settings,
    fromEnvironment: (environment) => readEnvironment(environment, settings.keys()),
    fromFile,
    fromObject,
    configure
  }
}

/** The names that other programs use; a key of nonet's own settings is preferred. */
export function keysOfAws(environment: NodeJS.ProcessEnv): RawSettings {
  return {
    filesAccessKey: environment.AWS_ACCESS_KEY_ID,
    filesSecretKey: environment.AWS_SECRET_ACCESS_KEY,
    filesSessionToken: environment.AWS_SESSION_TOKEN
  }
}

function settingsOf(services: readonly Service[]): ReadonlyMap<string, HostSetting> {
  return new Map<string, HostSetting>([
    ...Object.entries(HOST_SETTINGS),
    ...services.flatMap((service) =>
      Object.entries(service.settings).map(([key, setting]): [string, Setting] => [
        `${service.name}.${key}`,
        setting
      ])
    )
  ])
}

function readAsOriginal({ asOriginal }: RawSettings): boolean {
  return !isUnset(asOriginal) && readSwitch('asOriginal', asOriginal)
}

function readEnvironment(environment: NodeJS.ProcessEnv, keys: Iterable<string>): RawSettings {
  const given: Record<string, unknown> = {}
  for (const key of keys) {
    const text = environment[environmentName(key)]
    if (text !== undefined && text !== '') given[key] = text
  }
  return given
}

function parseFile(file: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new UserError(`Cannot read ${file}: ${(cause as Error).message}`, { cause })
  }
  if (!isObject(parsed)) throw new UserError(`${file} must contain one JSON object`)
  return parsed
}

function rejectKey(key: string, where: string): never {
  throw new UserError(`Unknown key ${key} in ${where}`)
}

/** The source that counts most among those with a key; the file, if it has a file and a key. */
function secretKeyOf(sources: readonly RawSettings[]): RawSettings {
  const { secretKeyFile, secretKey } =
    sources.findLast((source) => !isUnset(source.secretKeyFile) || !isUnset(source.secretKey)) ?? {}
  return isUnset(secretKeyFile)
    ? { secretKey, secretKeyFile }
    : { secretKeyFile, secretKey: undefined }
}

/** A short token can be guessed, and it gives access to the console from other machines. */
function checkToken(token: SettingValue): void {
  if (typeof token === 'string' && token.length < MIN_TOKEN_LENGTH) {
    throw new UserError(`--admin-token must have at least ${MIN_TOKEN_LENGTH} characters`)
  }
}

function chooseServices(services: readonly Service[], names: unknown): readonly Service[] {
  const wanted =
    names === undefined ? [] : Array.isArray(names) ? names.map(String) : [String(names)]
  if (wanted.length === 0) return services
  for (const name of wanted) {
    if (!isServiceName(name)) {
      throw new UserError(`Unknown service ${name}; known services: ${SERVICE_NAMES.join(', ')}`)
    }
  }
  return services.filter((service) => wanted.includes(service.name))
}

function readValue(key: string, setting: HostSetting | undefined, value: unknown): SettingValue {
  if (setting === undefined || setting.kind === 'perService') return undefined
  if (isUnset(value)) return setting.default
  if (value === MASK)
    throw new UserError(`${nameOf(key, setting)} has a masked value; set the secret itself`)
  switch (setting.kind) {
    case 'number':
      return readNumber(key, setting, value)
    case 'boolean':
      return readSwitch(key, value)
    case 'array':
      return readArray(key, value)
    case 'string':
      return readString(key, setting, value)
  }
}

/** How messages call a setting. */
function nameOf(key: string, setting: Setting): string {
  return setting.hasFlag === false ? environmentName(key) : `--${flagName(key)}`
}

/** Whether a setting has no value, such as `--admin-token "$UNSET"` or null in the file. */
function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function readNumber(key: string, setting: Setting & { kind: 'number' }, value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  const { minimum, maximum } = setting
  if (
    typeof number !== 'number' ||
    !Number.isInteger(number) ||
    number < minimum ||
    number > maximum
  ) {
    throw new UserError(`--${flagName(key)} must be a whole number from ${minimum} to ${maximum}`)
  }
  return number
}

function readSwitch(key: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === '1' || value === 'on') return true
  if (value === 'false' || value === '0' || value === 'off') return false
  throw new UserError(`--${flagName(key)} must be true or false`)
}

function readArray(key: string, value: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!given.every(isScalar)) throw new UserError(`--${flagName(key)} expects an array of strings`)
  const items = given.map(String)
  return items
    .flatMap((item) => item.split(','))
    .map((item) => item.trim())
    .filter(Boolean)
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function readString(key: string, setting: Setting & { kind: 'string' }, value: unknown): string {
  if (!isScalar(value)) throw new UserError(`${nameOf(key, setting)} expects a string`)
  const text = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
  if (setting.choices !== undefined && !setting.choices.includes(text)) {
    throw new UserError(`--${flagName(key)} must be one of ${setting.choices.join(', ')}`)
  }
  return text
}

function readPairs(key: string, value: unknown, isKnown = isUrlName): Pairs {
  if (isUnset(value)) return {}
  const entries = isObject(value)
    ? Object.entries(value).map(([name, text]): [string, string] => [name, String(text)])
    : readArray(key, value).map((item) => splitPair(key, item))
  for (const [name] of entries) {
    if (!isKnown(name)) {
      throw new UserError(`--${flagName(key)} has an unknown service: ${name}`)
    }
  }
  return Object.fromEntries(entries)
}

function isUrlName(name: string): boolean {
  return name === 'console' || isServiceName(name)
}

/** Ports of services that are not loaded are not checked. */
function isPortName(name: string, services: readonly Service[]): boolean {
  if (isUrlName(name)) return true
  const owner = SERVICE_NAMES.find((service) => name.startsWith(`${service}-`))
  if (owner === undefined) return false
  const service = services.find((loaded) => loaded.name === owner)
  if (service === undefined) return true
  return service.ports?.some((port) => portNameOf(service, port) === name) ?? false
}

function splitPair(key: string, item: string): [string, string] {
  const at = item.indexOf('=')
  if (at < 1) throw new UserError(`--${flagName(key)} expects service=value, not ${item}`)
  return [item.slice(0, at), item.slice(at + 1)]
}

function readPorts(value: unknown, services: readonly Service[]): Configuration['port'] {
  const port: Setting & { kind: 'number' } = {
    ...HOST_SETTINGS.portBase,
    maximum: 65535
  }
  const pairs = readPairs('port', value, (name) => isPortName(name, services))
  return Object.fromEntries(
    Object.entries(pairs).map(([name, text]) => [name, readNumber('port', port, text)])
  )
}

function readPublicUrls(value: unknown): Pairs {
  const pairs = readPairs('publicUrl', value)
  for (const [name, text] of Object.entries(pairs)) {
    const url = URL.parse(text)
    if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
      throw new UserError(`--public-url ${name}=… must be an http or https URL without a query`)
    }
  }
  return pairs
}
