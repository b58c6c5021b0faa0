import type { Setting } from '../kernel/service.ts'
import { type Configuration, MASK } from './configuration-reader.ts'
import { allServices } from './service-registry.ts'
import { HOST_SETTINGS, type HostSetting } from './settings.ts'

/** The effective configuration in the format of the file, with secrets masked. */
export function redactConfiguration(configuration: Configuration): Record<string, unknown> {
  const { services, options, ...host } = configuration
  return {
    services: services.map((service) => service.name),
    ...masked(HOST_SETTINGS, host),
    ...Object.fromEntries(
      allServices.map((service) => [
        service.name,
        masked(service.settings, options[service.name] ?? {})
      ])
    )
  }
}

function masked(
  settings: Readonly<Record<string, HostSetting>>,
  values: Readonly<Record<string, unknown>>
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, setting]) => {
      const value = values[key]
      if (value === undefined) return []
      return [[key, 'secret' in setting ? MASK : value]]
    })
  )
}

/** JSON Schema of `nonet.config.json`. */
export function configurationSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'nonet.config.json',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      services: {
        description: 'services to start (default: all)',
        type: 'array',
        items: { enum: allServices.map((service) => service.name) }
      },
      ...schemasOf(HOST_SETTINGS),
      ...Object.fromEntries(
        allServices.map((service) => [
          service.name,
          {
            description: `${service.label}: ${service.summary}`,
            type: 'object',
            additionalProperties: false,
            properties: schemasOf(service.settings)
          }
        ])
      )
    }
  }
}

function schemasOf(settings: Readonly<Record<string, HostSetting>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => [key, schemaOf(setting)])
  )
}

function schemaOf(setting: HostSetting | Setting): object {
  const description = setting.about
  switch (setting.kind) {
    case 'number': {
      const { minimum, maximum } = setting
      return { description, type: 'integer', minimum, maximum, default: setting.default }
    }
    case 'boolean':
      return { description, type: 'boolean', default: setting.default }
    case 'array':
      return { description, type: 'array', items: { type: 'string' }, default: setting.default }
    case 'perService':
      return { description, type: 'object', additionalProperties: { type: ['string', 'integer'] } }
    case 'string':
      return {
        description,
        type: 'string',
        ...(setting.choices === undefined ? {} : { enum: setting.choices }),
        ...(setting.default === undefined ? {} : { default: setting.default })
      }
  }
}
