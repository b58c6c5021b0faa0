import {
  content,
  ERROR_PAGES,
  inPath,
  inQuery,
  type OpenapiPart,
  ref,
  response
} from '../../kernel/openapi.ts'
import { MAX_IDS, MAX_PAGE_SIZE, PAGE_SIZE, RESOURCES, TYPES, type TypeName } from './contract.ts'
import { recordSchema, viewSchema } from './schema.ts'

const PAGE_MEMBERS = ['count', 'next', 'previous', 'results']

/** OpenAPI 3.1 document, from the same tables as the responses. */
export function describeApi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'nonet reference',
      version: '1',
      description: `Read-only records of a fictional universe, linked by absolute URL. ${ERROR_PAGES}`,
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: baseUrl }],
    paths: Object.fromEntries([
      ['/api/', get('listTypes', 'URLs of the six lists.', ref('Root'), [], [])],
      ['/api/all.json', get('listEverything', 'All records by type.', ref('Everything'), [], [])],
      ...TYPES.flatMap(describeType)
    ]),
    components: {
      schemas: {
        ...Object.fromEntries(TYPES.map((type) => [schemaName(type), recordSchema(type)])),
        ...Object.fromEntries(TYPES.map((type) => [viewName(type), viewSchema(type)])),
        Translated: translated(),
        Root: objectOf((type) => ({
          type: 'string',
          format: 'uri',
          description: RESOURCES[type].about
        })),
        Everything: objectOf((type) => ({ type: 'array', items: ref(schemaName(type)) })),
        Failure: {
          type: 'object',
          properties: { detail: { type: 'string' } },
          required: ['detail']
        }
      }
    }
  }
}

function schemaName(type: TypeName): string {
  return RESOURCES[type].view
}

function viewName(type: TypeName): string {
  return `${schemaName(type)}View`
}

function objectOf(describe: (type: TypeName) => object): OpenapiPart {
  return {
    type: 'object',
    properties: Object.fromEntries(TYPES.map((type) => [type, describe(type)])),
    required: TYPES
  }
}

/** With `format=wookiee`, every property name is translated. */
function translated(): OpenapiPart {
  const names = TYPES.flatMap((type) => RESOURCES[type].fields.map(({ name }) => name))
  return {
    type: 'object',
    description: 'The same data translated: format=wookiee.',
    minProperties: 1,
    propertyNames: { not: { enum: [...new Set([...PAGE_MEMBERS, ...names])] } }
  }
}

function describeType(type: TypeName): [string, object][] {
  const { view, title } = RESOURCES[type]
  const record = { anyOf: [ref(schemaName(type)), ref(viewName(type))] }
  const several = { type: 'array', items: record }
  const translated = ref('Translated')
  const path = `/api/${type}/`
  return [
    [
      path,
      get(
        `list${view}`,
        `${title}, page by page.`,
        { anyOf: [pageOf(record), translated] },
        listParameters(type),
        [400, 404]
      )
    ],
    [
      `${path}{id}/`,
      get(
        `get${view}`,
        'One record, or an array for several ids.',
        { anyOf: [record, several, translated] },
        [ids(), ...viewParameters()],
        [400, 404]
      )
    ],
    [
      `${path}schema`,
      get(
        `get${view}Schema`,
        'JSON Schema of a record.',
        { type: 'object', examples: [recordSchema(type)] },
        [],
        []
      )
    ],
    [`${path}{id}/image.svg`, image(type)]
  ]
}

function pageOf(record: OpenapiPart): OpenapiPart {
  const urlSchema = { type: ['string', 'null'], format: 'uri' }
  return {
    type: 'object',
    properties: {
      count: { type: 'integer' },
      next: urlSchema,
      previous: urlSchema,
      results: { type: 'array', items: record }
    },
    required: PAGE_MEMBERS
  }
}

function get(
  operationId: string,
  summary: string,
  schema: OpenapiPart,
  parameters: readonly object[],
  errors: readonly number[]
): object {
  return {
    get: {
      operationId,
      summary,
      parameters,
      responses: {
        200: { description: 'Found.', content: contentOf(schema) },
        304: response('Unchanged since the ETag or the date in the request.'),
        ...Object.fromEntries(errors.map((status) => [status, error(status)]))
      }
    }
  }
}

function error(status: number): object {
  const description = status === 400 ? 'A parameter is invalid.' : 'Not found.'
  return { description, content: contentOf(ref('Failure')) }
}

/** Every JSON response is also available as a page. */
function contentOf(schema: OpenapiPart): object {
  return { ...content(schema), ...content({ type: 'string' }, 'text/html') }
}

function image(type: TypeName): object {
  return {
    get: {
      operationId: `draw${RESOURCES[type].view}`,
      summary: 'Image generated from the record.',
      parameters: [inPath('id', undefined, { type: 'integer', minimum: 1 })],
      responses: {
        200: response('Found.', { type: 'string' }, 'image/svg+xml'),
        404: error(404)
      }
    }
  }
}

function ids(): object {
  return inPath('id', `One id, or up to ${MAX_IDS} separated by commas.`, {
    type: 'string',
    pattern: '^[1-9][0-9]*(,[1-9][0-9]*)*$'
  })
}

function viewParameters(): object[] {
  return [
    inQuery('fields', 'Comma-separated fields to return.'),
    inQuery('expand', 'Links to return as records, up to two levels deep: films,films.characters.'),
    inQuery('include', '`image` adds the URL of an image.', { enum: ['image'] }),
    inQuery('units', 'Units behind height and mass.', { enum: ['on', 'off'] }),
    inQuery('format', 'Overrides Accept.', { enum: ['json', 'wookiee', 'api'] })
  ]
}

function listParameters(type: TypeName): object[] {
  const size = { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: PAGE_SIZE }
  const filters = RESOURCES[type].fields
    .filter(({ kind }) => kind !== 'url')
    .map((field) => inQuery(field.name, 'to' in field ? `Id: ${field.about}` : field.about))
  return [
    inQuery('page', 'Number of the page, or last.'),
    inQuery('page_size', 'Records on a page; limit is the same.', size),
    inQuery('search', `Words that must occur in ${RESOURCES[type].search.join(' or ')}.`),
    inQuery('ordering', 'Fields to sort by, comma separated; a leading - is descending.'),
    ...viewParameters(),
    ...filters
  ]
}
