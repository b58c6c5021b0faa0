/** @type {import('nonet/mock').Hooks['onRequest']} */
export function onRequest(request) {
  if (request.headers['x-maintenance'] === 'on') {
    return { status: 503, headers: { 'retry-after': '60' }, body: { message: 'Back soon.' } }
  }
}

/** @type {import('nonet/mock').Hooks['onResponse']} */
export function onResponse(response, request) {
  if (request.operationId === 'listPlants') {
    response.body = response.body.toSorted((one, other) => one.name.localeCompare(other.name))
    response.body.reverse()
  }
}
