import { load } from './load.mjs'

const { createFetchHandler, default: worker } = load('services/forms/adapters/fetch')

export { createFetchHandler, worker as default }
