import { load } from './load.mjs'

export const { createHandler, handler } = load('services/forms/adapters/lambda')
