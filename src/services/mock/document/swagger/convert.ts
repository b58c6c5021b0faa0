import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  mapMembers,
  objectAt,
  without
} from '../json.ts'
import { METHODS } from '../openapi-structure.ts'
import { convertOperation, type Defaults } from './operation.ts'
import { convertParameter, isBodyParameter } from './parameter.ts'
import { moveReferences } from './references.ts'
import { convertSecurityScheme } from './security.ts'
import { serversOf } from './servers.ts'

/** Members that are expressed differently in version 3. */
const REPLACED = [
  'swagger',
  'host',
  'basePath',
  'schemes',
  'consumes',
  'produces',
  'definitions',
  'parameters',
  'responses',
  'securityDefinitions'
]

/** Converts a document of version 2 to the layout of version 3; schemas are not converted here. */
export function convertSwagger(source: JsonObject): JsonObject {
  const document = moveReferences(source)
  const defaults: Defaults = {
    consumes: arrayAt(document, 'consumes'),
    produces: arrayAt(document, 'produces'),
    shared: document
  }
  return {
    openapi: '3.0.4',
    ...without(document, ...REPLACED),
    servers: serversOf(document),
    paths: mapMembers(objectAt(document, 'paths'), (item) => convertPathItem(item, defaults)),
    ...convertWebhooks(document, defaults),
    components: {
      schemas: objectAt(document, 'definitions'),
      parameters: sharedParameters(objectAt(document, 'parameters')),
      securitySchemes: mapMembers(objectAt(document, 'securityDefinitions'), (scheme) =>
        isObject(scheme) ? convertSecurityScheme(scheme) : scheme
      )
    }
  }
}

/** Version 2 has no webhooks; authors use the extension `x-webhooks`. */
function convertWebhooks(document: JsonObject, defaults: Defaults): JsonObject {
  const webhooks = document['x-webhooks']
  if (!isObject(webhooks)) return {}
  return { 'x-webhooks': mapMembers(webhooks, (item) => convertPathItem(item, defaults)) }
}

/** Parameters in a body are converted where they are used. */
function sharedParameters(parameters: JsonObject): JsonObject {
  const elsewhere = Object.entries(parameters).flatMap(([name, parameter]) =>
    isObject(parameter) && !isBodyParameter(parameter)
      ? [[name, convertParameter(parameter)] as const]
      : []
  )
  return Object.fromEntries(elsewhere)
}

function convertPathItem(item: Json, defaults: Defaults): Json {
  if (!isObject(item)) return item
  const shared = arrayAt(item, 'parameters')
  return mapMembers(without(item, 'parameters'), (value, name) => {
    const isOperation = (METHODS as readonly string[]).includes(name) && isObject(value)
    return isOperation ? convertOperation(value, shared, defaults) : value
  })
}
