import { plainRequest } from './exchange.mjs'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'BREW']
const SAMPLES = {
  id: '1',
  box: 'comparedboxcomparedbox',
  collection: 'things',
  part: 'things',
  code: 'BR',
  kind: 'svg',
  key: 'k1',
  file: 'page.js',
  workspace: 'compared',
  path: 'name',
  name: 'one'
}
/** The interval of events is as long as a comparison waits, so that both servers become silent. */
const QUERY_SAMPLES = { interval: '5000' }
const IMPLAUSIBLE = '%00~not,a(value'
const BODY = { name: 'Ada', email: 'eve.holt@reqres.in', password: 'x', fullName: 'Ada L' }

/** All methods of all routes, with and without a body; then each query parameter separately. */
export function openapiRequests(document, { service, group, prefix = '', headers = {} }) {
  const resolve = (value) => dereference(document, value)
  const routes = Object.entries(document.paths ?? {})
  const requests = routes.flatMap(([path, item]) => {
    const target = prefix + fillPath(path, item, resolve)
    return METHODS.flatMap((method) => [
      plainRequest({ method, path: target, headers }),
      withBody(method, target, item[method.toLowerCase()], resolve, headers)
    ])
  })
  const queries = routes.flatMap(([path, item]) =>
    queryRequests(prefix, path, item, resolve, headers)
  )
  return [...requests, ...queries].map((request) => ({ ...request, service, group }))
}

function queryRequests(prefix, path, item, resolve, headers) {
  const target = prefix + fillPath(path, item, resolve)
  const methods = ['GET', 'POST', 'DELETE'].filter((method) => item[method.toLowerCase()])
  return methods.flatMap((method) =>
    parametersOf(item, item[method.toLowerCase()], resolve)
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, ...parameter }) =>
        [querySample(name, parameter, resolve), IMPLAUSIBLE].map((value) =>
          plainRequest({ method, path: `${target}?${encodeURIComponent(name)}=${value}`, headers })
        )
      )
  )
}

function querySample(name, parameter, resolve) {
  return QUERY_SAMPLES[name] ?? encodeURIComponent(sampleParameter(name, parameter, resolve))
}

function withBody(method, path, operation, resolve, headers) {
  const content = resolve(operation?.requestBody)?.content ?? {}
  const [type = 'application/json', media = {}] = Object.entries(content)[0] ?? []
  const sample = exampleOf(media, resolve) ?? sampleSchema(resolve(media.schema), resolve) ?? BODY
  const body = typeof sample === 'string' ? sample : JSON.stringify(sample)
  return plainRequest({ method, path, headers: { 'content-type': type, ...headers }, body })
}

function fillPath(path, item, resolve) {
  const operations = Object.values(item).filter((value) => value?.responses !== undefined)
  const parameters = operations.flatMap((operation) => parametersOf(item, operation, resolve))
  return path.replace(/\{([^}]+)\}/g, (_, name) => {
    const parameter = parameters.find((one) => one.name === name && one.in === 'path') ?? {}
    return encodeURIComponent(SAMPLES[name] ?? sampleParameter(name, parameter, resolve))
  })
}

function parametersOf(item, operation, resolve) {
  return [...(item.parameters ?? []), ...(operation?.parameters ?? [])].map(resolve)
}

function sampleParameter(name, parameter, resolve) {
  const schema = resolve(parameter.schema) ?? {}
  const example = exampleOf(parameter, resolve) ?? sampleSchema(schema, resolve)
  if (example === undefined) return SAMPLES[name] ?? 'a'
  return typeof example === 'object' ? JSON.stringify(example) : String(example)
}

function exampleOf(holder, resolve) {
  if (holder.example !== undefined) return holder.example
  return resolve(Object.values(holder.examples ?? {})[0])?.value
}

function sampleSchema(schema, resolve, depth = 0) {
  if (typeof schema !== 'object' || schema === null || depth > 4) return undefined
  const given = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const
  if (given !== undefined) return given
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []
  if (choice) return sampleSchema(resolve(choice), resolve, depth + 1)
  const type = [schema.type].flat()[0]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'string') return 'a'
  if (type === 'array') {
    const item = sampleSchema(resolve(schema.items), resolve, depth + 1)
    return item === undefined ? [] : [item]
  }
  if (schema.properties === undefined) return type === 'object' ? { name: 'Ada' } : undefined
  const entries = Object.entries(schema.properties).map(([name, value]) => [
    name,
    sampleSchema(resolve(value), resolve, depth + 1)
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function dereference(document, value, depth = 0) {
  if (typeof value?.$ref !== 'string' || depth > 8) return value
  const steps = value.$ref.replace(/^#\/?/, '').split('/')
  const found = steps.reduce(
    (at, step) => at?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')],
    document
  )
  return dereference(document, found, depth + 1)
}
