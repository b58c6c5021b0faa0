import { load } from './load.mjs'

export const { createFunction, forms } = load('services/forms/adapters/gcf')
