import { exampleValue } from './example-value.ts'
import type { Operation, Parameter } from './model/api.ts'
import { decodePercent } from './request/percent.ts'
import {
  encodeLiteral,
  encodeText,
  textOf,
  writeField,
  writePathValue
} from './request/write-styles.ts'
import { QUERY, routedPath } from './routing/mounted-operations.ts'
import { parseSegments, type Segment } from './routing/segments.ts'
import { parseTemplate } from './routing/template.ts'
import type { ServedApi } from './served-api.ts'

/** Path and query of an example request that the mock accepts. */
export function exampleUrl(served: ServedApi, operation: Operation, prefix: string): string {
  const path = parseSegments(prefix + routedPath(operation))
    .map((segment) => writeSegment(served, operation, segment))
    .join('/')
  const documented = documentedQuery(served, operation)
  const named = new Set(documented.map((pair) => pair.replace(/=.*$/s, '')))
  const required = operation.parameters
    .filter(({ in: location, required, name }) => {
      return location === 'query' && required && !named.has(encodeText(name))
    })
    .flatMap((parameter) => writeField(parameter, exampleValue(served, parameter)))
  const query = [...documented, ...required].join('&')
  return `/${path}${query === '' ? '' : `?${query}`}`
}

function writeSegment(served: ServedApi, operation: Operation, segment: Segment): string {
  if (segment.kind === 'literal') return encodeLiteral(segment.text)
  const write = (name: string) => {
    const parameter = findParameter(operation, name, 'path')
    return parameter === undefined
      ? textOf(undefined)
      : writePathValue(parameter, exampleValue(served, parameter))
  }
  if (segment.kind === 'whole') return write(segment.name)
  const { texts, names } = segment.template
  return texts.map((text, index) => join(encodeLiteral(text), names[index], write)).join('')
}

/** A query in the documented path, which OpenAPI does not allow, tells what to send. */
function documentedQuery(served: ServedApi, operation: Operation): string[] {
  const [query = ''] = QUERY.exec(operation.path) ?? []
  const pairs = query.slice(1).split('&')
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const { texts, names } = parseTemplate(decodePercent(pair))
      const write = (name: string) => {
        const parameter = findParameter(operation, name)
        return encodeText(textOf(parameter && exampleValue(served, parameter)))
      }
      return texts.map((text, index) => join(encodeLiteral(text), names[index], write)).join('')
    })
}

function join(text: string, name: string | undefined, write: (name: string) => string): string {
  return name === undefined ? text : text + write(name)
}

function findParameter(
  { parameters }: Operation,
  name: string,
  location?: string
): Parameter | undefined {
  const wanted = name.toLowerCase()
  return parameters.find((one) => {
    return one.name.toLowerCase() === wanted && (location === undefined || one.in === location)
  })
}
