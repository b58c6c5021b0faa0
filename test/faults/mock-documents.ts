import type { Random } from '../support/random.ts'
import { createSchemaGenerator, type Schema } from './mock-schemas.ts'

/** An operation as a hostile client needs to know it. */
export interface DrawnOperation {
  method: string
  /** With values in place of the parameters. */
  path: string
  types: string[]
  /** A body that meets the schema, where there is one. */
  body: unknown
  parameters: { name: string; in: string }[]
}

export interface DrawnDocument {
  document: object
  operations: DrawnOperation[]
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const TYPES = [
  'application/json',
  'application/json',
  'application/vnd.pet+json; v=1',
  'application/xml',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/octet-stream',
  'image/*',
  '*/*'
] as const
const CODES = [
  '200',
  '201',
  '204',
  '2XX',
  '304',
  '400',
  '401',
  '4XX',
  '422',
  '500',
  '101',
  'default'
] as const
const STYLES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form']
}
const SEGMENTS = [
  '/{Id}',
  '/c{x}d',
  '/{a}.{b}',
  '/plain',
  '/über',
  '/constructor',
  '/~{t}'
] as const
const SCHEMES = {
  basic: { type: 'http', scheme: 'basic' },
  token: { type: 'http', scheme: 'bearer' },
  digest: { type: 'http', scheme: 'digest' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'key' },
  oauth: { type: 'oauth2', flows: {} },
  odd: { type: 'mutualTLS' }
} as const

/**
 * Documents of one to six paths with one to three operations each. An operation has up to four
 * parameters, half of them (of the path: four of five) plain
 * text, the others of any place and style, in two of three cases a body of up to three media types, up
 * to four responses of up to three media types with up to three headers, in one of five cases
 * security, in one of five cases a callback. Every schema comes from the generator of schemas;
 * one in four responses has an example that was drawn for another schema. One document in three
 * is of version 3.0, where some keywords mean nothing.
 */
export function createDocumentGenerator(random: Random): () => DrawnDocument {
  const { below, pick } = random
  const nextSchema = createSchemaGenerator(random)
  let schemas: Record<string, Schema> = {}
  let count = 0

  const chance = (percent: number) => below(100) < percent
  const several = <T>(most: number, make: (index: number) => T) =>
    Array.from({ length: below(most + 1) }, (_, index) => make(index))

  function drawSchema(): { schema: object; value: unknown } {
    const { document, witness } = nextSchema()
    const { Root = true, ...parts } = document.components.schemas
    const name = `Root${count++}`
    schemas = { ...schemas, ...parts, [name]: Root }
    return { schema: { $ref: `#/components/schemas/${name}` }, value: witness?.value }
  }

  function drawMedia(): { media: object; value: unknown } {
    if (chance(5)) return { media: {}, value: undefined }
    const { schema, value } = drawSchema()
    if (chance(25)) return { media: { schema, example: drawSchema().value ?? null }, value }
    return { media: { schema }, value }
  }

  function drawContent(): { content: Record<string, object>; value: unknown } {
    const content: Record<string, object> = {}
    let first: unknown
    several(3, (index) => {
      const { media, value } = drawMedia()
      if (index === 0) first = value
      content[pick(TYPES)] = media
    })
    return { content, value: first }
  }

  function drawParameter(place: string, name: string) {
    const described = chance(15)
      ? { content: { 'application/json': drawMedia().media } }
      : { schema: drawSchema().schema }
    if (chance(50))
      return { name, in: place, required: place === 'path', schema: { type: 'string' } }
    return {
      name,
      in: place,
      required: place === 'path' || chance(20),
      style: pick(STYLES[place] ?? ['form']),
      explode: chance(50),
      ...described
    }
  }

  function drawResponses(): object {
    const responses: Record<string, object> = {}
    several(4, () => {
      const headers = Object.fromEntries(
        several(3, (index) => [
          pick([`X-${index}`, 'Set-Cookie', 'Content-Length']),
          { schema: drawSchema().schema }
        ])
      )
      responses[pick(CODES)] = { description: '', content: drawContent().content, headers }
    })
    return responses
  }

  function drawOperation(names: readonly string[]) {
    const { content, value } = drawContent()
    const parameters = [
      ...names.map((name) => drawParameter('path', name)),
      ...several(4, (index) =>
        drawParameter(
          pick(['query', 'header', 'cookie']),
          pick([`p${index}`, 'constructor', '__proto__', 'X-Y'])
        )
      )
    ]
    const operation = {
      parameters,
      responses: drawResponses(),
      ...(chance(66) ? { requestBody: { required: chance(30), content } } : {}),
      ...(chance(33)
        ? {
            security: several(2, () => ({
              [pick(['basic', 'token', 'digest', 'query', 'cookie', 'oauth', 'odd', 'unknown'])]: []
            }))
          }
        : {}),
      ...(chance(20)
        ? { callbacks: { call: { '{$request.body#/url}': { post: { responses: {} } } } } }
        : {})
    }
    return { operation, types: Object.keys(content), value, parameters }
  }

  return function next() {
    schemas = {}
    const paths: Record<string, Record<string, object>> = {}
    const operations: DrawnOperation[] = []
    for (let each = 0; each <= below(6); each++) {
      const template = `/r${each}${several(3, () => pick(SEGMENTS)).join('')}`
      const names = [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))]
      const item: Record<string, object> = {}
      for (let every = 0; every <= below(3); every++) {
        const method = pick(METHODS)
        const { operation, types, value, parameters } = drawOperation(names)
        item[method] = operation
        operations.push({
          method: method.toUpperCase(),
          path: encodeURI(template.replace(/\{\w+\}/g, '5')),
          types,
          body: value,
          parameters
        })
      }
      paths[template] = item
    }
    const openapi = chance(33) ? '3.0.3' : '3.1.0'
    const components = { schemas, securitySchemes: SCHEMES }
    return {
      document: {
        openapi,
        info: { title: 'Drawn', version: '1' },
        servers: [{ url: '/v1' }],
        paths,
        components
      },
      operations
    }
  }
}
