import type { Diagnostic } from '../message.ts'
import type { Parameter, ParameterLocation } from '../model/api.ts'
import type { Compiled, Schemas, Violation } from '../schema/schemas.ts'
import { fault, report } from './diagnose.ts'
import { createMediaReader } from './parameter-content.ts'
import { referenceTo } from './schema-summary.ts'
import { createMembers, Malformed, type Members } from './text-value.ts'

/** Reads one parameter from its source; undefined if it is absent. */
export interface Reader<Source> {
  parameter: Parameter
  read: (source: Source) => unknown
}

/** Reads and checks all parameters of one location together. */
export type LocationCheck<Source> = (source: Source, diagnostics: Diagnostic[]) => Members

export interface Field<Source> {
  /** In lower case, as in diagnostics. */
  name: string
  parameter: Parameter
  read: (source: Source) => unknown
  /** Set for a parameter that is described by a media type. */
  compiled: Compiled | undefined
}

export function createLocationCheck<Source>(
  location: ParameterLocation,
  owner: string,
  readers: readonly Reader<Source>[],
  schemas: Schemas
): LocationCheck<Source> | undefined {
  if (readers.length === 0) return undefined
  const fields = readers.map((reader) => createField(reader, schemas))
  const joined = joinSchemas(owner, fields, schemas)

  return function checkLocation(source, diagnostics) {
    const values = createMembers()
    const malformed: string[] = []
    for (const { name, parameter, read, compiled } of fields) {
      const value = read(source)
      if (value === undefined) continue
      if (value instanceof Malformed) {
        malformed.push(name)
        diagnostics.push(fault('Request', location, [name], 'style', value.reason))
        continue
      }
      values[name] = value
      if (parameter.deprecated) diagnostics.push(warnDeprecated(location, name))
      if (compiled !== undefined) report(compiled.validate(value), diagnostics, location, [name])
    }
    if (joined === undefined) return values
    const { violations } = joined.coerce(values)
    if (violations.length === 0) return values
    const telling = violations.filter((violation) => !isAbout(violation, malformed))
    report(telling, diagnostics, location)
    return values
  }
}

/** A malformed parameter is not reported as missing. */
function isAbout({ keyword, params }: Violation, names: readonly string[]): boolean {
  return keyword === 'required' && names.includes(String(params.missingProperty))
}

function createField<Source>({ parameter, read }: Reader<Source>, schemas: Schemas): Field<Source> {
  const name = parameter.name.toLowerCase()
  if (parameter.content === undefined) return { name, parameter, read, compiled: undefined }
  const { schema } = parameter.content
  const found = schema === undefined ? undefined : schemas.find(referenceTo(schema), 'request')
  const readMedia = createMediaReader(parameter.content)
  return {
    name,
    parameter,
    read(source) {
      const text = read(source)
      return typeof text === 'string' ? readMedia(text) : text
    },
    compiled: found?.ok ? found.compiled : undefined
  }
}

/** One object schema for all parameters; those with an unusable schema may have any value. */
function joinSchemas<Source>(
  owner: string,
  fields: readonly Field<Source>[],
  schemas: Schemas
): Compiled | undefined {
  const required = fields.filter(({ parameter }) => parameter.required).map(({ name }) => name)
  const described = fields.flatMap(({ name, parameter }) => {
    if (parameter.content !== undefined || parameter.schema === undefined) return []
    return [[name, { $ref: referenceTo(parameter.schema) }] as const]
  })
  if (described.length === 0 && required.length === 0) return undefined
  const compile = (properties: typeof described) => {
    const schema = { type: 'object', properties: Object.fromEntries(properties), required }
    return schemas.compile(schema, 'request', `${referenceTo(owner)}/parameters`)
  }
  const whole = compile(described)
  if (whole.ok) return whole.compiled
  const rest = compile(described.filter(([, { $ref }]) => schemas.find($ref, 'request').ok))
  return rest.ok ? rest.compiled : undefined
}

function warnDeprecated(location: ParameterLocation, name: string): Diagnostic {
  const noun = location.charAt(0).toUpperCase() + location.slice(1)
  return {
    location: [location, name],
    severity: 'Warning',
    code: 'deprecated',
    message: `${noun} param ${name} is deprecated`
  }
}
