import type { IncomingHttpHeaders } from 'node:http'
import type { Operation, Parameter, ParameterLocation } from '../model/api.ts'
import { parseTemplate } from '../routing/template.ts'
import { createFieldReader, type Fields } from './field-styles.ts'
import type { Reader } from './parameters.ts'
import { decodeForm, decodePercent } from './percent.ts'
import { referenceTo, type SchemaSummary, type Shapes } from './schema-summary.ts'
import { createHeaderReader, createPathReader } from './text-styles.ts'

export type PathValues = ReadonlyMap<string, string>

const lowerCase = (name: string) => name.toLowerCase()

export function createPathReaders(operation: Operation, shapes: Shapes): Reader<PathValues>[] {
  const { names } = parseTemplate(operation.path)
  return parametersIn(operation, 'path').map((parameter) => {
    const wanted = lowerCase(parameter.name)
    const name = names.find((one) => lowerCase(one) === wanted) ?? parameter.name
    const read =
      parameter.content === undefined
        ? createPathReader(parameter, shapeOf(parameter, shapes))
        : (raw: string) => (raw === '' ? undefined : decodePercent(raw))
    return { parameter, read: (values) => read(values.get(name) ?? '') }
  })
}

export function createHeaderReaders(
  operation: Operation,
  shapes: Shapes
): Reader<IncomingHttpHeaders>[] {
  return parametersIn(operation, 'header').map((parameter) => {
    const name = lowerCase(parameter.name)
    const read =
      parameter.content === undefined
        ? createHeaderReader(parameter, shapeOf(parameter, shapes))
        : (text: string) => text
    return {
      parameter,
      read(headers) {
        const text = Object.hasOwn(headers, name) ? headers[name] : undefined
        return text === undefined ? undefined : read(Array.isArray(text) ? text.join() : text)
      }
    }
  })
}

/** Readers for query parameters and cookies, which have the same styles. */
export function createFieldReaders(
  operation: Operation,
  location: 'query' | 'cookie',
  shapes: Shapes
): Reader<Fields>[] {
  const parameters = parametersIn(operation, location)
  const taken = new Set(parameters.map(({ name }) => lowerCase(name)))
  const rules = {
    keyOf: lowerCase,
    isTaken: (key: string) => taken.has(key) || key.startsWith('__'),
    decode: location === 'query' ? decodeForm : decodePercent,
    keepsEmpty: false
  }
  return parameters.map((parameter) => {
    const key = lowerCase(parameter.name)
    const read =
      parameter.content === undefined
        ? createFieldReader(parameter, shapeOf(parameter, shapes), rules)
        : ({ byName }: Fields) => byName.get(key)?.at(-1)?.value
    return { parameter, read }
  })
}

function parametersIn(operation: Operation, location: ParameterLocation): Parameter[] {
  return operation.parameters.filter((parameter) => parameter.in === location)
}

function shapeOf({ schema }: Parameter, shapes: Shapes): SchemaSummary {
  return shapes.at(schema === undefined ? undefined : referenceTo(schema))
}
