/** Creates an OpenAPI 3.1 document: half reads with an example, half validated writes. */
export function makeDocument(operations: number): object {
  const kinds = Array.from({ length: Math.ceil(operations / 2) }, (_, index) => index + 1)
  return {
    openapi: '3.1.0',
    info: { title: `Herbarium with ${operations} operations`, version: '1.0.0' },
    paths: Object.fromEntries(kinds.flatMap(pathsOf).slice(0, operations)),
    components: { schemas: Object.assign({}, ...kinds.map(schemasOf)) }
  }
}

function pathsOf(kind: number): [string, object][] {
  const plant = { $ref: `#/components/schemas/Plant${kind}` }
  return [
    [
      `/beds${kind}/{bedId}`,
      { get: { operationId: `readBed${kind}`, parameters: [BED_ID, DETAIL], responses: ok(plant) } }
    ],
    [
      `/beds${kind}`,
      {
        post: {
          operationId: `plantBed${kind}`,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { $ref: `#/components/schemas/NewPlant${kind}` } }
            }
          },
          responses: ok(plant)
        }
      }
    ]
  ]
}

const BED_ID = {
  name: 'bedId',
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1 }
}
const DETAIL = { name: 'detail', in: 'query', schema: { type: 'string', enum: ['short', 'long'] } }

function ok(schema: object): object {
  return {
    200: { description: 'One plant', content: { 'application/json': { schema, example: PLANT } } }
  }
}

export const NEW_PLANT = {
  name: 'Fireweed',
  latinName: 'Chamaenerion angustifolium',
  heightCm: 120,
  sun: 'full',
  tags: ['tall', 'pink']
}

const PLANT = { id: 7, ...NEW_PLANT, planted: '2026-05-01', bed: { row: 3, place: 14 } }

function schemasOf(kind: number): object {
  const properties = {
    name: { type: 'string', minLength: 1, maxLength: 80 },
    latinName: { type: 'string', pattern: '^[A-Z][a-z]+ [a-z]+$' },
    heightCm: { type: 'number', exclusiveMinimum: 0, maximum: 10_000 },
    sun: { type: 'string', enum: ['full', 'half', 'shade'] },
    tags: { type: 'array', maxItems: 10, items: { type: 'string' } }
  }
  const place = { type: 'object', properties: { row: WHOLE, place: WHOLE }, required: ['row'] }
  return {
    [`NewPlant${kind}`]: { type: 'object', required: ['name', 'sun'], properties },
    [`Plant${kind}`]: {
      type: 'object',
      required: ['id', 'name', 'sun'],
      properties: {
        id: WHOLE,
        ...properties,
        planted: { type: 'string', format: 'date' },
        bed: { $ref: `#/components/schemas/Bed${kind}` }
      }
    },
    [`Bed${kind}`]: place
  }
}

const WHOLE = { type: 'integer', minimum: 1 }
