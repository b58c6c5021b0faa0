import { decodeSegment } from '../../../../kernel/request-target.ts'
import type { Endpoint, Route } from '../../pipeline/request-context.ts'
import { handleItem } from './item.ts'
import { handleList } from './list.ts'
import { createKept, removeKept, updateKept } from './stored-records.ts'
import { echoCreated, echoDeleted, echoUpdated } from './unsaved-records.ts'

const MAX_NAME_LENGTH = 100
const CONTROL = /\p{Cc}/u

/** Writes are stored in a workspace and echoed in public mode. */
function either(kept: Endpoint, echoed: Endpoint): Endpoint {
  return (call) => (call.workspace === undefined ? echoed(call) : kept(call))
}

/** Any name below `/api` is a collection; undefined if it does not support the path or method. */
export function resourceRoute(
  method: string,
  [first = '', second, ...others]: readonly string[]
): Route | undefined {
  const collection = decodeSegment(first)
  const id = second === undefined ? undefined : decodeSegment(second)
  if (collection === undefined || others.length > 0) return undefined
  if (second !== undefined && id === undefined) return undefined
  if (collection.length > MAX_NAME_LENGTH || CONTROL.test(collection)) return undefined
  const pattern = `/api/${collection}${id === undefined ? '' : '/{id}'}`
  const endpoint = chooseEndpoint(method, collection, id)
  if (endpoint === undefined) return undefined
  const isWrite = method === 'GET' ? {} : ({ isWrite: true } as const)
  const isOfAll = id === undefined && method !== 'GET' && method !== 'POST'
  const isCollectionWrite = isOfAll ? ({ isCollectionWrite: true } as const) : {}
  return { pattern, endpoint, isResource: true, ...isWrite, ...isCollectionWrite }
}

function chooseEndpoint(
  method: string,
  collection: string,
  id: string | undefined
): Endpoint | undefined {
  if (method === 'POST') return either((call) => createKept(call, collection), echoCreated)
  if (id === undefined) return chooseListEndpoint(method, collection)
  switch (method) {
    case 'GET':
      return (call) => handleItem(call, collection, id)
    case 'PUT':
    case 'PATCH':
      return either((call) => updateKept(call, collection, id), echoUpdated)
    case 'DELETE':
      return either((call) => removeKept(call, collection, id), echoDeleted)
  }
  return undefined
}

/** Changes of a whole collection have the responses of ReqRes, also in a workspace. */
function chooseListEndpoint(method: string, collection: string): Endpoint | undefined {
  switch (method) {
    case 'GET':
      return (call) => handleList(call, collection)
    case 'PUT':
    case 'PATCH':
      return echoUpdated
    case 'DELETE':
      return echoDeleted
  }
  return undefined
}
